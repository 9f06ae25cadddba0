import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'frontage-settings-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command in a folder with this `.env`, and without settings in the environment. */
function runWithFile(text: string, command: readonly string[]): [number | null, string] {
  writeFileSync(join(folder, '.env'), text);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve('src/cli/run.js'), ...command],
    { cwd: folder, encoding: 'utf8', env: { PATH, NODE_COMPILE_CACHE } },
  );
  return [status, stdout + stderr];
}

const commands = [
  ['start'],
  ['build'],
  ['check'],
  ['check', 'registry'],
  ['new', 'subsite', 'kites'],
  ['leads', 'list'],
  ['leads', '--quiet', 'list'],
  ['keys', 'list'],
  ['channels', 'http://127.0.0.1:1'],
  ['probe', 'http://127.0.0.1:1'],
  ['server-json'],
];

const INVALID_LINE = ['PORT 1\n', '.env:1: this is not a setting. Use NAME=value.\n'] as const;
const MISSPELLED_SETTINGS = [
  '# settings\nDATABSE_URL=file:a.db\nPORTT=1\n',
  '.env:2: DATABSE_URL is not a setting. Did you mean DATABASE_URL?\n.env:3: PORTT is not a setting. Did you mean PORT?\n',
] as const;

// One function reads the lines and then looks for misspelled settings, so a command that reports
// the latter also reports the former.
it.each([
  ...commands.map((command) => [command, 'misspelled settings', ...MISSPELLED_SETTINGS] as const),
  [['start'], 'an invalid line', ...INVALID_LINE] as const,
  [['leads', 'list'], 'an invalid line', ...INVALID_LINE] as const,
])('npm run %j stops at %s in .env with only the error', (command, _, text, message) => {
  const [status, output] = runWithFile(text, command);
  expect(output).toBe(message);
  expect(status).toBeOneOf([1, 2]);
  expect(readdirSync(folder), 'nothing is written').toEqual(['.env']);
});
