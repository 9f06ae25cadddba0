import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const MODULE_URL = pathToFileURL('db/write-access.ts').href;

/** The notices about a file for a user without root privileges. */
function findNotices(file: string): unknown {
  const script = `const { findWriteAccessNotices } = await import(${JSON.stringify(MODULE_URL)}); console.log(JSON.stringify(findWriteAccessNotices(${JSON.stringify(file)})))`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { encoding: 'utf8', ...user },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('a database file without write access is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'write-access-'));
  chmodSync(folder, 0o777);
  const file = join(folder, 'leads.db');
  writeFileSync(file, '');
  chmodSync(file, 0o666);
  expect(findNotices(file)).toEqual([]);
  chmodSync(file, 0o444);
  expect(findNotices(file)).toEqual([
    expect.stringContaining(`The database ${file} cannot be written to (EACCES), so no request`),
  ]);
});
