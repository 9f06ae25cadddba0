import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { expect, it } from 'vitest';
import { fileUrlOf } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { shareLinks } from '../../db/schema-links.ts';
import { runChild } from './setup/child-process.ts';
import {
  link,
  findLostTokens,
  openTestDatabase,
  readTokensInFile,
  createDatabasePath,
} from './setup/database.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Writes a few rows while another process holds the lock, and many more after it releases the lock.
 * Returns the acknowledged tokens.
 */
async function writeUnderLock(
  path: string,
  insert: (token: string) => PromiseLike<unknown>,
): Promise<Set<string>> {
  const acknowledged = new Set<string>();
  const write = async (token: string) => {
    try {
      await insert(token);
      acknowledged.add(token);
    } catch {
      // Rejected, so nothing was promised.
    }
  };
  await write('before');
  const lockProgram = runChild('lock-program', [fileUrlOf(path)]);
  await lockProgram.waitForLines(1);
  const concurrentWrites = Promise.all(['d1', 'd2', 'd3', 'd4', 'd5'].map(write));
  // By now, a client without a timeout has failed, while a client with a timeout is still waiting.
  await Promise.race([concurrentWrites, new Promise((resolve) => setTimeout(resolve, 400))]);
  lockProgram.process.stdin!.end();
  await lockProgram.ended;
  await concurrentWrites;
  for (let index = 0; index < 50; index++) await write(`after-${index}`);
  return acknowledged;
}

it('the bare client loses acknowledged rows after SQLITE_BUSY, so this test detects losses', async () => {
  const path = createDatabasePath();
  await (await openDatabase({ url: fileUrlOf(path) })).close();
  // The client loses rows until the statement that failed is garbage-collected, so nothing else may
  // start a garbage collection in the meantime.
  collectGarbage();
  const client = createClient({ url: fileUrlOf(path) });
  const bareDatabase = drizzle(client);
  const acknowledged = await writeUnderLock(path, (token) =>
    bareDatabase.insert(shareLinks).values(link(token)),
  );
  client.close();
  expect(acknowledged.size).toBeGreaterThan(50);
  expect(findLostTokens(acknowledged, await readTokensInFile(path))).toHaveLength(50);
});

it('the database module loses no acknowledged row, even if writes had to wait', async () => {
  const path = createDatabasePath();
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  const acknowledged = await writeUnderLock(path, (token) =>
    database.writer.insert(shareLinks).values(link(token)),
  );
  expect(acknowledged.size).toBe(56);
  expect(findLostTokens(acknowledged, await readTokensInFile(path))).toEqual([]);
});

it('no write is lost when three processes write to the same file at once', async () => {
  const path = createDatabasePath();
  const writers = ['a', 'b', 'c'].map((name) =>
    runChild('write-program', [fileUrlOf(path), name, '2', '8']),
  );
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0]);
  const stored = await readTokensInFile(path);
  for (const { lines } of writers) {
    expect(lines.length).toBeGreaterThan(0);
    expect(findLostTokens(lines, stored)).toEqual([]);
  }
});
