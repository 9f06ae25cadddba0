import { readdirSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../db/backup.ts';
import { fileUrl } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { shareLinks } from '../../db/schema.ts';
import { runChild } from './setup/child-process.ts';
import {
  link,
  lost,
  openForTest,
  storedIn,
  temporaryFile,
  temporaryFolder,
} from './setup/database.ts';

it('backs up a database under load, and restores every acknowledged row', async () => {
  const path = temporaryFile();
  const writer = runChild('write-program', [fileUrl(path), 'row', '30', '16']);
  await writer.waitForLines(200);
  const tokensBefore = [...writer.lines];
  const copy = join(temporaryFolder(), 'copy.db');
  // In separate processes, like operator commands: a closed connection keeps its file until it is
  // garbage-collected.
  expect(await runChild('copy-program', ['back up', fileUrl(path), copy]).ended).toBe(0);
  const lineCount = writer.lines.length;
  await writer.waitForLines(lineCount + 1);
  writer.process.kill('SIGKILL');
  await writer.ended;

  expect(await runChild('copy-program', ['restore', fileUrl(path), copy]).ended).toBe(0);
  const database = await openForTest({ url: fileUrl(path) });
  const stored = await storedIn(path);
  expect(lost(tokensBefore, stored)).toEqual([]);
  expect(await database.reader.$count(shareLinks)).toBe(stored.size);
  await database.writer.insert(shareLinks).values(link('after'));
});

it('restores over a damaged database and keeps the replaced files', async () => {
  const path = temporaryFile();
  const database = await openDatabase({ url: fileUrl(path) });
  await database.writer.insert(shareLinks).values(link('kept'));
  const copy = join(temporaryFolder(), 'copy.db');
  await backUpDatabase({ url: fileUrl(path) }, copy);
  await database.close();
  writeFileSync(path, 'damaged '.repeat(1_000));
  await restoreDatabase(copy, { url: fileUrl(path) });
  expect([...(await storedIn(path))]).toEqual(['kept']);
  expect(readdirSync(join(path, '..'))).toContain('frontage.db.replaced');
});

it('keeps every database that a restore replaced', async () => {
  const copies = temporaryFolder();
  const tokens = ['first', 'second', 'third', 'fourth'];
  for (const token of tokens) {
    const url = fileUrl(temporaryFile());
    const database = await openForTest({ url });
    await database.writer.insert(shareLinks).values(link(token));
    await backUpDatabase({ url }, join(copies, token));
  }
  // A file that this process has never opened: a closed connection keeps its file until it is
  // garbage-collected.
  const path = temporaryFile();
  await copyFile(join(copies, 'fourth'), path);
  const replacedPath: string[] = [];
  for (const token of tokens.slice(0, 3))
    replacedPath.push(
      (await restoreDatabase(join(copies, token), { url: fileUrl(path) })).replaced!,
    );
  expect(new Set(replacedPath).size).toBe(3);
  expect([...(await storedIn(path))]).toEqual(['third']);
  expect(await Promise.all(replacedPath.map(async (name) => [...(await storedIn(name))]))).toEqual([
    ['fourth'],
    ['first'],
    ['second'],
  ]);
});

it('refuses to restore while the database is in use, and changes nothing', async () => {
  const path = temporaryFile();
  const database = await openForTest({ url: fileUrl(path) });
  const copy = join(temporaryFolder(), 'copy.db');
  await backUpDatabase({ url: fileUrl(path) }, copy);
  await database.writer.insert(shareLinks).values(link('later'));
  await expect(restoreDatabase(copy, { url: fileUrl(path) })).rejects.toThrow('stop every server');
  await database.writer.insert(shareLinks).values(link('later still'));
  expect([...(await storedIn(path))]).toEqual(['later', 'later still']);
});

it('rejects an invalid backup, an existing target, and a missing database', async () => {
  const path = temporaryFile();
  await (await openDatabase({ url: fileUrl(path) })).close();
  const text = join(temporaryFolder(), 'text.db');
  writeFileSync(text, 'no database '.repeat(1_000));
  await expect(restoreDatabase(text, { url: fileUrl(path) })).rejects.toMatchObject({
    name: 'BackupError',
  });
  await expect(restoreDatabase(`${text}.none`, { url: fileUrl(path) })).rejects.toMatchObject({
    name: 'BackupError',
  });
  await expect(backUpDatabase({ url: fileUrl(path) }, text)).rejects.toMatchObject({
    name: 'BackupError',
  });
  await expect(
    backUpDatabase({ url: fileUrl(temporaryFile()) }, `${text}.new`),
  ).rejects.toMatchObject({ name: 'DatabaseUnavailableError' });
  // The error concerns the path, not the database.
  const missing = join(temporaryFolder(), 'none');
  for (const [folder, problem] of [
    [missing, `The folder ${missing} does not exist; `],
    [text, `${text} is not a folder; `],
  ] as const)
    await expect(
      backUpDatabase({ url: fileUrl(path) }, join(folder, 'x.db')),
    ).rejects.toMatchObject({
      name: 'BackupError',
      message: expect.stringContaining(problem),
    });
  await expect(backUpDatabase({ url: 'http://127.0.0.1:1' }, `${text}.new`)).rejects.toMatchObject({
    name: 'BackupError',
  });
});
