import { rmSync } from 'node:fs';
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { openDatabase } from '../../db/index.ts';
import type { Budgets } from '../../src/operation/context.ts';
import type { Context } from '../../src/operation/context.ts';
import { createContext } from '../../src/server/create-context.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { serve, type Service } from '../../src/server/entry.ts';
import { makeDatabaseFolder } from '../setup/shared-folder.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Connection pool for the request; by default, a new connection. */
  agent?: Agent | false;
}

export interface RunningService {
  port: number;
  documents: number;
  /** Context of the operations, for changes that requests cannot make. */
  context: Context;
  /** All log lines so far. */
  log(): string;
  /** Sends a request without normalizing its target or decoding the response body. */
  ask(target: string, options?: AskOptions): Promise<Answer>;
  takeOver: Service['takeOver'];
  stop(): Promise<void>;
}

/** Sends a request to a local port. */
export function ask(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body, agent = false }: AskOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path: target, method, headers, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Settings of a server without rate limits. */
export const NO_RATE_LIMITS = { rateLimitReads: 0, rateLimitWrites: 0 };

/** Serves a build on a free port with its own database, by default without limits. */
export async function serveBuild(
  outDir: string,
  trustProxy = 0,
  budgets?: Budgets,
  rateLimits = NO_RATE_LIMITS,
): Promise<RunningService> {
  const folder = makeDatabaseFolder();
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _, callback) {
      lines.push(String(chunk));
      callback();
    },
  });
  const database = await openDatabase({ url: `file:${folder}/test.db`, usesThread: false });
  const service = await serve(
    {
      ...rateLimits,
      ...(budgets ? { ...budgets, budgets: true } : { budgets: false as const }),
      outDir,
      host: '127.0.0.1',
      port: 0,
      trustProxy,
    },
    database,
    pino({ level: 'debug' }, sink),
  );
  return {
    port: service.port,
    documents: service.documents,
    context: createContext({
      isCustomerEmailEnabled: false,
      site: readBuiltSite(outDir),
      database,
      log: pino({ level: 'silent' }),
    }),
    log: () => lines.join(''),
    ask: (target, options) => ask(service.port, target, options),
    takeOver: (release, options) => service.takeOver(release, options),
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
