import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../db/backup.ts';
import { fileUrlOf } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { shareLinks } from '../../db/schema-links.ts';
import { lockForServer } from '../../db/server-lock.ts';
import {
  link,
  openTestDatabase,
  createDatabasePath,
  createTemporaryFolder,
} from './setup/database.ts';

beforeEach(() => {
  const previousMask = process.umask(0o022);
  return () => void process.umask(previousMask);
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** A database path in a world-readable folder, as created by `mkdir data`. */
function createPathInReadableFolder(): string {
  const folder = join(createTemporaryFolder(), 'data');
  mkdirSync(folder);
  expect(modeOf(folder)).toBe('755');
  return join(folder, 'frontage.db');
}

it('creates the database, its log, its index, and its locks with access for their owner only', async () => {
  const path = createPathInReadableFolder();
  const lock = await lockForServer({ url: fileUrlOf(path) });
  onTestFinished(() => lock.release());
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  await database.writer.insert(shareLinks).values(link('one'));
  const locks = [`${path}.server-lock`, `${path}.server-lock-holder`];
  for (const file of [path, `${path}-wal`, `${path}-shm`, ...locks])
    expect(modeOf(file), file).toBe('600');
  expect(modeOf(join(path, '..', 'migrate.lock.db'))).toBe('600');
});

it('makes a world-readable database private, with the log and index of a running server', async () => {
  const path = createPathInReadableFolder();
  const first = await openTestDatabase({ url: fileUrlOf(path) });
  await first.writer.insert(shareLinks).values(link('one'));
  const files = [path, `${path}-wal`, `${path}-shm`];
  for (const file of files) chmodSync(file, 0o644);
  const second = await openTestDatabase({ url: fileUrlOf(path) });
  await second.writer.insert(shareLinks).values(link('two'));
  for (const file of files) expect(modeOf(file), file).toBe('600');
});

it('leaves the file mode of another program’s database unchanged', async () => {
  const path = createPathInReadableFolder();
  writeFileSync(path, 'no database '.repeat(1_000));
  await expect(openDatabase({ url: fileUrlOf(path) })).rejects.toThrow();
  expect(modeOf(path)).toBe('644');
});

it('warns the operator about every folder that others can read or change, and about no other folder', async () => {
  const path = createPathInReadableFolder();
  await (await openDatabase({ url: fileUrlOf(path) })).close();
  const collectNotices = async (mode: number) => {
    chmodSync(join(path, '..'), mode);
    const database = await openDatabase({ url: fileUrlOf(path) });
    await database.close();
    return database.notices;
  };
  expect(await collectNotices(0o700)).toEqual([]);
  expect(await collectNotices(0o711)).toEqual([]);
  expect(await collectNotices(0o755)).toEqual([
    expect.stringMatching(
      /^Other users of this machine can read the database folder, .*\. Run chmod 700 on it/,
    ),
  ]);
  expect(await collectNotices(0o777)).toEqual([expect.stringContaining('can read and change')]);
  expect(await collectNotices(0o730)).toEqual([expect.stringContaining('can change')]);
});

it('writes backups with access for their owner only', async () => {
  const url = fileUrlOf(createDatabasePath());
  await openTestDatabase({ url });
  const copy = createPathInReadableFolder();
  writeFileSync(`${copy}.unfinished`, 'left by an interrupted backup');
  await backUpDatabase({ url }, copy);
  expect(modeOf(copy)).toBe('600');
});

it('restores a database with access for its owner only, even if the backup and the old database are world-readable', async () => {
  const url = fileUrlOf(createDatabasePath());
  await openTestDatabase({ url });
  const copy = join(createTemporaryFolder(), 'copy.db');
  await backUpDatabase({ url }, copy);
  chmodSync(copy, 0o644);
  const path = createPathInReadableFolder();
  await copyFile(copy, path);
  writeFileSync(`${path}.unfinished`, 'left by an interrupted restore');
  expect(modeOf(path)).toBe('644');
  const { replaced } = await restoreDatabase(copy, { url: fileUrlOf(path) });
  expect([path, replaced ?? ''].map(modeOf)).toEqual(['600', '600']);
  rmSync(path);
  expect(await restoreDatabase(copy, { url: fileUrlOf(path) })).toEqual({ undelivered: 0 });
  expect(modeOf(path)).toBe('600');
  expect(existsSync(`${path}.unfinished`)).toBe(false);
});
