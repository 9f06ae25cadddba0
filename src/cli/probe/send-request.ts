import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface ProbeResponse {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

const TIMEOUT_MS = 30_000;

interface SendOptions extends Pick<RequestOptions, 'method' | 'agent'> {
  headers?: Record<string, string>;
  body?: string;
  /** Called after the last byte of the request. */
  onSent?: (request: ClientRequest) => void;
}

/** Sends a request without following redirects or decoding. @throws if there is no response */
export function sendRequest(
  base: string,
  path: string,
  { body, onSent, ...options }: SendOptions = {},
): Promise<ProbeResponse> {
  const url = new URL(base);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      {
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        path: encodeURI(path),
        timeout: TIMEOUT_MS,
        ...options,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as ProbeResponse['headers'],
            body: Buffer.concat(chunks),
          }),
        );
        response.on('error', reject);
      },
    );
    clientRequest.on('timeout', () => clientRequest.destroy(new Error('timeout')));
    clientRequest.on('error', reject);
    clientRequest.end(body, () => onSent?.(clientRequest));
  });
}
