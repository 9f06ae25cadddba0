import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { fileUrlOf } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { lockForServer } from '../../db/server-lock.ts';
import { createTemporaryFolder } from './setup/database.ts';

it('a folder, and a path below a file, are rejected with the path and a fix, and nothing is created', async () => {
  const folder = createTemporaryFolder();
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'notes'), '');
  for (const [path, problem] of [
    [join(folder, 'data'), `${folder}/data is a folder; set DATABASE_URL to a file in it.`],
    [
      join(folder, 'notes/a/x.db'),
      `${folder}/notes is a file, not a folder, so it cannot contain ${folder}/notes/a/x.db; set DATABASE_URL to another path.`,
    ],
  ] as const) {
    const url = fileUrlOf(path);
    for (const open of [
      () => openDatabase({ url }),
      () => openDatabase({ url, mustExist: true }),
      () => lockForServer({ url }),
    ])
      await expect(open()).rejects.toMatchObject({
        name: 'DatabaseUnavailableError',
        reason: 'unreachable',
        message: `The database cannot be opened: ${problem}`,
      });
  }
  expect(readdirSync(folder).sort()).toEqual(['data', 'notes']);
});

it('a missing folder is rejected with the command that creates it, and is created only on request', async () => {
  const folder = createTemporaryFolder();
  const path = join(folder, 'missing/a/frontage.db');
  const url = fileUrlOf(path);
  for (const open of [() => openDatabase({ url }), () => lockForServer({ url })])
    await expect(open()).rejects.toMatchObject({
      reason: 'unreachable',
      message: `The database cannot be opened: there is no folder ${folder}/missing/a; correct DATABASE_URL, or create the folder for a new database: mkdir -p -m 700 '${folder}/missing/a'.`,
    });
  await expect(openDatabase({ url, mustExist: true })).rejects.toMatchObject({ reason: 'missing' });
  expect(readdirSync(folder)).toEqual([]);
  await (await openDatabase({ url, createsFolder: true })).close();
  expect(readdirSync(join(folder, 'missing/a'))).toContain('frontage.db');
});

/** The error for a user without root privileges; empty if the path is usable. */
function findProblem(path: string): string {
  const module = pathToFileURL('db/usable-path.ts').href;
  const script = `const { requireUsablePath } = await import(${JSON.stringify(module)});
    try { requireUsablePath(${JSON.stringify(path)}, true); } catch ({ message }) { console.log(message); }`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { encoding: 'utf8', ...user },
  );
  expect(stderr).toBe('');
  return stdout.trim();
}

it('a path that this user cannot read is rejected with the file or folder that denies access', () => {
  const folder = createTemporaryFolder();
  chmodSync(folder, 0o755);
  const [inner, file] = [join(folder, 'inner'), join(folder, 'x.db')];
  mkdirSync(inner, { mode: 0o755 });
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  for (const path of [file, join(inner, 'a/x.db')]) expect(findProblem(path)).toBe('');
  chmodSync(inner, 0o000);
  chmodSync(file, 0o000);
  for (const [path, denied] of [
    [file, file],
    [join(inner, 'a/x.db'), inner],
  ] as const)
    expect(findProblem(path)).toBe(
      `The database cannot be opened: this user has no permission to read ${denied}; grant it, or run the program as another user.`,
    );
});
