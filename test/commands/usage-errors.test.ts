import { spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../setup/command.ts';

it.each([
  ['build', []],
  ['check', []],
  ['channels', []],
  ['keys', []],
  ['leads', []],
  ['leads', ['list']],
  ['new', []],
  ['new', ['subsite']],
  ['probe', []],
  ['server-json', []],
])(
  'an unknown option of %s (%j) ends with exit code 2, and help with 0',
  async (program, words) => {
    expect(await runCommand(program, [...words, '--no-such-option'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: unknown option/),
    });
    expect(await runCommand(program, [...words, '--help'])).toMatchObject({ code: 0 });
  },
);

it.each([
  ['check', ['one', 'two']],
  ['probe', []],
  ['probe', ['example.com']],
  ['probe', ['https://example.com', '--concurrency', 'many']],
  ['new', ['page']],
  ['leads', ['list', 'dana@example.com', '--older', '2h']],
  ['leads', ['export', '--overwrite']],
  ['leads', ['export', '--out', 'leads.xlsx']],
  ['new', ['subsite', 'Gutter Cleaning']],
  ['new', ['subsite', 'kites', '--registry', 'no-such-folder']],
  ['check', ['no-such-folder']],
  ['check', ['package.json']],
  ['build', ['--other-address']],
  ['channels', ['localhost']],
  ['probe', ['http://127.0.0.1:1', '--build', 'no-such-folder']],
  ['keys', ['verify-receipt', 'no-such-file']],
  ['keys', ['verify-receipt', 'eyJh.eyJh.aaaa', '--public-key', 'no-such-file']],
  ['leads', ['offer', '7QCW-BNA8-E7EL-AFVP', '--amount', '5', '--expires', '2h', '--key', '']],
])('invalid arguments of %s (%j) end with exit code 2', async (program, words) => {
  const { code, stdout, stderr } = await runCommand(program, words);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.trim()).not.toBe('');
});

