import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { ask } from '../server/serve-build.ts';
import { BUILD_EPOCH, copyBuild, shareProgram } from '../setup/built-networks.ts';
import { makeCheckout } from '../setup/checkout.ts';
import { findProgram } from '../setup/programs.ts';
import { build, buildEnvironment } from '../setup/rebuild-under-load.ts';
import { startServer, type StartedServer } from '../setup/started-server.ts';
import { startNginx } from './nginx.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

/**
 * How long nginx keeps a document, by its headers and by the documentation, and how long here, in
 * seconds.
 */
const MINUTES_KEPT = 5;
const KEPT_HERE = 2;

const REGISTRY = 'test/fixtures/network-of-four';

/** Passes everything on, with a shorter time for which answers may be kept. */
async function hurry(upstream: number): Promise<Server> {
  const server = createServer((asked, answer) => {
    const { method, url, headers } = asked;
    const passed = httpRequest(
      { host: '127.0.0.1', port: upstream, method, path: url, headers },
      (response) => {
        const kept = response.headers['cache-control']?.replace(
          `max-age=${MINUTES_KEPT * 60}`,
          `max-age=${KEPT_HERE}`,
        );
        answer.writeHead(response.statusCode!, {
          ...response.headers,
          ...(kept && { 'cache-control': kept }),
        });
        response.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe.runIf(findProgram('nginx'))('a new release behind the documented nginx', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-new-release-'));
  const environment = {
    ...buildEnvironment(),
    REGISTRY_DIR: REGISTRY,
    SOURCE_DATE_EPOCH: BUILD_EPOCH,
    DATABASE_URL: `file:${folder}/network.db`,
    TRUST_PROXY: '1',
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_WRITES: '0',
  };
  let checkout: string;
  let service: StartedServer;
  let hurried: Server;
  let nginx: Awaited<ReturnType<typeof startNginx>>;

  beforeAll(async () => {
    checkout = makeCheckout(join(folder, 'checkout'));
    cpSync(REGISTRY, join(checkout, REGISTRY), { recursive: true });
    // The first release is the one that all tests share.
    shareProgram(join(checkout, 'dist'));
    copyBuild(inject('fourBuild'), join(checkout, 'dist'));
    service = startServer({ PORT: '0' }, { cwd: checkout, environment });
    hurried = await hurry(Number(new URL(await service.origin()).port));
    nginx = await startNginx((hurried.address() as AddressInfo).port);
  });
  afterAll(async () => {
    await nginx.stop();
    hurried.closeAllConnections();
    hurried.close();
    await service.end('SIGTERM');
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, port = nginx.port) =>
    ask(port, path, { headers: { host: 'example.com', accept: 'text/html,*/*;q=0.8' } });
  const titleAt = async (port?: number) =>
    (JSON.parse((await get('/api/agent/bus', port)).body.toString()) as { title: string }).title;

  it('fails no request, and shows within the documented time', async () => {
    expect(readFileSync('.github/OPERATING.md', 'utf8')).toContain(
      'A new release shows behind nginx within five minutes',
    );
    const style = /href="(\/_astro\/[^"]+\.css)"/.exec((await get('/bus')).body.toString())![1]!;
    const expected: readonly (readonly [string, number])[] = [
      ...['/bus', '/api/agent/bus', '/api/agent-index', '/llms.txt', style].map(
        (path) => [path, 200] as const,
      ),
      ['/inbox', 401],
      ['/nowhere', 404],
      ['/receipt/nothing-of-this-name', 404],
    ];
    const failed: string[] = [];
    let answered = 0;
    let loading = true;
    const load = async () => {
      for (let next = 0; loading; next++) {
        const [path, status] = expected[next % expected.length]!;
        const answer = await get(path).catch((error: unknown) => ({ status: String(error) }));
        if (answer.status === status) answered++;
        else failed.push(`${path}: ${answer.status}`);
        await wait(5);
      }
    };
    const loads = [load(), load(), load()];
    try {
      const record = join(checkout, REGISTRY, 'subsites/bus.yaml');
      const text = readFileSync(record, 'utf8').replace(/^title: .*$/m, 'title: The New Book Bus');
      writeFileSync(record, text);
      await build(checkout, environment);
      const own = (hurried.address() as AddressInfo).port;
      await vi.waitUntil(async () => (await titleAt(own)) === 'The New Book Bus', 60_000);
      await wait(KEPT_HERE * 1000 + 500);
      // nginx answers the first request over the time with what it has, and fetches anew meanwhile.
      await titleAt();
      await vi.waitUntil(async () => (await titleAt()) === 'The New Book Bus', 10_000);
      expect((await get('/bus')).body.toString()).toContain('The New Book Bus');
    } finally {
      loading = false;
      await Promise.all(loads);
    }
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });
});
