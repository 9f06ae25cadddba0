import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { commonHeaders } from '../build/site-headers.ts';
import type { Context } from '../operations/context.ts';
import { Problem } from '../operations/problem.ts';
import { readOutboxState } from '../operations/outbox-state.ts';
import type { Arena } from './arena.ts';
import { clientAddress } from './client-address.ts';
import { directAnswers, type DirectParts } from './direct.ts';
import { problemOf } from './faults.ts';
import { memoryTier } from './memory-tier.ts';
import type { AnsweredRequest } from './metrics.ts';
import { methodNotAllowed, problemAnswer, sendProblem, unknownAddress } from './problem-answer.ts';
import { plainTarget, readTarget, type Target } from './request-target.ts';

/** The handler that Astro’s build exports for `mode: 'middleware'`. */
export type AstroHandler = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void, locals: App.Locals) => Promise<void>;

export interface Handling {
  arena: Arena;
  astro: AstroHandler;
  context: Context;
  log: Logger;
  /** Proxies in front. */
  trustProxy: number;
  /** Whether leads are told to anyone; where they are not, none can be late. */
  delivers?: boolean;
  /** Told of each answer. */
  onAnswer?: ((request: AnsweredRequest) => void) | undefined;
  /** Whether the process is about to end. */
  stopping(): boolean;
}

const HEALTH_TIMEOUT_MS = 2000;
/** What a request counts as whose client went away before there was an answer; nginx’s number, for there is no official one. */
const CLIENT_GONE = 499;
/** Age of the oldest event on its way from which the outbox counts as stuck, in seconds. */
const STUCK_SECONDS = 15 * 60;

/** Answers every request: the memory tier first, then the service’s own health, then Astro. */
export function makeHandler({ arena, astro, context, log, trustProxy, delivers = false, onAnswer, stopping }: Handling): (request: IncomingMessage, response: ServerResponse) => void {
  const { base } = context.site;
  const common = commonHeaders(context.site);
  const tier = memoryTier(arena, common);
  // Endpoints and on-demand pages of Astro may replace any of these.
  const ownHeaders = Object.entries({ ...common, 'cache-control': 'no-store' });
  const noticed = new WeakMap<ServerResponse, string>();
  const direct = directAnswers(context);

  async function answerHealth(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    const late = new Promise<never>((_, reject) => setTimeout(reject, HEALTH_TIMEOUT_MS, new Error('The database did not answer in time.')).unref());
    let state: object = { status: 'ok' };
    try {
      if (stopping()) throw new Error('The service is stopping.');
      await Promise.race([context.database.ping(), late]);
      const outbox = delivers ? await Promise.race([readOutboxState(context), late]) : undefined;
      if (outbox && (outbox.oldestSeconds >= STUCK_SECONDS || outbox.givenUp)) state = { status: 'degraded', outbox };
    } catch {
      throw new Problem('unavailable', 'The database does not answer, or the service is stopping.', { headers: { 'retry-after': '5' } });
    }
    const body = JSON.stringify(state);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  function answerUnknown(request: IncomingMessage, response: ServerResponse, path: string): void {
    if (path === '/api' || path.startsWith('/api/')) return sendProblem(response, unknownAddress(path), base);
    // The page brings its own caching; what is unknown now may be known after the next build.
    response.removeHeader('cache-control');
    tier.answerNotFound(request, response);
  }

  const replyTo = (thrown: unknown) => problemAnswer(problemOf(thrown, context), base);
  const answerFault = (thrown: unknown): Response => {
    const { body, ...init } = replyTo(thrown);
    return new Response(body, init);
  };
  const partsOf = (request: IncomingMessage): DirectParts => ({ clientAddress: clientAddress(request, trustProxy), replyTo });

  async function answerByAstro(request: IncomingMessage, response: ServerResponse, { path, slashed }: Target): Promise<void> {
    // An endpoint is the same with a slash at its end; a redirect would lose the body of a POST.
    if (slashed) request.url = request.url!.replace(/\/(?=$|\?)/, '');
    const locals: App.Locals = { context, answerFault, ...partsOf(request) };
    await astro(request, response, () => answerUnknown(request, response, path), locals);
    noticed.set(response, locals.route ?? 'unknown');
  }

  async function answerDynamic(request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
    for (const [name, value] of ownHeaders) response.setHeader(name, value);
    if (target.path === '/healthz') return answerHealth(request, response);
    const route = await direct(request, response, target, () => partsOf(request));
    if (route === undefined) await answerByAstro(request, response, target);
    else noticed.set(response, route);
  }

  return (request, response) => {
    const begun = performance.now();
    const refuse = (thrown: unknown) => {
      if (response.headersSent) return void response.destroy();
      for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
      sendProblem(response, problemOf(thrown, context), base);
    };
    if (stopping()) response.setHeader('connection', 'close');
    try {
      const url = request.url ?? '/';
      const target = arena.get(url) ? plainTarget(url) : readTarget(url);
      if (tier.answer(request, response, target)) {
        if (onAnswer) response.once('close', () => onAnswer({ method: request.method!, route: 'document', status: response.statusCode, ms: performance.now() - begun }));
        if (log.isLevelEnabled('debug')) log.debug({ method: request.method, path: target.path, status: response.statusCode }, 'document');
        return;
      }
      response.once('close', () => {
        const route = noticed.get(response) ?? (target.path === '/healthz' ? target.path : 'unknown');
        const level = route === '/healthz' ? 'debug' : 'info';
        const status = response.headersSent ? response.statusCode : CLIENT_GONE;
        onAnswer?.({ method: request.method!, route, status, ms: performance.now() - begun });
        log[level]({ method: request.method, route, status, ms: Math.round(performance.now() - begun), ...(!response.writableFinished && { aborted: true }) }, 'request');
      });
      answerDynamic(request, response, target).catch(refuse);
    } catch (thrown) {
      refuse(thrown);
    }
  };
}
