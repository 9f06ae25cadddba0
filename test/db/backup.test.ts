import { readdirSync, writeFileSync } from 'node:fs';
import fs, { copyFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../db/backup.ts';
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
  createTemporaryFolder,
} from './setup/database.ts';

it('backs up a database under load, and restores every acknowledged row', async () => {
  const path = createDatabasePath();
  const writer = runChild('write-program', [fileUrlOf(path), 'row', '30', '16']);
  await writer.waitForLines(200);
  const tokensBefore = [...writer.lines];
  const copy = join(createTemporaryFolder(), 'copy.db');
  // In separate processes, like operator commands: a closed connection keeps its file until it is
  // garbage-collected.
  expect(await runChild('copy-program', ['back up', fileUrlOf(path), copy]).ended).toBe(0);
  const lineCount = writer.lines.length;
  await writer.waitForLines(lineCount + 1);
  writer.process.kill('SIGKILL');
  await writer.ended;

  expect(await runChild('copy-program', ['restore', fileUrlOf(path), copy]).ended).toBe(0);
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  const stored = await readTokensInFile(path);
  expect(findLostTokens(tokensBefore, stored)).toEqual([]);
  expect(await database.reader.$count(shareLinks)).toBe(stored.size);
  await database.writer.insert(shareLinks).values(link('after'));
});

it('restores over a damaged database and keeps the replaced files', async () => {
  const path = createDatabasePath();
  const database = await openDatabase({ url: fileUrlOf(path) });
  await database.writer.insert(shareLinks).values(link('kept'));
  const copy = join(createTemporaryFolder(), 'copy.db');
  await backUpDatabase({ url: fileUrlOf(path) }, copy);
  await database.close();
  writeFileSync(path, 'damaged '.repeat(1_000));
  await restoreDatabase(copy, { url: fileUrlOf(path) });
  expect([...(await readTokensInFile(path))]).toEqual(['kept']);
  expect(readdirSync(join(path, '..'))).toContain('frontage.db.replaced');
});

it('leaves the database in place if it stops before the backup replaces it', async () => {
  const originalOptions = { url: fileUrlOf(createDatabasePath()) };
  const database = await openTestDatabase(originalOptions);
  const copy = join(createTemporaryFolder(), 'copy.db');
  await backUpDatabase(originalOptions, copy);
  await database.writer.insert(shareLinks).values(link('current'));
  const path = createDatabasePath();
  await backUpDatabase(originalOptions, path);
  const { rename } = fs;
  const setRename = (replacement: typeof rename) => {
    fs.rename = replacement;
    syncBuiltinESMExports();
  };
  setRename(async (from, to) => {
    if (to === path) throw new Error('The power failed.');
    await rename(from, to);
  });
  try {
    await expect(restoreDatabase(copy, { url: fileUrlOf(path) })).rejects.toThrow(
      'The power failed.',
    );
  } finally {
    setRename(rename);
  }
  expect([...(await readTokensInFile(path))]).toEqual(['current']);
});

it('keeps every database that a restore replaced', async () => {
  const copiesFolder = createTemporaryFolder();
  const tokens = ['first', 'second', 'third', 'fourth'];
  for (const token of tokens) {
    const url = fileUrlOf(createDatabasePath());
    const database = await openTestDatabase({ url });
    await database.writer.insert(shareLinks).values(link(token));
    await backUpDatabase({ url }, join(copiesFolder, token));
  }
  // A file that this process has never opened: a closed connection keeps its file until it is
  // garbage-collected.
  const path = createDatabasePath();
  await copyFile(join(copiesFolder, 'fourth'), path);
  const replacedPath: string[] = [];
  for (const token of tokens.slice(0, 3))
    replacedPath.push(
      (await restoreDatabase(join(copiesFolder, token), { url: fileUrlOf(path) })).replaced!,
    );
  expect(new Set(replacedPath).size).toBe(3);
  expect([...(await readTokensInFile(path))]).toEqual(['third']);
  expect(
    await Promise.all(replacedPath.map(async (name) => [...(await readTokensInFile(name))])),
  ).toEqual([['fourth'], ['first'], ['second']]);
});

it('refuses to restore while the database is in use, and changes nothing', async () => {
  const path = createDatabasePath();
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  const copy = join(createTemporaryFolder(), 'copy.db');
  await backUpDatabase({ url: fileUrlOf(path) }, copy);
  await database.writer.insert(shareLinks).values(link('later'));
  await expect(restoreDatabase(copy, { url: fileUrlOf(path) })).rejects.toThrow(
    'stop every server',
  );
  await database.writer.insert(shareLinks).values(link('later still'));
  expect([...(await readTokensInFile(path))]).toEqual(['later', 'later still']);
});

it('rejects an invalid backup, an existing target, and a missing database', async () => {
  const path = createDatabasePath();
  await (await openDatabase({ url: fileUrlOf(path) })).close();
  const text = join(createTemporaryFolder(), 'text.db');
  writeFileSync(text, 'no database '.repeat(1_000));
  await expect(restoreDatabase(text, { url: fileUrlOf(path) })).rejects.toMatchObject({
    name: 'BackupError',
  });
  await expect(restoreDatabase(`${text}.none`, { url: fileUrlOf(path) })).rejects.toMatchObject({
    name: 'BackupError',
  });
  await expect(backUpDatabase({ url: fileUrlOf(path) }, text)).rejects.toMatchObject({
    name: 'BackupError',
  });
  await expect(
    backUpDatabase({ url: fileUrlOf(createDatabasePath()) }, `${text}.new`),
  ).rejects.toMatchObject({ name: 'DatabaseUnavailableError' });
  // The error concerns the path, not the database.
  const missing = join(createTemporaryFolder(), 'none');
  for (const [folder, problem] of [
    [missing, `The folder ${missing} does not exist; `],
    [text, `${text} is not a folder; `],
  ] as const)
    await expect(
      backUpDatabase({ url: fileUrlOf(path) }, join(folder, 'x.db')),
    ).rejects.toMatchObject({
      name: 'BackupError',
      message: expect.stringContaining(problem),
    });
  await expect(backUpDatabase({ url: 'http://127.0.0.1:1' }, `${text}.new`)).rejects.toMatchObject({
    name: 'BackupError',
  });
});
