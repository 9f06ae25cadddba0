import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { DatabaseUnavailableError, openDatabase } from '../../db/index.ts';
import { shareLinks } from '../../db/schema-links.ts';
import { findProgram } from '../setup/programs.ts';
import { createLibsqlServer } from './setup/libsql-server.ts';
import {
  link,
  findLostTokens,
  openTestDatabase,
  readStoredTokens,
  createTemporaryFolder,
} from './setup/database.ts';

async function startTestServer() {
  const server = await createLibsqlServer(createTemporaryFolder());
  onTestFinished(() => server.stop('SIGKILL'));
  await server.start();
  return server;
}

const hasLibsqlServer = findProgram('sqld') !== undefined;

it.runIf(hasLibsqlServer).each(['SIGTERM', 'SIGKILL'] as const)(
  'keeps what libsql-server acknowledged before a %s under load, and continues when the server is back',
  async (signal) => {
    const server = await startTestServer();
    const database = await openTestDatabase({ url: server.url });
    const acknowledged: string[] = [];
    const refusals = new Set<unknown>();
    let running = true;
    const write = async (name: string) => {
      for (let index = 0; running; index++) {
        const token = `${name}-${index}`;
        try {
          await database.writer.insert(shareLinks).values(link(token));
          acknowledged.push(token);
        } catch (error) {
          refusals.add(error);
          await wait(20);
        }
      }
    };
    const load = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(write);

    for (let round = 0; round < 2; round++) {
      await expect.poll(() => acknowledged.length).toBeGreaterThan((round + 1) * 200);
      await server.stop(signal);
      // Waits for responses in transit.
      await wait(200);
      const countBefore = acknowledged.length;
      await wait(300);
      expect(acknowledged.length).toBe(countBefore);
      await server.start();
      await expect.poll(() => acknowledged.length).toBeGreaterThan(countBefore);
    }
    running = false;
    await Promise.all(load);
    for (const error of refusals) expect(error).toBeInstanceOf(DatabaseUnavailableError);
    expect(findLostTokens(acknowledged, await readStoredTokens(server.url))).toEqual([]);
  },
);

it.runIf(hasLibsqlServer)(
  'reports in reads, writes, and health checks that libsql-server is down, and recovers without a restart',
  async () => {
    const server = await startTestServer();
    const database = await openTestDatabase({ url: server.url });
    await server.stop('SIGTERM');
    const unreachable = { name: 'DatabaseUnavailableError', reason: 'unreachable' };
    await Promise.all([
      expect(database.writer.insert(shareLinks).values(link('away'))).rejects.toMatchObject(
        unreachable,
      ),
      expect(database.reader.select().from(shareLinks)).rejects.toMatchObject(unreachable),
      expect(database.ping()).rejects.toMatchObject(unreachable),
    ]);
    await expect(openDatabase({ url: server.url })).rejects.toMatchObject(unreachable);
    await server.start();
    await database.writer.insert(shareLinks).values(link('back'));
    await database.ping();
    expect([...(await readStoredTokens(server.url))]).toEqual(['back']);
  },
);

it.runIf(hasLibsqlServer)(
  'warns the operator if libsql-server may lose acknowledged rows in a power failure',
  async () => {
    const server = await startTestServer();
    const database = await openTestDatabase({ url: server.url });
    expect(database.notices.join()).toContain('durability_mode');
  },
);

it.runIf(hasLibsqlServer)(
  'keeps strong durability after a restart if it is configured as documented',
  async () => {
    const text = readFileSync('.github/OPERATING.md', 'utf8');
    const [, path, body] =
      /^curl -f http:\/\/127\.0\.0\.1:9090(\S+) [^']*'content-type: application\/json' \\\n {2}-d '(.*)'$/m.exec(
        text,
      ) ?? [];
    const server = await createLibsqlServer(createTemporaryFolder(), { usesNamespaces: true });
    onTestFinished(() => server.stop('SIGKILL'));
    await server.start();
    const url = server.url.replace('127.0.0.1', 'localhost');
    const countNoticesAtStart = async () => {
      const database = await openDatabase({ url });
      await database.close();
      return database.notices.length;
    };
    expect(await countNoticesAtStart()).toBe(1);
    const answer = await fetch(`http://127.0.0.1:${server.adminPort}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body ?? '',
    });
    expect(answer.status).toBe(200);
    expect(await countNoticesAtStart()).toBe(0);
    await server.stop('SIGTERM');
    await server.start();
    expect(await countNoticesAtStart()).toBe(0);
  },
);
