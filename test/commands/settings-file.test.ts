import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { CommandResult } from '../setup/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-settings-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program in a folder with this `.env`, and without settings in the environment. */
function runWithFile(text: string, program: string, args: readonly string[]) {
  writeFileSync(join(folder, '.env'), text);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawnSync(process.execPath, [resolve(program), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, NODE_COMPILE_CACHE },
  });
}

const INVALID_LINE = ['PORT 1\n', '.env:1: this is not a setting. Use NAME=value.\n'] as const;
const MISSPELLED_SETTINGS = [
  '# settings\nDATABSE_URL=file:a.db\nPORTT=1\n',
  '.env:2: DATABSE_URL is not a setting. Did you mean DATABASE_URL?\n.env:3: PORTT is not a setting. Did you mean PORT?\n',
] as const;

// One function reads the lines and then looks for misspelled settings, so a command that reports
// the latter also reports the former.
it.each([
  [['start'], 'misspelled settings', ...MISSPELLED_SETTINGS] as const,
  [['start'], 'an invalid line', ...INVALID_LINE] as const,
  [['leads', 'list'], 'an invalid line', ...INVALID_LINE] as const,
])('npm run %j stops at %s in .env with only the error', (command, _, text, message) => {
  const { status, stdout, stderr } = runWithFile(text, 'src/cli/run.js', command);
  expect(stdout + stderr).toBe(message);
  expect(status).toBeOneOf([1, 2]);
  expect(readdirSync(folder), 'nothing is written').toEqual(['.env']);
});

it('an invalid setting is reported with its line in .env', () => {
  const { stdout, stderr, status } = runWithFile('# settings\nPORT=all\n', 'src/cli/run.js', [
    'start',
  ]);
  expect(stdout + stderr).toMatch(/^\.env:2: PORT: expected .*, not "all"\.\n$/);
  expect(status).toBeOneOf([1, 2]);
});

// A process imports each command once.
it.each([
  [
    ['build'],
    ['check'],
    ['new', 'subsite', 'kites'],
    ['leads', 'list'],
    ['keys', 'list'],
    ['channels', 'http://127.0.0.1:1'],
    ['probe', 'http://127.0.0.1:1'],
    ['server-json'],
  ],
  [
    ['check', 'registry'],
    ['leads', '--quiet', 'list'],
  ],
])('%j … stop at misspelled settings in .env with only the error', (...commands) => {
  const [text, message] = MISSPELLED_SETTINGS;
  const { stdout, stderr } = runWithFile(text, 'test/commands/setup/run-commands.ts', [
    JSON.stringify(commands),
  ]);
  expect(stderr).toBe('');
  const results = JSON.parse(stdout) as CommandResult[];
  for (const [index, result] of results.entries())
    expect([commands[index], result.stdout + result.stderr, result.code]).toEqual([
      commands[index],
      message,
      expect.toBeOneOf([1, 2]),
    ]);
  expect(results.length).toBe(commands.length);
  expect(readdirSync(folder), 'nothing is written').toEqual(['.env']);
});
