import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Context, type Operation, operations } from '../operations/index.ts';
import { BODY_BYTES, brokenOff, type Exchange, formKeys, type Incoming, replyWith, requestLimits } from '../transports/index.ts';
import type { Target } from './request-target.ts';

type Parameters = Record<string, string>;

/** What answers a path, and the parameters that stand in it. */
interface Match {
  operation: Operation;
  params: Parameters;
}

/** Finds the operation of a decoded path; one whose parameter is not the last segment is left to Astro’s routes. */
function matcher(all: readonly Operation[]): (path: string) => Match | undefined {
  const plain = new Map<string, Operation>();
  const folders = new Map<string, { operation: Operation; name: string }>();
  for (const operation of all) {
    const [, folder, name] = /^([^{]*\/)\{(\w+)\}$/.exec(operation.path) ?? [];
    if (folder && name) folders.set(folder, { operation, name });
    else if (!operation.path.includes('{')) plain.set(operation.path, operation);
  }
  return (path) => {
    const operation = plain.get(path);
    if (operation) return { operation, params: {} };
    const cut = path.lastIndexOf('/') + 1;
    const found = folders.get(path.slice(0, cut));
    return found && { operation: found.operation, params: { [found.name]: path.slice(cut) } };
  };
}

/** Whether a request can do without Astro: a read, or a JSON body of known and allowed length. A refused form is a page. */
function isDirect({ method, headers }: IncomingMessage, { method: own, maxBodyBytes = BODY_BYTES }: Operation): boolean {
  if (method === 'GET' || method === 'HEAD') return own === 'GET';
  return method === 'POST' && own === 'POST' && /^application\/json\b/i.test(headers['content-type'] ?? '') && Number(headers['content-length'] ?? NaN) <= maxBodyBytes;
}

const incomingOf = (request: IncomingMessage): Incoming => ({
  method: request.method!,
  header(name) {
    const value = request.headers[name];
    return value === undefined ? null : String(value);
  },
  // Its length is known to be allowed.
  bytes: () => buffer(request).catch(brokenOff),
});

/** What the server knows of a request beside its bytes. */
export type DirectParts = Pick<Exchange, 'clientAddress' | 'replyTo'>;

/**
 * Answers operations before Astro’s pipeline, which costs more than most of them do. The same transport answers in both
 * places; what it does not take here (forms, other methods, bodies of unknown length) goes on to Astro’s mounts.
 * Gives the route pattern for the log, or undefined when the request was left alone.
 */
export function directAnswers(context: Context): (request: IncomingMessage, response: ServerResponse, target: Target, parts: () => DirectParts) => Promise<string | undefined> {
  const match = matcher(operations(context.site));
  return async (request, response, { path }, parts) => {
    const found = match(path);
    if (!found || !isDirect(request, found.operation)) return undefined;
    const { operation, params } = found;
    const { status, headers, body } = await replyWith(operation, {
      request: incomingOf(request),
      params,
      context,
      limits: requestLimits(),
      formKeys: formKeys(),
      showFault: () => Promise.reject(new Error('A form was answered without Astro.')),
      ...parts(),
    });
    const text = body ?? '';
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
    response.end(request.method === 'HEAD' ? undefined : text);
    return operation.path.replace(/\{(\w+)\}/g, '[$1]');
  };
}
