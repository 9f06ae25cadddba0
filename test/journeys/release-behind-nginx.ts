import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { ask } from '../server/serve-build.ts';
import { REQUEST_INTERVAL } from '../setup/rebuild-under-load.ts';
import { startNginx } from './nginx.ts';

/** How long nginx caches a document, in seconds: as documented, and shortened for this test. */
const DOCUMENTED_LIFETIME = 5 * 60;
const TEST_LIFETIME = 2;

/** How long to wait for the release, in ms; generous, because the machine may be busy. */
const WAIT_MS = 120_000;

/** A proxy that shortens the cache lifetime of responses. */
async function startCacheShortener(upstream: number): Promise<Server> {
  const server = createServer((request, clientResponse) => {
    const { method, url, headers } = request;
    const proxyRequest = httpRequest(
      { host: '127.0.0.1', port: upstream, method, path: url, headers },
      (response) => {
        const cacheControl = response.headers['cache-control']?.replace(
          `max-age=${DOCUMENTED_LIFETIME}`,
          `max-age=${TEST_LIFETIME}`,
        );
        clientResponse.writeHead(response.statusCode!, {
          ...response.headers,
          ...(cacheControl && { 'cache-control': cacheControl }),
        });
        response.pipe(clientResponse);
      },
    );
    proxyRequest.on('error', () => clientResponse.destroy());
    request.pipe(proxyRequest);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/**
 * Builds a release of the fixture network with this title of the subsite “bus”. Behind the
 * documented nginx, no request fails meanwhile, and the release appears within the documented time.
 */
export async function expectReleaseBehindNginx(
  origin: string,
  title: string,
  build: () => Promise<unknown>,
): Promise<void> {
  expect(readFileSync('.github/OPERATING.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(
    'A new release is visible behind nginx within five minutes',
  );
  const cacheShortener = await startCacheShortener(Number(new URL(origin).port));
  const directPort = (cacheShortener.address() as AddressInfo).port;
  const nginx = await startNginx(directPort);
  const get = (path: string, port = nginx.port) =>
    ask(port, path, { headers: { host: 'example.com', accept: 'text/html,*/*;q=0.8' } });
  const fetchTitle = async (port?: number) =>
    (JSON.parse((await get('/api/agent/bus', port)).body.toString()) as { title: string }).title;
  const stylesheet = /href="(\/_astro\/[^"]+\.css)"/.exec((await get('/bus')).body.toString())![1]!;
  const expected: readonly (readonly [string, number])[] = [
    ...['/bus', '/api/agent/bus', '/api/agent-index', '/llms.txt', stylesheet].map(
      (path) => [path, 200] as const,
    ),
    ['/inbox', 401],
    ['/nowhere', 404],
    ['/receipt/nothing-of-this-name', 404],
  ];
  const failed: string[] = [];
  let answered = 0;
  let isRunning = true;
  const runLoad = async () => {
    for (let next = 0; isRunning; next++) {
      const [path, status] = expected[next % expected.length]!;
      const response = await get(path).catch((error: unknown) => ({ status: String(error) }));
      if (response.status === status) answered++;
      else failed.push(`${path}: ${response.status}`);
      await wait(REQUEST_INTERVAL);
    }
  };
  const loads = [runLoad(), runLoad(), runLoad()];
  try {
    await build();
    await vi.waitUntil(async () => (await fetchTitle(directPort)) === title, WAIT_MS);
    await wait(TEST_LIFETIME * 1000 + 500);
    // After the lifetime, nginx answers the first request from its cache and revalidates in the
    // background.
    await fetchTitle();
    await vi.waitUntil(async () => (await fetchTitle()) === title, WAIT_MS);
    // The page has its own lifetime in the cache.
    await vi.waitUntil(async () => (await get('/bus')).body.toString().includes(title), WAIT_MS);
  } finally {
    isRunning = false;
    await Promise.all(loads);
    await nginx.stop();
    cacheShortener.closeAllConnections();
    cacheShortener.close();
  }
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(100);
}
