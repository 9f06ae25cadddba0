import { chmodSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { createClient } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { afterAll, expect, it } from 'vitest';
import { fileUrlOf } from '../../db/connection.ts';
import { type Database, openDatabase } from '../../db/index.ts';
import { shareLinks } from '../../db/schema-links.ts';
import { runChild } from './setup/child-process.ts';
import {
  link,
  openTestDatabase,
  readTokensInFile,
  createDatabasePath,
  createTemporaryFolder,
} from './setup/database.ts';
import { loseThread } from './setup/lose-thread.ts';
import { mountSmallDisk } from './setup/small-disk.ts';

const insert = (database: Database, token: string) =>
  database.writer.insert(shareLinks).values(link(token));
const unavailable = (reason: string) => ({
  name: 'DatabaseUnavailableError',
  reason,
  message: expect.stringMatching(/^[A-Z][^\n]+\.$/),
});

it('abandons a write that another process blocks for too long, stores none of it, and recovers', async () => {
  const path = createDatabasePath();
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  const lockProgram = runChild('lock-program', [fileUrlOf(path)]);
  await lockProgram.waitForLines(1);
  await Promise.all(
    ['a', 'b'].map((token) =>
      expect(insert(database, token)).rejects.toMatchObject(unavailable('busy')),
    ),
  );
  await expect(database.reader.select().from(shareLinks)).resolves.toEqual([]);
  lockProgram.process.stdin!.end();
  await lockProgram.ended;
  await insert(database, 'after');
  expect([...(await readTokensInFile(path))]).toEqual(['after']);
  // The new connection has the same durability settings.
  const settings = await database.writer.batch([
    database.writer.all(sql`PRAGMA journal_mode`),
    database.writer.all(sql`PRAGMA synchronous`),
    database.writer.all(sql`PRAGMA foreign_keys`),
  ]);
  expect(settings).toEqual([
    [{ journal_mode: 'wal' }],
    [{ synchronous: 2 }],
    [{ foreign_keys: 1 }],
  ]);
});

it('acknowledges nothing while the file is missing, creates no new file, and recovers when the file returns', async () => {
  const path = createDatabasePath();
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  await insert(database, 'before');
  const [folder, movedFolder] = [dirname(path), `${dirname(path)}-away`];
  renameSync(folder, movedFolder);
  await expect(insert(database, 'lost')).rejects.toMatchObject(unavailable('gone'));
  await expect(database.ping()).rejects.toMatchObject(unavailable('gone'));
  renameSync(movedFolder, folder);
  // All callers find that the connection is lost, and one caller reopens it.
  await Promise.all(Array.from({ length: 50 }, () => database.reader.select().from(shareLinks)));
  await insert(database, 'after');
  await database.ping();
  expect([...(await readTokensInFile(path))]).toEqual(['before', 'after']);

  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await expect(insert(database, 'deleted')).rejects.toMatchObject(unavailable('gone'));
  expect(readdirSync(folder)).toEqual([]);
});

it('closes after its folder is deleted', async () => {
  const path = createDatabasePath();
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  await insert(database, 'before');
  rmSync(dirname(path), { recursive: true });
  await expect(database.close()).resolves.toBeUndefined();
});

it('acknowledges nothing after the writer thread exits, and continues in a new thread', async () => {
  const path = createDatabasePath();
  let thread: Worker | undefined;
  process.once('worker', (started) => (thread = started));
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  await insert(database, 'before');
  const rejection = expect(insert(database, 'during')).rejects.toMatchObject(
    unavailable('unreachable'),
  );
  // The thread receives the write on the next tick, and exits without a response.
  setImmediate(() => void loseThread(thread!));
  await rejection;
  await insert(database, 'after');
  expect([...(await readTokensInFile(path))]).toEqual(expect.arrayContaining(['before', 'after']));
});

it('exits with its own code while a thread runs a statement', async () => {
  const url = fileUrlOf(createDatabasePath());
  expect(await runChild('exit-program', [url]).ended).toBe(3);
});

it('accepts no writes to a deleted and recreated file until it has this program’s tables', async () => {
  const path = createDatabasePath();
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
  writeFileSync(path, '');
  await expect(insert(database, 'lost')).rejects.toMatchObject(unavailable('gone'));
  rmSync(path);
  await (await openDatabase({ url: fileUrlOf(path) })).close();
  await insert(database, 'found');
  expect([...(await readTokensInFile(path))]).toEqual(['found']);
});

it('reports a read-only database, and continues when it becomes writable', async () => {
  const path = createDatabasePath();
  const folder = dirname(path);
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  await insert(database, 'before');
  renameSync(path, `${path}.away`);
  await expect(insert(database, 'gone')).rejects.toMatchObject(unavailable('gone'));
  renameSync(`${path}.away`, path);

  const files = readdirSync(folder).map((name) => join(folder, name));
  const isRoot = process.geteuid!() === 0;
  for (const file of files) chmodSync(file, 0o444);
  chmodSync(folder, 0o555);
  // Root is not subject to file modes.
  if (isRoot) process.seteuid!(65_534);
  try {
    await expect(insert(database, 'refused')).rejects.toMatchObject(unavailable('read_only'));
    await expect(openDatabase({ url: fileUrlOf(join(folder, 'other.db')) })).rejects.toMatchObject(
      unavailable('read_only'),
    );
  } finally {
    if (isRoot) process.seteuid!(0);
    chmodSync(folder, 0o755);
    for (const file of files) chmodSync(file, 0o644);
  }
  await insert(database, 'after');
  expect([...(await readTokensInFile(path))]).toEqual(['before', 'after']);
});

const disk = mountSmallDisk();
afterAll(() => disk?.remove());
if (!disk)
  process.stdout.write('skipped: full disk (only a user who may mount a disk can run this test)\n');
else
  it('acknowledges nothing on a full disk and continues when there is space', async () => {
    const path = join(disk.folder, 'frontage.db');
    const database = await openDatabase({ url: fileUrlOf(path) });
    await insert(database, 'before');
    const acknowledged = ['before'];
    disk.fill();
    for (let index = 0; index < 5; index++)
      await expect(insert(database, `full-${index}`)).rejects.toMatchObject(unavailable('full'));
    disk.clear();
    for (let index = 0; index < 20; index++) {
      await insert(database, `after-${index}`);
      acknowledged.push(`after-${index}`);
    }
    expect([...(await readTokensInFile(path))]).toEqual(acknowledged);
    await database.close();
  });

it('explains in one sentence why it rejects an invalid, unreachable, or newer database', async () => {
  const folder = createTemporaryFolder();
  writeFileSync(join(folder, 'text.db'), 'This is text, not a database. '.repeat(100));
  await expect(openDatabase({ url: fileUrlOf(join(folder, 'text.db')) })).rejects.toMatchObject(
    unavailable('malformed'),
  );
  await expect(
    openDatabase({ url: fileUrlOf(join(folder, 'text.db', 'below.db')) }),
  ).rejects.toMatchObject(unavailable('unreachable'));
  await expect(openDatabase({ url: 'file::memory:' })).rejects.toThrow(/followed by a file path/);

  const url = fileUrlOf(join(folder, 'newer.db'));
  await (await openDatabase({ url })).close();
  const newerClient = createClient({ url });
  await newerClient.execute({
    sql: 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)',
    args: ['later', 9_999_999_999_999],
  });
  newerClient.close();
  await expect(openDatabase({ url })).rejects.toMatchObject(unavailable('newer'));
});
