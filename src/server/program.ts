import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { buildCommonHeaders } from '../build/site-headers.ts';
import { createApp } from '../http/app.ts';
import { resolveClientAddress } from '../http/client-address.ts';
import { toProblem } from '../http/faults.ts';
import { createProblemResponse } from '../http/problem-response.ts';
import type { CheckRateLimit } from '../http/rate-limit.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import { createMemoryTier, type MemoryTier } from './memory-tier.ts';
import type { Release } from './release.ts';

/** Serves requests from one release: its documents, and the app with its records. */
export interface Program {
  context: Context;
  arena: Release['arena'];
  tier: MemoryTier;
  /** Headers of dynamic responses; a response may replace any of them. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Answers a request; with `fault`, answers with a page that says why the request is rejected. */
  answer: (request: IncomingMessage, response: ServerResponse, fault?: unknown) => void;
  /** Pattern of the matching route; undefined without a match. */
  routeOf: (response: ServerResponse) => string | undefined;
}

export interface ProgramOptions {
  release: Release;
  context: Context;
  checkRateLimit: CheckRateLimit;
  /** Number of trusted proxies. */
  trustProxy: number;
  /** The state of the service. @throws {Problem} unavailable */
  checkHealth: () => Promise<object>;
}

export function createProgram({
  release,
  context,
  checkRateLimit,
  trustProxy,
  checkHealth,
}: ProgramOptions): Program {
  const { arena, render } = release;
  const { base } = context.site;
  const baseHeaders = buildCommonHeaders(context.site);
  const tier = createMemoryTier(arena, baseHeaders);
  const app = createApp({
    context,
    checkRateLimit,
    render,
    checkHealth,
    respondToUnknownPage: tier.respondToUnknownPage,
  });
  const routes = new WeakMap<ServerResponse, string>();
  const faults = new WeakMap<ServerResponse, Problem>();
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      app.fetch(request, {
        address: resolveClientAddress(incoming, trustProxy),
        fault: faults.get(outgoing as ServerResponse),
        onRoute: (pattern) => routes.set(outgoing as ServerResponse, pattern),
      }),
    {
      hostname: new URL(base).host,
      errorHandler: (thrown) =>
        createProblemResponse(
          thrown instanceof RequestError
            ? new Problem(
                'invalid_input',
                'The Host header is not a valid host name. Send a valid one.',
              )
            : toProblem(thrown, context),
          base,
        ),
    },
  );
  return {
    context,
    arena,
    tier,
    headers: Object.entries({ ...baseHeaders, 'cache-control': 'no-store' }),
    answer(request, response, fault) {
      if (fault !== undefined) faults.set(response, toProblem(fault, context));
      void listener(request, response);
    },
    routeOf: (response) => routes.get(response),
  };
}