it.each([
  ['leads', ['list', '--state', 'nope'], /--state .+'nope' is invalid\. Allowed choices are new, /],
  ['leads', ['list', '--older', 'soon'], /--older .+'soon' is invalid\. Use a date/],
  ['leads', ['list', '--limit', '-3'], /--limit .+'-3' is invalid\. Use a whole number/],
  ['leads', ['--bogus', 'list'], /unknown option '--bogus'/],
  ['leads', ['answr', '--help'], /unknown command 'answr'\. See npm run leads -- --help\./],
  ['leads', ['help', 'answr'], /unknown command 'answr'\. See npm run leads -- --help\./],
  ['leads', ['list', '-?'], /unknown option '-\?'/],
  ['keys', ['credit', 'a-key', 'much'], /'amount' .+'much'/],
  ['keys', ['credit', 'a-key', '5', 'more'], /too many arguments/],
])('%s %j says what is wrong and does nothing else', async (command, args, fault) => {
  const { code, stdout, stderr } = await runCommand(command, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^error: .*${fault.source}.*\n$`));
});

it.each([
  [
    'leads',
    ['offer'],
    [/'--amount <number>' not specified/, /'--expires <period>' not specified/, /argument 'lead'/],
  ],
  [
    'leads',
    ['offer', 'X', '--amount', '4,50', '--expires', 'soon', '--payer', 'me', '--from', 'Monday'],
    [/--amount: /, /--payer: Send person/, /--expires: .*48h/, /--from: .*YYYY-MM-DD/],
  ],
  [
    'leads',
    ['offer', 'X', '--amount', '4', '--expires', 'soon', '--key', '1', '--text', ' '],
    [/'--key <key>' argument '1' is invalid/, /--expires: /, /--text: /],
  ],
  ['leads', ['offer', '--expires'], [/'--expires.* missing/, /'--amount/, /argument 'lead'/]],
  ['leads', ['offer', '--expires', 'soon'], [/'--amount/, /'lead'/, /--expires: /]],
  ['leads', ['ask'], [/'--text <text>' not specified/, /argument 'lead'/]],
  ['leads', ['list', '--older', 'soon', '--limit', '-3'], [/--older/, /--limit/]],
  ['leads', ['list', 'Dana', '--older', 'soon'], [/--older/, /Use either a lead or contact/]],
  ['leads', ['list', '--colour', 'red', '--olde', '2h'], [/'--colour'/, /'--olde'.* --older\?/]],
  ['leads', ['export', '--overwrite', '--since', 'soon'], [/--since/, /--overwrite needs --out/]],
  ['leads', ['settle', '--channel', 'fax', 'X'], [/--channel/]],
  ['keys', ['create', '--expires', 'soon'], [/--expires/, /'--scope <scope>'/, /argument 'name'/]],
  ['keys', ['credit', 'a-key', 'much', 'more'], [/too many arguments/, /'much'/]],
  ['probe', ['example.com', '--concurrency', 'many'], [/--concurrency/, /absolute http/]],
  ['channels', ['localhost', '--times', '0'], [/--times/, /absolute http/]],
  ['build', ['--releases', '--rollback', 'x', '--other'], [/--other'.*--other-address\?/]],
  ['build', ['--releases', '--other-address'], [/Use --other-address together/]],
])('%s %j reports every mistake at once', async (command, args, faults) => {
  const { code, stdout, stderr } = await runCommand(command, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toEqual(
    faults.map((fault) => expect.stringMatching(new RegExp(`^error: .*${fault.source}`)) as string),
  );
});

it.each([
  ['keys', 'rotate', 'Did you mean rotate-links?'],
  ['keys', 'creat', 'Did you mean create?'],
  ['leads', 'delete', 'Did you mean one of delete-link, delete-storefront, delete-question?'],
  ['leads', 'unknown', 'See npm run leads -- --help.'],
  ['new', 'subsit', 'Did you mean subsite?'],
  ['new', 'gutter', 'Did you mean npm run new -- subsite gutter?'],
])('%s advises about the unknown command %s: %s', async (command, word, advice) => {
  const { code, stderr } = await runCommand(command, [word]);
  expect(code).toBe(2);
  expect(stderr).toBe(`error: unknown command '${word}'. ${advice}\n`);
});

/** Options that npm does not pass on: it reads them as its log level or does not export them. */
const INVISIBLE_OPTIONS = [
  'verbose',
  'quiet',
  'key',
  'before',
  'description',
  'expires',
  'registry',
];

const listWords = (help: string, pattern: RegExp): string[] =>
  [...help.matchAll(pattern)].map(([, word = '']) => word);

/** The environment of a script that npm runs with options before `--`. */
const createNpmEnvironment = (script: string, names: readonly string[], value = 'true') => ({
  npm_lifecycle_event: script,
  ...Object.fromEntries(names.map((name) => [`npm_config_${name.replaceAll('-', '_')}`, value])),
});

const SCRIPTS = ['build', 'check', 'channels', 'keys', 'leads', 'new', 'probe', 'server-json'];

it.each(SCRIPTS)('%s refuses every option that npm took because -- is missing', async (script) => {
  const { stdout: help } = await runCommand(script, ['--help']);
  const commands = listWords(help.split('\nCommands:\n')[1] ?? '', /^ {2}([a-z-]+)/gm).filter(
    (name) => name !== 'help',
  );
  let options = 0;
  for (const command of [undefined, ...commands]) {
    const words = command === undefined ? [] : [command];
    const { stdout } = await runCommand(script, [...words, '--help']);
    for (const name of listWords(stdout, /^ {2}(?:-\w, )?--([a-z-]+)/gm)) {
      if (name === 'help' || INVISIBLE_OPTIONS.includes(name)) continue;
      options += 1;
      const result = await runCommand(script, words, createNpmEnvironment(script, [name]));
      expect(result).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toMatch(
        new RegExp(`^npm did not pass on --${name}\\..+Run npm run ${script} -- .*--${name}\\b`),
      );
    }
  }
  expect(options > 0 || script === 'new').toBe(true);
});

it.each([
  [
    'leads',
    ['import', 'it is.csv'],
    createNpmEnvironment('leads', ['dryrun']),
    "npm did not pass on --dry-run. Nothing was done. Run npm run leads -- import 'it is.csv' --dry-run\n",
  ],
  [
    'leads',
    ['list', '1'],
    createNpmEnvironment('leads', ['waiting', 'limit']),
    'npm did not pass on --waiting, --limit. Nothing was done. Run npm run leads -- list … --waiting --limit <count>\n',
  ],
  [
    'leads',
    ['list'],
    createNpmEnvironment('leads', ['limit'], '5'),
    'npm did not pass on --limit. Nothing was done. Run npm run leads -- list --limit=5\n',
  ],
  [
    'build',
    ['20261127T1'],
    createNpmEnvironment('build', ['rollback']),
    'npm did not pass on --rollback. Nothing was done. Run npm run build -- … --rollback [release]\n',
  ],
  [
    'build',
    [],
    createNpmEnvironment('build', ['rollback']),
    'npm did not pass on --rollback. Nothing was done. Run npm run build -- --rollback [release]\n',
  ],
  [
    'build',
    [],
    createNpmEnvironment('build', ['dry-run']),
    'npm did not pass on --dry-run. Nothing was done. Run npm run build -- --dry-run\n',
  ],
])(
  '%s %j without -- is answered with the right command',
  async (script, words, settings, stderr) => {
    expect(await runCommand(script, words, settings)).toEqual({ code: 2, stdout: '', stderr });
  },
);

it('leads stats --help names its default once', async () => {
  const { stdout } = await runCommand('leads', ['stats', '--help']);
  expect(stdout.match(/default:/g)).toHaveLength(1);
});

it('ignores the rest of npm’s configuration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'npmrc-'));
  await writeFile(join(folder, 'npmrc'), '; mine\njson = true\nregistry=https://npm.example/\n');
  for (const settings of [
    createNpmEnvironment('test', ['json']),
    createNpmEnvironment('check', ['json'], ''),
    createNpmEnvironment('new', ['registry'], 'https://npm.example/'),
    { ...createNpmEnvironment('check', ['json']), npm_config_userconfig: join(folder, 'npmrc') },
    createNpmEnvironment('check', [
      'yes',
      'audit',
      'fund',
      'ignore-scripts',
      'loglevel',
      'all',
      'force',
    ]),
  ])
    expect(
      await runCommand(
        settings.npm_lifecycle_event === 'new' ? 'new' : 'check',
        ['--help'],
        settings,
      ),
    ).toMatchObject({ code: 0 });
  expect(
    await runCommand('check', ['--json', '--help'], createNpmEnvironment('check', ['json'])),
  ).toMatchObject({ code: 0 });
});

it('npm itself passes on the options that it took because -- was missing, and nothing else', async () => {
  const run = (...args: string[]) =>
    spawnSync('npm', ['run', ...args], { encoding: 'utf8', env: { ...process.env, CI: 'true' } });
  const { status, stderr } = run('leads', 'import', 'z.csv', '--dry-run');
  expect(stderr).toContain('Run npm run leads -- import z.csv --dry-run');
  expect(status).toBe(2);
  expect(run('-s', 'leads', '--', '--help').status).toBe(0);
});
