import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { toProblem } from '../http/faults.ts';
import { mentionsHtml } from '../http/negotiate.ts';
import { sendProblem } from '../http/problem-response.ts';
import { createTargetFromPath, parseTarget } from '../http/request-target.ts';
import { Problem } from '../operation/problem.ts';
import type { FinishedRequest } from './metrics.ts';
import type { Program } from './program.ts';

export interface HandlerOptions {
  /** The program that answers the next request. */
  program: () => Program;
  log: Logger;
  /** Called after each response. */
  onResponse?: ((request: FinishedRequest) => void) | undefined;
  isStopping: () => boolean;
}

/**
 * Status logged for a client that disconnected before the response; nginx's number, because there
 * is no official one.
 */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Rejects a second Host header (RFC 9112 section 3.2), because a proxy may have read the other one.
 * Node joins or drops repeated headers, except in `rawHeaders`. @throws {Problem} invalid_input
 */
function requireOneHost({ rawHeaders }: IncomingMessage): void {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.toLowerCase() === 'host') count++;
  if (count > 1)
    throw new Problem('invalid_input', 'The request has more than one Host header. Send one.');
}

/** Answers every request: the memory tier first, then the app. */
export function createHandler({
  program,
  log,
  onResponse,
  isStopping,
}: HandlerOptions): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const startedAt = performance.now();
    const { context, arena, tier, headers, answer, routeOf } = program();
    let documentPath: string | undefined;
    response.once('close', () => {
      const { method } = request;
      const route = documentPath === undefined ? (routeOf(response) ?? 'unknown') : 'document';
      const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
      const ms = performance.now() - startedAt;
      onResponse?.({ method: method!, route, status, ms });
      const isRoutine = route === '/healthz' || (route === 'document' && status < 400);
      const level = isRoutine ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      log[level](
        {
          method,
          route,
          ...(documentPath !== undefined && { path: documentPath }),
          status,
          ms: Math.round(ms),
          ...(!response.writableFinished && { aborted: true }),
          // MCP reports a rate limit in a response with status 200.
          ...(response.hasHeader('retry-after') && {
            retryAfter: response.getHeader('retry-after'),
          }),
        },
        'request',
      );
    });
    if (isStopping()) response.setHeader('connection', 'close');
    try {
      requireOneHost(request);
      const url = request.url ?? '/';
      const target = arena.get(url) ? createTargetFromPath(url) : parseTarget(url);
      // Stays set if the memory tier rejects the request.
      documentPath = target.path;
      if (tier.answer(request, response, target)) return;
      documentPath = undefined;
      for (const [name, value] of headers) response.setHeader(name, value);
      answer(request, response);
    } catch (thrown) {
      for (const [name, value] of headers) response.setHeader(name, value);
      if (mentionsHtml(request.headers.accept)) answer(request, response, thrown);
      else sendProblem(response, toProblem(thrown, context), context.site.base);
    }
  };
}
