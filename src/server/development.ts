import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openDatabase } from '../../db/index.ts';
import { listPlacements } from '../artifacts/index.ts';
import { createApp } from '../http/app.ts';
import { resolveClientAddress } from '../http/client-address.ts';
import { prefersMarkdown } from '../http/negotiate.ts';
import { toProblem } from '../http/faults.ts';
import { createProblemResponse, createUnknownAddressProblem } from '../http/problem-response.ts';
import { hasStrictQuery, rejectUnknownQuery } from '../http/query.ts';
import { createRateLimitCheck } from '../http/rate-limit.ts';
import type { RenderView } from '../http/views.ts';
import { waitListOf } from '../operation/waits.ts';
import { createDatabaseConfig, readSettings } from '../settings.ts';
import { type Site, toMarkdownPath } from '../site/site.ts';
import { createCapabilityContext } from './capability-context.ts';
import { createConfiguredContext } from './configured-context.ts';
import { readHealth } from './health.ts';
import { createLog } from './log.ts';

/**
 * The program as `npm run dev` runs it: documents and prerendered pages come from Astro, everything
 * else from the app.
 */
export interface DevelopmentProgram {
  /**
   * Answers, or passes the request on to Astro with `next`, with `request.url` set to the requested
   * representation.
   */
  answer: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  stop: () => Promise<void>;
}

/**
 * The path of the representation that Accept or `include` selects; undefined if it is the requested
 * path.
 */
function findRepresentationPath(
  { url = '/', headers }: IncomingMessage,
  documents: ReadonlySet<string>,
): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const includedPath = `${pathname}.${searchParams.get('include')}`;
  if (documents.has(includedPath)) return includedPath;
  const markdownPath = toMarkdownPath(pathname);
  return prefersMarkdown(headers.accept ?? '') && documents.has(markdownPath)
    ? markdownPath
    : undefined;
}

/** Starts the program with the current records and code. @throws {DatabaseUnavailableError} */
export async function startDevelopmentProgram(
  site: Site,
  render: RenderView,
): Promise<DevelopmentProgram> {
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  const database = await openDatabase(createDatabaseConfig(settings));
  const capabilities = await createCapabilityContext(settings);
  const parts = { settings, database, log, capabilities };
  const { context, canDeliver, startWork } = createConfiguredContext(site, parts);
  const documents = new Set(
    listPlacements(site).flatMap(({ path, aliases }) => [path, ...aliases]),
  );
  const app = createApp({
    context,
    checkRateLimit: createRateLimitCheck({
      reads: settings.rateLimitReads,
      writes: settings.rateLimitWrites,
    }),
    render,
    checkHealth: () => readHealth({ context, canDeliver, isStopping: () => false }),
    respondToUnknownPage: () => new Response(null, { status: 404 }),
  });
  const work = startWork();
  return {
    answer(request, response, next) {
      const listener = getRequestListener(
        async (webRequest) => {
          let route: string | undefined;
          const answered = await app.fetch(webRequest, {
            address: resolveClientAddress(request, settings.trustProxy),
            onRoute: (pattern) => (route = pattern),
          });
          const { pathname, searchParams } = new URL(webRequest.url);
          const isPage = route === undefined;
          if (!isPage && !documents.has(pathname)) return answered;
          if (isPage && pathname.startsWith('/view/'))
            return createProblemResponse(
              createUnknownAddressProblem({ method: webRequest.method, path: pathname }, site),
              site.base,
            );
          if (hasStrictQuery(pathname)) {
            const hasVariant = [...documents].some((path) => path.startsWith(`${pathname}.`));
            try {
              rejectUnknownQuery(searchParams, hasVariant ? ['include'] : []);
            } catch (thrown) {
              return createProblemResponse(toProblem(thrown, context), site.base);
            }
          }
          request.url = findRepresentationPath(request, documents) ?? request.url;
          next();
          return RESPONSE_ALREADY_SENT;
        },
        // Vite and Astro need the platform's own objects.
        { overrideGlobalObjects: false, autoCleanupIncoming: false },
      );
      void listener(request, response);
    },
    async stop() {
      waitListOf(database).close();
      await work.stop();
      await database.close();
    },
  };
}
