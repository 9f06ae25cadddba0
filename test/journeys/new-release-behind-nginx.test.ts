import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { ask } from '../server/serve-build.ts';
import { buildNetwork, copyBuild, copyProgram } from '../setup/built-networks.ts';
import { findProgram } from '../setup/programs.ts';
import { REQUEST_INTERVAL } from '../setup/rebuild-under-load.ts';
import { startServer, type StartedServer } from '../setup/started-server.ts';
import { startNginx } from './nginx.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

/** How long nginx caches a document, in seconds: as documented, and shortened for this test. */
const DOCUMENTED_LIFETIME = 5 * 60;
const TEST_LIFETIME = 2;

/** How long to wait for the release, in ms; generous, because the machine may be busy. */
const WAIT_MS = 120_000;

const OUT_DIR = '.build/test-new-release';

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

describe.runIf(findProgram('nginx'))('a new release behind the documented nginx', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-new-release-'));
  const registry = join(folder, 'registry');
  let service: StartedServer;
  let cacheShortener: Server;
  let nginx: Awaited<ReturnType<typeof startNginx>>;

  beforeAll(async () => {
    cpSync('test/fixtures/network-of-four', registry, { recursive: true });
    // The first release is the build that all tests share, which the server uses without a registry.
    copyProgram(OUT_DIR);
    copyBuild(inject('fourBuild'), OUT_DIR);
    service = startServer({
      OUT_DIR,
      REGISTRY_DIR: join(folder, 'none'),
      PORT: '0',
      DATABASE_URL: `file:${folder}/network.db`,
      TRUST_PROXY: '1',
    });
    cacheShortener = await startCacheShortener(Number(new URL(await service.origin()).port));
    nginx = await startNginx((cacheShortener.address() as AddressInfo).port);
  });
  afterAll(async () => {
    await nginx.stop();
    cacheShortener.closeAllConnections();
    cacheShortener.close();
    await service.end('SIGTERM');
    for (const path of [folder, OUT_DIR]) rmSync(path, { recursive: true });
  });

  const get = (path: string, port = nginx.port) =>
    ask(port, path, { headers: { host: 'example.com', accept: 'text/html,*/*;q=0.8' } });
  const fetchTitle = async (port?: number) =>
    (JSON.parse((await get('/api/agent/bus', port)).body.toString()) as { title: string }).title;

  it('fails no request and appears within the documented time', async () => {
    expect(readFileSync('.github/OPERATING.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(
      'A new release is visible behind nginx within five minutes',
    );
    const stylesheet = /href="(\/_astro\/[^"]+\.css)"/.exec(
      (await get('/bus')).body.toString(),
    )![1]!;
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
      const record = join(registry, 'subsites/bus.yaml');
      const text = readFileSync(record, 'utf8').replace(/^title: .*$/m, 'title: The New Book Bus');
      writeFileSync(record, text);
      await buildNetwork(registry, OUT_DIR);
      const directPort = (cacheShortener.address() as AddressInfo).port;
      await vi.waitUntil(
        async () => (await fetchTitle(directPort)) === 'The New Book Bus',
        WAIT_MS,
      );
      await wait(TEST_LIFETIME * 1000 + 500);
      // After the lifetime, nginx answers the first request from its cache and revalidates in the
      // background.
      await fetchTitle();
      await vi.waitUntil(async () => (await fetchTitle()) === 'The New Book Bus', WAIT_MS);
      // The page has its own lifetime in the cache.
      await vi.waitUntil(
        async () => (await get('/bus')).body.toString().includes('The New Book Bus'),
        WAIT_MS,
      );
    } finally {
      isRunning = false;
      await Promise.all(loads);
    }
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });
});
