import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/**
 * Thrown for a target that did not respond or must not be called. `reason` is a code for the log.
 */
export class UnreachableError extends Error {
  readonly reason: 'private_address' | 'timeout' | 'connection' | 'too_large';

  constructor(reason: UnreachableError['reason'], options?: ErrorOptions) {
    super(`The target could not be reached (${reason}).`, options);
    this.name = 'UnreachableError';
    this.reason = reason;
  }
}

// Checks addresses at connection time, so that a host name cannot change its address after the
// check (DNS rebinding).
const lookUpPublicAddress: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const allowed = error ? [] : addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (!first) callback(error ?? new UnreachableError('private_address'), '', 0);
    else if (options.all) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};

export interface OutboundRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  /** Timeout for the whole exchange, in ms. */
  timeoutMs: number;
  /** Maximum response size in bytes. */
  maxBytes: number;
  /** Whether private addresses may be called, for development. */
  allowPrivate: boolean;
}

/**
 * One HTTP exchange with an external service. Redirects are not followed.
 * @throws {UnreachableError}
 */
export function sendOutboundRequest(
  url: string,
  { method, headers, body, timeoutMs, maxBytes, allowPrivate }: OutboundRequest,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { protocol, hostname } = new URL(url);
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(literal) && !isPublicAddress(literal))
    return Promise.reject(new UnreachableError('private_address'));
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const fail = (error: Error) =>
      reject(
        error instanceof UnreachableError
          ? error
          : new UnreachableError(signal.aborted ? 'timeout' : 'connection', { cause: error }),
      );
    const request = (protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
        signal,
        agent: false,
        ...(!allowPrivate && { lookup: lookUpPublicAddress }),
      },
      (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          if ((size += part.length) > maxBytes) request.destroy(new UnreachableError('too_large'));
          else parts.push(part);
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(parts).toString('utf8'),
          }),
        );
        response.on('error', fail);
      },
    );
    request.on('error', fail);
    request.end(body);
  });
}
