import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { deliveries, deliveryAttempts } from '../../db/schema-deliveries.ts';
import { outbox } from '../../db/schema.ts';
import type { ImportReport } from '../../src/leads/submit/import-leads.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { mountSmallDisk } from '../db/setup/small-disk.ts';
import { createLeadFilter } from '../../src/cli/leads/options.ts';
import { formatReference } from '../../src/site/words/words.ts';
import { createTestSite, openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { getBundledProgram } from '../setup/bundled-program.ts';
import { runCommand } from '../setup/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-leads-'));
const url = `file:${join(folder, 'leads.db')}`;

/** A small registry, because each command reads and checks all of it, with an action that imports. */
function makeRegistry(): string {
  const path = join(folder, 'registry');
  cpSync('test/fixtures/network-of-four', path, { recursive: true });
  const edit = (from: string, to: string, pattern: RegExp, replacement: string) =>
    writeFileSync(join(path, to), readFileSync(from, 'utf8').replace(pattern, replacement));
  edit(join(path, 'network.yaml'), 'network.yaml', /(?<=^timeZone: ).*/m, 'America/New_York');
  const { name } = listActions(sites[0]!.site).find(
    ({ action }) => action.effect?.kind === 'import',
  )!.subsite;
  const file = `subsites/${name}.yaml`;
  edit(join('registry', file), file, /(?<=^mcpTools: ).*/m, '[get_subsite_info]');
  return path;
}
const registry = makeRegistry();
const site = createTestSite(loadRegistry(registry));
const importAction = listActions(site).find(({ action }) => action.effect?.kind === 'import')!;
const keyField = (importAction.action.effect as { keyField: string }).keyField;
const zipAction = listActions(site).find(
  ({ action }) => !action.effect && Object.values(action.fields).some(({ type }) => type === 'zip'),
)!;
const zipField = Object.keys(zipAction.action.fields).find(
  (name) => zipAction.action.fields[name]!.type === 'zip',
)!;

const body = {
  subsite: zipAction.subsite.name,
  action: zipAction.action.verb,
  fields: { ...exampleValuesOf(zipAction.action.fields), [zipField]: '02139' },
  contact: { name: '=HYPERLINK("http://x.example","y")', email: 'dana@example.com' },
};
const backup = join(folder, 'backup.db');
const disk = mountSmallDisk();
if (!disk)
  process.stdout.write('skipped: full disk (only a user who may mount a disk can run this test)\n');

const searchHint =
  ' To find a lead by part of its reference or contact: npm run leads -- list <part>';

/** Starts a process that submits a lead and keeps the database open, like a server. */
async function serve(database: string) {
  const child = spawn(
    process.execPath,
    [await getBundledProgram('test/leads/setup/lead-server.ts'), database, JSON.stringify(body)],
    { env: { ...process.env, ...settings }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  return {
    token: String((await once(child.stdout, 'data'))[0]).trim(),
    async end() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

let servingProcess: Awaited<ReturnType<typeof serve>>;
let reference: string;
let token: string;

beforeAll(async () => {
  servingProcess = await serve(url);
  ({ token } = servingProcess);
  reference = (JSON.parse((await leads('list', '--json')).stdout) as { reference: string }[])[0]!
    .reference;
});
afterAll(async () => {
  await servingProcess.end();
  disk?.remove();
  rmSync(folder, { recursive: true });
});

const settings = { DATABASE_URL: url, REGISTRY_DIR: registry, LOG_LEVEL: 'silent' };

/** Runs `npm run leads -- …` in this process. */
const leads = (...args: string[]) => run('leads', args);

const run = (program: 'leads' | 'keys', args: string[]) =>
  runCommand(program, ['--quiet', ...args], settings);

/** Runs `npm run leads -- …` in a separate process; with `listens: false`, its output is closed. */
async function runProcess(
  args: string[],
  { readsOutput = true, settings: commandSettings = settings } = {},
) {
  const program = await getBundledProgram('src/cli/leads.ts');
  const child = spawn(process.execPath, [program, '--quiet', ...args], {
    env: { ...process.env, ...commandSettings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (!readsOutput) child.stdout.destroy();
  const [stdout, stderr] = await Promise.all([
    readsOutput ? text(child.stdout) : '',
    text(child.stderr),
  ]);
  return { code: await code, stdout, stderr };
}

const write = (name: string, content: string | Buffer) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

describe('npm run leads', () => {
  it('runs at a lower priority than a server on the same machine', async () => {
    const child = spawn(process.execPath, ['src/cli/run.js', 'leads', '--help'], {
      env: {
        ...process.env,
        NODE_OPTIONS:
          "--import=data:text/javascript,import{getPriority}from'node:os';process.on('exit',()=>console.error(getPriority()))",
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const { PRIORITY_BELOW_NORMAL } = constants.priority;
    expect(Number(await text(child.stderr))).toBe(Math.max(getPriority(), PRIORITY_BELOW_NORMAL));
  });

  it('shows its usage with examples, and exits with 2 on a usage error', async () => {
    const [help, unknown, state, nothing] = await Promise.all([
      leads('--help'),
      leads('frobnicate'),
      leads('list', '--state', 'happy'),
      leads('redeliver'),
    ]);
    expect(help).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Examples:\n {2}npm run leads/),
    });
    for (const { code, stderr } of [unknown, state, nothing]) {
      expect(code).toBe(2);
      expect(stderr).toMatch(/^error: /);
    }
  });

  it.each(['leads', 'keys'] as const)(
    'has examples in the help of every %s command, with -s where a program reads the output',
    async (program) => {
      const { stdout } = await run(program, ['--help']);
      const names = [
        ...stdout
          .slice(stdout.indexOf('\nCommands:'))
          .split('\n\n')[0]!
          .matchAll(/^ {2}([a-z-]+) /gm),
      ]
        .map(([, name]) => name!)
        .filter((name) => name !== 'help');
      expect(names.length).toBeGreaterThan(5);
      const helpTexts = [stdout];
      for (const name of names) helpTexts.push((await run(program, [name, '--help'])).stdout);
      for (const [index, help] of helpTexts.entries()) {
        const examples =
          help.slice(help.indexOf('\nExamples:\n')).match(/^ {2}npm run .*$/gm) ?? [];
        expect(examples.length, names[index - 1]).toBeGreaterThan(0);
        if (index)
          for (const example of examples)
            expect(example).toMatch(
              new RegExp(`^ {2}npm run (?:-s )?${program} -- ${names[index - 1]}(?: |$)`),
            );
        expect(
          examples.filter(
            (example) => /--json|\|/.test(example) && !example.startsWith('  npm run -s '),
          ),
        ).toEqual([]);
      }
    },
  );

  it('prints JSON on request', async () => {
    const [jsonExport, jsonlExport] = await Promise.all([
      leads('--json', 'export'),
      leads('--json', 'export', '--format', 'jsonl'),
    ]);
    expect(JSON.parse(jsonExport.stdout)).toMatchObject([{ reference }]);
    expect(JSON.parse(jsonlExport.stdout)).toMatchObject({ reference });
    const file = join(folder, 'leads.jsonl');
    expect((await leads('export', '--out', file)).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ reference });
  });

  it('has the same output and exit code as a process, and ends quietly when its output is closed', async () => {
    const [shown, missing, usageFailure, closed] = await Promise.all([
      runProcess(['show', reference, '--json']),
      runProcess(['show', 'nothing']),
      runProcess(['frobnicate']),
      runProcess(['export'], { readsOutput: false }),
    ]);
    expect(shown).toEqual(await leads('show', reference, '--json'));
    expect(missing).toEqual(await leads('show', 'nothing'));
    expect(usageFailure).toEqual(await leads('frobnicate'));
    expect([shown, missing, usageFailure].map(({ code }) => code)).toEqual([0, 1, 2]);
    expect(closed).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('explains an invalid name or date and suggests a valid one', async () => {
    const [subsite, unrelatedSubsite, action, day] = await Promise.all([
      leads('list', '--subsite', `${zipAction.subsite.name}x`),
      leads('list', '--subsite', '0123456789'),
      leads('export', '--action', `${zipAction.action.verb}x`),
      leads('list', '--since', '2026-02-31'),
    ]);
    expect(subsite).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `--subsite: no such subsite. Did you mean ${zipAction.subsite.name}?\n`,
    });
    expect(unrelatedSubsite).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        `^--subsite: no such subsite\\. Use one of .*\\b${zipAction.subsite.name}\\b.*\\.\n$`,
      ),
    });
    expect(action).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `--action: no such action. Did you mean ${zipAction.action.verb}?\n`,
    });
    expect(day).toMatchObject({ code: 2, stderr: expect.stringContaining('Use a date') });
    expect(await leads('list', '--since', '2027-02-01', '--before', '2027-01-01')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Use an earlier --since or a later --before'),
    });
  });

  it('reports all faults of a filter at once', async () => {
    const times = ['--since', '2027-02-01', '--before', '2027-01-01'];
    expect(
      await leads('list', '--subsite', '0123456789', '--action', '0123456789', ...times),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^--subsite: no such subsite.*\n--action: no such action.*\nThe period is empty: .*\n$/,
      ),
    });
  });

  it('says why nothing was settled', async () => {
    const hint = 'npm run leads -- list --undelivered lists the leads with undelivered messages.';
    for (const [args, reason] of [
      [['--given-up'], 'No message has failed for good.'],
      [['--channel', 'webhook'], 'There are no undelivered messages for the channel webhook.'],
      [[reference], 'Some messages have not been planned yet: check that the server is running.'],
      [
        [reference, '--unaddressed'],
        'No undelivered message matches every option and lead\\. Some messages have not been planned yet: .*',
      ],
    ] as const)
      expect((await leads('settle', ...args)).stdout).toMatch(
        new RegExp(`^Settled: 0\\. ${reason} ${hint}\n$`),
      );
  });

  it('reads dates in the network’s time zone, and times only with an offset', async () => {
    const { context } = await openFixture(site);
    const filterOf = async (options: object) => {
      const { since, before } = await createLeadFilter(options, context);
      return { since, before };
    };
    expect(site.registry.network.timeZone).toBe('America/New_York');
    expect(await filterOf({ since: '2027-01-01', before: '2027-07-01' })).toEqual({
      since: '2027-01-01T05:00:00.000Z',
      before: '2027-07-01T04:00:00.000Z',
    });
    expect(
      await filterOf({ since: '2027-01-31T10:00-05:00', newer: '2027-01-31T14:00:00.000Z' }),
    ).toEqual({ since: '2027-01-31T15:00:00.000Z', before: undefined });
    for (const [program, ...args] of [
      ['leads', 'list', '--since', '2027-01-31T10:00'],
      ['keys', 'create', 'Agent', '--scope', '*', '--expires', '2027-06-30T10:00'],
    ] as const)
      expect(await run(program, args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('a time with its offset'),
      });
    const created = await run('keys', [
      ...['create', 'Agent', '--scope', 'inbox', '--json', '--expires', '2099-06-30'],
    ]);
    expect(JSON.parse(created.stdout)).toMatchObject({ expiresAt: '2099-07-01T04:00:00.000Z' });
    expect((await leads('list')).stdout).toMatch(/ \d{4}-\d\d-\d\d \d\d:\d\d E[SD]T /);
    expect((await run('keys', ['list'])).stdout).toMatch(
      /^  created   \d{4}-\d\d-\d\d \d\d:\d\d E[SD]T\n  expires   2099-07-01 00:00 EDT$/m,
    );
  });

  it('names the path of a missing file or folder, and an action that does not support imports', async () => {
    const file = join(folder, 'none.csv');
    expect(await leads('import', file)).toMatchObject({
      code: 2,
      stderr: `${file}: There is no such file or folder. Check the path.\n`,
    });
    const missingFolder = join(folder, 'none');
    expect(await leads('export', '--out', join(missingFolder, 'leads.csv'))).toMatchObject({
      code: 2,
      stderr: `There is no folder ${missingFolder}. Check the path, or create the folder.\n`,
    });
    expect(await leads('import', join(folder, 'none.csv'), '--action', 'a.b')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^a\.b accepts no imports\. Choose another action with --action: /,
      ),
    });
  });

  it.each([
    ['leads', ['offer', '<lead>', '--amount', '$450', '--expires', '48h']],
    ['leads', ['offer', '<lead>', '--amount', '450', '--expires', 'tomorrow']],
    ['leads', ['offer', '<lead>', '--amount', '450', '--expires', '2h', '--payer', 'nobody']],
    ['leads', ['offer', '<lead>', '--amount', '450', '--expires', '2h', '--currency', 'dollars']],
    ['leads', ['ask', '<lead>']],
    ['leads', ['reply', '<lead>']],
    ['leads', ['acknowledge', '<lead>', '--key', '']],
    ['leads', ['list', '--subsite', 'nosuch']],
    ['leads', ['export', '--action', 'nosuch']],
    ['leads', ['import', 'package.json', '--action', 'nosuch']],
    ['leads', ['import', 'nosuch.csv']],
    ['leads', ['stats', '--export', 'nosuch/figures.json']],
    ['leads', ['backup', 'nosuch/leads.db']],
    ['leads', ['restore', 'nosuch.db']],
    ['leads', ['import', tmpdir()]],
    ['leads', ['export', '--out', tmpdir()]],
    ['leads', ['stats', '--export', tmpdir()]],
    ['leads', ['backup', tmpdir()]],
    ['leads', ['restore', tmpdir()]],
    ['keys', ['verify-receipt', 'eyA.a.b', '--public-key', 'package.json']],
    ['leads', ['test-mail', 'nobody']],
    ['keys', ['create', 'Agent', '--scope', 'hvca.help']],
    ['keys', ['create', '', '--scope', 'inbox']],
    ['keys', ['create', 'Agent', '--scope', 'inbox', '--expires', '2020-01-01']],
  ] as const)('an invalid value of %s %j is incorrect usage', async (program, args) => {
    const words = args.map((word) => (word === '<lead>' ? reference : word));
    const { code, stdout, stderr } = await run(program, words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^(?:.+[.?]|error: required option .+ not specified)\n/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('says that a key for every capability does not open the inbox', async () => {
    const sentence = 'The scope * does not open the inbox. Create a key with --scope inbox';
    const create = async (...scopes: string[]) =>
      (await run('keys', ['create', 'Desk', ...scopes.flatMap((scope) => ['--scope', scope])]))
        .stdout;
    expect(await create('*')).toContain(sentence);
    for (const scopes of [['*', 'inbox'], ['guide.*']])
      expect(await create(...scopes)).not.toContain(sentence);
  });

  it('never creates a database, because a misspelled address would hide the data', async () => {
    const missing = join(folder, 'missing.db');
    const commandSettings = { ...settings, DATABASE_URL: `file:${missing}` };
    for (const [program, ...args] of [
      ['keys', 'create', 'Desk', '--scope', 'inbox'],
      ['leads', 'purge'],
      ['leads', 'list'],
    ] as const)
      expect(await runCommand(program, ['--quiet', ...args], commandSettings)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('There is no database at DATABASE_URL'),
      });
    expect(existsSync(missing)).toBe(false);
  });

  it('lists the leads that wait for an answer by deadline, with the time left', async () => {
    const { stdout } = await leads('list', '--waiting', '--json');
    const waiting = JSON.parse(stdout) as { reference: string; dueAt: string; overdue: boolean }[];
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.map(({ overdue }) => overdue)).toEqual(waiting.map(() => false));
    const lines = (await leads('list', '--waiting')).stdout.trim().split('\n');
    expect(lines).toEqual(
      waiting.map(({ reference, dueAt }) =>
        expect.stringMatching(
          `^${formatReference(reference)} .*  due in .*, ${new Date(dueAt).toLocaleString('sv-SE', { timeZone: 'America/New_York', dateStyle: 'short', timeStyle: 'short' })} E[SD]T$`,
        ),
      ),
    );
  });

  it('changes nothing if one of several leads does not exist', async () => {
    const leadBefore = (await leads('show', reference, '--json')).stdout;
    for (const command of ['erase', 'redeliver', 'settle'])
      expect(await leads(command, reference, 'nothing')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `No lead matches the reference nothing. Nothing was changed.${searchHint}\n`,
      });
    expect((await leads('erase', 'ben@cust.example')).stderr).toBe(
      `No lead matches the reference ben@cust.example. Nothing was changed.${searchHint}\n`,
    );
    expect((await leads('show', reference, '--json')).stdout).toBe(leadBefore);
  });

  it('names missing mail settings as the reason for no email only if they are missing', async () => {
    const show = async (mailSettings: Record<string, string>) =>
      (await runCommand('leads', ['--quiet', 'show', reference], { ...settings, ...mailSettings }))
        .stdout;
    expect(await show({})).toContain(
      'Email is not set up. Set SMTP_URL and MAIL_FROM for the server and for this command.',
    );
    const configuredOutput = await show({
      SMTP_URL: 'smtp://127.0.0.1:2525',
      MAIL_FROM: 'leads@example.com',
    });
    // It depends on the time since the request, which is long on a busy machine.
    const reason =
      '(?:email to the {}: The message is being sent|no email to the {}: The server has not)';
    for (const recipient of ['customer', 'provider'])
      expect(configuredOutput).toMatch(
        new RegExp(`new request, ${reason.replaceAll('{}', recipient)}`),
      );
    expect(configuredOutput).not.toContain('SMTP_URL');
  });

  it('finds leads by their properties, and shows a lead in full by its reference or its receipt', async () => {
    const [found, other, olderLeads, shown, shownByToken, missing] = await Promise.all([
      leads(
        'list',
        '--state',
        'new',
        '--subsite',
        zipAction.subsite.name,
        '--newer',
        '1h',
        '--json',
      ),
      leads('list', '--state', 'confirmed', 'declined'),
      leads('list', '--older', '1h', '--json'),
      leads('show', reference, '--json'),
      leads('show', token, '--json'),
      leads('show', 'nothing'),
    ]);
    expect(JSON.parse(found.stdout)).toMatchObject([
      { reference, status: 'new', undelivered: true },
    ]);
    expect(other.stdout).toBe('No leads match.\n');
    expect(JSON.parse(olderLeads.stdout)).toEqual([]);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      reference,
      token,
      fields: { [zipField]: '02139' },
      history: [{ status: 'new', actor: 'person' }],
      email: 'dana@example.com',
    });
    expect(shownByToken.stdout).toBe(shown.stdout);
    expect(missing).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `No lead matches this reference.${searchHint}\n`,
    });
  });

  it('finds a lead by its reference in any notation, by its receipt, and by its contact', async () => {
    const words = reference.match(/.{4}/g)!.join('-');
    for (const query of [reference, words, words.toLowerCase(), reference.toLowerCase()]) {
      expect((await leads('show', query, '--json')).stdout, query).toContain(`"${reference}"`);
      expect((await leads('list', query)).stdout, query).toContain(words);
      expect((await leads('show', query)).stdout, query).toContain(words);
    }
    for (const query of [
      token,
      words.slice(-4),
      words.slice(5, 14),
      'Dana@Example.com',
      'dana@exam',
      'HyperLink',
    ])
      expect(JSON.parse((await leads('list', query, '--json')).stdout)).toMatchObject([
        { reference },
      ]);
    expect((await leads('list', 'nobody@example.com')).stdout).toBe(
      'No leads match. To find a reference, use its groups of four characters, such as AFVP. Parts of names, phone numbers and email addresses are searched for in the newest 100,000 leads.\n',
    );
  });

  it('exports a table with inert formulas and intact leading zeros, readable by its owner only', async () => {
    const olderText = 'an older and longer export, '.repeat(200);
    const file = write('out.csv', olderText);
    chmodSync(file, 0o644);
    const options = ['--out', file, '--subsite', zipAction.subsite.name];
    expect(await leads('export', ...options)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} already exists. Choose another file, or add --overwrite to replace it.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe(olderText);
    expect(await leads('export', ...options, '--overwrite')).toMatchObject({
      code: 0,
      stdout: `Exported 1 lead to ${file}.\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [row] = parse(readFileSync(file), { columns: true, bom: true }) as [
      Record<string, string>,
    ];
    expect(row).toMatchObject({
      reference,
      name: `'=HYPERLINK("http://x.example","y")`,
      [`fields.${zipField}`]: "'02139",
    });
    expect(Object.values(row).filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    const lines = (await leads('export', '--format', 'jsonl')).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { reference, fields: { [zipField]: '02139' }, name: '=HYPERLINK("http://x.example","y")' },
    ]);
  });

  it('imports each row only once from CSV and JSON Lines, even in repeated runs, and reports the line of each rejected row', async () => {
    const csv = write(
      'rows.csv',
      [
        `${keyField},name,email`,
        'A-1,Dana,dana@example.com',
        'A-2,"Le\nRoy",not-an-address',
        ',Pat,pat@example.com',
        'A-1,Dana,dana@example.com',
        'A-3,Kim,kim@example.com',
        '',
      ].join('\n'),
    );
    const first = await leads('import', csv, '--json');
    expect(first.code).toBe(1);
    const report = JSON.parse(first.stdout);
    expect(report).toMatchObject({
      imported: 2,
      known: 0,
      repeated: 1,
      refused: [
        { line: 3, id: 'A-2', errors: [{ pointer: '/contact/email', column: 'email' }] },
        { line: 5, errors: [{ pointer: `/fields/${keyField}`, column: keyField }] },
      ],
    });
    expect(first.stdout).not.toContain('not-an-address');
    const secondImport = await leads('import', csv, '--json');
    expect(JSON.parse(secondImport.stdout)).toEqual({ ...report, imported: 0, known: 2 });
    expect((await leads('import', csv)).stdout).toMatch(
      new RegExp(
        `^line 3, email \\(ID A-2\\): .+\\nline 5, ${keyField}: .+\\n0 imported, 2 already known, 1 repeated in this file, 2 refused\\.\\n$`,
      ),
    );
    const lines = write(
      'rows.jsonl',
      [
        JSON.stringify({ [keyField]: 'A-3', name: 'Kim' }),
        'nonsense',
        JSON.stringify({ [keyField]: 'B-1', contact: 'x' }),
        '',
        JSON.stringify({ [keyField]: 'B-2', email: 'b2@example.com' }),
      ].join('\n'),
    );
    expect(JSON.parse((await leads('import', lines, '--json')).stdout)).toMatchObject({
      imported: 1,
      known: 1,
      refused: [{ line: 2 }, { line: 3 }],
    });
    const all = JSON.parse(
      (await leads('list', '--action', importAction.action.verb, '--json')).stdout,
    ) as { channel: string }[];
    expect(all.map(({ channel }) => channel)).toEqual(['import', 'import', 'import']);
    const cut = await leads('list', '--limit', '2', '--json');
    expect(JSON.parse(cut.stdout)).toHaveLength(2);
    expect(cut.stderr).toContain(
      'These are only the first 2 leads. Use a larger --limit for more.',
    );
    expect((await leads('list')).stderr).not.toContain('only the first');
    expect(await leads('import', join(folder, 'missing.csv'))).toMatchObject({
      code: 2,
      stderr: expect.not.stringMatching(/\n\s+at /),
    });
  });

  it('checks an import without writing with --dry-run, even with semicolons', async () => {
    const rows = ['S-1;"Kim; Lee"', 'S-2;Pat', 'S-1;Kim', 'S-1;"Kim; Lee"', 'A-1;Dana', ';None'];
    const file = write('semicolons.csv', `\ufeff${keyField};name\r\n${rows.join('\r\n')}\r\n`);
    const list = async () =>
      (await leads('list', '--action', importAction.action.verb, '--json')).stdout;
    const listingBefore = await list();
    const [dryRunResult, plain] = await Promise.all([
      leads('import', file, '--dry-run', '--json'),
      leads('import', file, '--dry-run'),
    ]);
    const expected = { imported: 2, known: 1, repeated: 1, refused: [{ line: 4 }, { line: 7 }] };
    expect(JSON.parse(dryRunResult.stdout)).toMatchObject({ dryRun: true, ...expected });
    expect(plain.stdout).toContain(
      '2 would be imported, 1 already known, 1 repeated in this file, 2 refused. Nothing was written.',
    );
    expect(plain.stdout).toContain('Line 2 has the same ID but different values.');
    expect(await list()).toBe(listingBefore);
    expect(JSON.parse((await leads('import', file, '--json')).stdout)).toMatchObject(expected);
    expect(await list()).toContain('Kim; Lee');
  });

  it.skipIf(!disk)(
    'reports which file could not be written to a full disk, and leaves no incomplete file',
    async () => {
      disk!.fill();
      const place = (name: string) => join(disk!.folder, name);
      for (const [args, file] of [
        [['export', '--out'], 'leads.csv'],
        [['stats', '--export'], 'figures.json'],
        [['backup'], 'leads.db'],
      ] as const) {
        const { code, stderr } = await leads(...args, place(file));
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: expect.stringMatching(
            /^(?:\S+: The disk is full|The disk with \S+ is full)[.;] [Ff]ree some space, or choose .+\n$/,
          ),
        });
        expect(stderr).toContain(disk!.folder);
        expect(existsSync(place(file))).toBe(false);
      }
      disk!.clear();
      expect(readdirSync(disk!.folder)).toEqual([]);
    },
  );

  it('lists the imported rows that nobody can answer', async () => {
    const file = write(
      'silent.csv',
      `${keyField},name,email,phone\nR-1,Kim,,\nR-2,,r2@example.com,\nR-3,,,(727) 555-0142\nR-4,,," "\n`,
    );
    const dryRunResult = await leads('import', file, '--dry-run');
    expect(dryRunResult.stdout).toContain(
      'lines 2, 5: 2 leads would have no phone number and no email address, so nobody can answer.\n4 would be imported',
    );
    expect(JSON.parse((await leads('import', file, '--json')).stdout)).toMatchObject({
      imported: 4,
      unreachable: [2, 5],
    });
    expect(JSON.parse((await leads('import', file, '--json')).stdout)).toMatchObject({
      known: 4,
      unreachable: [],
    });
  });

  it('imports a tab-separated table, and says how to import a spreadsheet file', async () => {
    expect(
      await leads('import', write('tabs.tsv', `${keyField}\tname\nTAB-1\tKim; Lee\n`)),
    ).toMatchObject({ code: 0, stdout: expect.stringContaining('1 imported') });
    for (const [name, start] of [
      ['book.xlsx', Buffer.from('PK\x03\x04\x14\0\x06\0')],
      ['book.csv', Buffer.from('PK\x03\x04\x14\0\x06\0')],
      ['book.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
      ['book.jsonl', Buffer.from('PK\x03\x04\x14\0\x06\0')],
    ] as const)
      expect(await leads('import', write(name, start))).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^This is a file from a spreadsheet program, .* save the sheet as CSV \(UTF-8\)/,
        ),
      });
  });

  it('explains what is wrong with a malformed row, and refuses a table without a header', async () => {
    const messages = async (content: string) => {
      const { stdout, stderr } = await leads('import', write('shape.csv', content));
      return stdout + stderr;
    };
    expect(await messages(`${keyField},name\nV-1,Kim,Lee\nV-2\nV-3,K"i"m\n`)).toMatch(
      /^line 2: The row has 3 values for 2 columns\. .+\nline 3: The row has 1 value for 2 columns\. .+\nline 4: A quote is in the wrong place\. /,
    );
    for (const empty of ['', '\n\n'])
      expect(await messages(empty)).toMatch(/^line 1: Missing column.+Use these column names/);
  });

  it('rejects a bad header once, suggests the correct names, and imports no row', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => `H-${index},Kim`).join('\n');
    const listingBefore = (await leads('list', '--limit', '500', '--json')).stdout;
    const { code, stderr, stdout } = await leads(
      'import',
      write('bad.csv', `Deal,name\n${rows}\n`),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^line 1: Unknown column Deal\\. Missing column.* ${keyField}.*Use these.*email`,
        ),
      ),
    ]);
    expect((await leads('list', '--limit', '500', '--json')).stdout).toBe(listingBefore);
  });

  it('rejects a whole file that is not UTF-8, so that no later row takes the place of another', async () => {
    const header = `${keyField},name`;
    const listingBefore = (await leads('list', '--limit', '500', '--json')).stdout;
    for (const [name, content, line] of [
      ['latin.csv', `${header}\nC-1,Kim\nC-2,"Le\nRené"\nC-2,Lee\n`, 4],
      ['latin.jsonl', `{"${keyField}":"C-4","name":"Kim"}\n{"${keyField}":"C-5","name":"Zoë"}`, 2],
      ['latin-header.csv', `${header},größe\nC-6,Kim,x\n`, 1],
    ] as const)
      expect(await leads('import', write(name, Buffer.from(content, 'latin1')))).toEqual({
        code: 1,
        stdout: '',
        stderr: `line ${line}: The file is not UTF-8; it may have been saved as Latin-1. Save the file as UTF-8. No rows were imported.\n`,
      });
    expect(
      await leads('import', write('wide.csv', Buffer.from(`\ufeff${header}\n`, 'utf16le'))),
    ).toMatchObject({ code: 1, stderr: expect.stringMatching(/^line 1: The file is UTF-16\. /) });
    expect((await leads('list', '--limit', '500', '--json')).stdout).toBe(listingBefore);
  });

  it('rejects unreadable rows, reports where each starts, and imports the rest', async () => {
    const report = async (name: string, content: string | Buffer) => {
      const { stdout, stderr } = await leads('import', write(name, content), '--json');
      expect(stderr).not.toMatch(/\n\s+at /);
      return stdout ? (JSON.parse(stdout) as ImportReport) : stderr;
    };
    const header = `${keyField},name`;
    const unclosedReport = await report('open.csv', `${header}\nD-1,"Kim\nD-2,Lee\nD-3,Pat\n`);
    expect(unclosedReport).toMatchObject({
      imported: 0,
      refused: [{ line: 2, errors: [{ message: expect.stringContaining('never closed') }] }],
    });
    expect(await report('open-end.csv', `${header}\nD-1,Kim\nD-2,"Lee\nD-3,Pat`)).toMatchObject({
      imported: 1,
      refused: [{ line: 3 }],
    });
    expect(await report('twice.csv', `${header},name\nE-1,Kim,Lee\n`)).toMatch(
      /^line 1: The column name is repeated/,
    );
    expect(await report('said-twice.csv', `${header},contact.name\nE-2,Kim,Lee\n`)).toMatchObject({
      imported: 0,
      refused: [{ line: 2 }],
    });
    expect(
      await report('marked.jsonl', `\ufeff{"${keyField}":"F-1"}\r\n{"${keyField}":"F-2"}\r\n`),
    ).toMatchObject({ imported: 2, refused: [] });
    expect(
      await report('own.csv', `\ufeff${header}\r\nG-1,'90s Movers\r\nG-2,'=SUM(1)\r\n`),
    ).toMatchObject({ imported: 2, refused: [] });
    const names = (
      JSON.parse((await leads('list', '--action', importAction.action.verb, '--json')).stdout) as {
        name: string;
      }[]
    ).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["'90s Movers", '=SUM(1)']));
    expect(names.join()).not.toContain('\ufffd');
    expect(await leads('import', folder)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.not.stringMatching(/\n\s+at /),
    });
  });

  it('performs every provider action, and refuses actions that the state does not allow', async () => {
    expect(await leads('offer', reference, '--amount', '45', '--currency', 'USD')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--expires'),
    });
    expect(
      await leads('offer', reference, '--amount', '45o', '--currency', 'XXXX', '--expires', '48'),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^error: --amount: .+\nerror: --currency: .+\nerror: --expires: .+\n$/,
      ),
    });
    const price = ['--amount', '45', '--expires', '48h'];
    expect(
      (
        await leads(
          'offer',
          reference,
          ...price,
          '--payer',
          'provider',
          '--confirm-on-accept',
          '--text',
          'Forty five',
        )
      ).code,
    ).toBe(0);
    const shown = JSON.parse((await leads('show', reference, '--json')).stdout);
    expect(shown.history.at(-1)).toMatchObject({
      status: 'quoted',
      actor: 'operator',
      note: 'Forty five',
      offer: { amount: '45.00', currency: 'USD', payer: 'provider', confirmOnAccept: true },
    });
    expect((await leads('show', reference)).stdout).toMatch(
      /  offered 45\.00 USD paid by the provider, confirmed when accepted, until \d{4}-\d\d-\d\d \d\d:\d\d E[SD]T by operator: Forty five\n/,
    );
    expect(await leads('reply', reference, '--text', 'The yard opens at 7.')).toMatchObject({
      code: 0,
      stdout: `${reference} is now “Offer sent” (quoted).\nSMTP_URL and MAIL_FROM are not set for this command. If they are not set for the server either: The customer sees this only on their page: this service does not email them. Write to them at dana@example.com.\n`,
    });
    const { stdout } = await leads('show', reference);
    expect(stdout).toContain('  message by operator: The yard opens at 7.\n');
    expect(stdout).toMatch(/^  \w+  offer by operator, (?:no )?email to the customer: /m);
    expect(stdout).toMatch(/^  \w+  message by operator, (?:no )?email to the customer: /m);
    expect(await leads('ask', reference, '--text', 'When?')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Allowed actions: offer, confirm, decline, reply.'),
    });
  });

  it('runs a command once per idempotency key', async () => {
    const history = async () =>
      (JSON.parse((await leads('show', reference, '--json')).stdout).history as { note: string }[])
        .map(({ note }) => note)
        .filter((note) => note === 'We will come at nine.').length;
    const reply = (...more: string[]) =>
      leads('reply', reference, '--text', 'We will come at nine.', ...more);
    const key = ['--key', 'one-reply-of-the-operator'];
    expect([await reply(...key), await reply(...key)].map(({ code }) => code)).toEqual([0, 0]);
    expect(await history()).toBe(1);
    expect((await reply('--key', 'short')).stderr).toContain('16 to 255 visible ASCII');
    expect((await reply('--key', 'another-key-of-the-operator')).code).toBe(0);
    expect(await history()).toBe(2);
  });

  it('says in options and commands how to put an answer right', async () => {
    const fault = async (...args: string[]) => (await leads('offer', reference, ...args)).stderr;
    const terms = ['--currency', 'USD', '--expires', '48h'];
    expect(await fault('--amount', '0', ...terms)).toBe(
      'error: --amount: Enter a price above 0. If it is free of charge, use --free.\n',
    );
    expect(await fault('--amount', '5', '--free', ...terms)).toBe(
      'error: --amount: An offer that is free of charge has the price 0. Enter 0, or leave out --free.\n',
    );
    const confirmed = await leads('confirm', reference, '--text', "On Tuesday. It's free.");
    const kept = String.raw`On Tuesday. It'\''s free.`;
    expect(confirmed.stdout.split('npm run leads -- ')).toEqual([
      expect.stringContaining('The price of the offer does not apply.'),
      `confirm ${reference} --text 'The yard opens at 7.\n${kept}\nThe price is $45, paid to you, as in our offer, which you accepted by phone.'\n`,
    ]);
    expect((await leads('confirm', reference, '--accepted', '--text', 'At 9.')).stderr).toMatch(
      /^--accepted: The request is already confirmed, so no offer is open\. .* in the text instead\.\n$/,
    );
    expect((await leads('confirm', reference, '--text', 'At 9.')).stdout).not.toContain('leads --');
    expect(await leads('withdraw', reference)).toMatchObject({
      stdout: expect.stringContaining(' Its confirmation no longer applies.\n'),
      stderr: '',
    });
    expect((await leads('ask', reference, '--text', 'When?')).stderr).toContain(
      'The state of the request is “Canceled”, which is final, so it cannot be answered with ask.\n',
    );
  });

  it('prints statistics, and publishes the public figures', async () => {
    const file = join(folder, 'responsiveness.json');
    const { stdout } = await leads('stats', '--export', file, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      all: { answered: 1 },
      waiting: expect.any(Number),
      outbox: { undelivered: expect.any(Number), givenUp: 0 },
      unmetDemand: { questions: 0, topics: 0 },
      published: {},
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
    const text = (await leads('stats', '--export', file)).stdout;
    expect(text).toMatch(
      /^Waiting for an answer: [1-9]\d* leads?; npm run leads -- list --waiting lists them$/m,
    );
    expect(text).toMatch(/^Messages to providers: \d+ not delivered yet/m);
    expect(text).toMatch(
      /\nEmails to customers: \d+ waiting or failed; none are sent unless SMTP_URL and MAIL_FROM are set for the server\n/,
    );
    expect(text).toContain(
      'Wrote the figures for 0 subsites. A subsite needs at least 20 leads, answered or not.\n',
    );
  });

  it('says after each answer whether the customer gets an email, and whom to call instead', async () => {
    const rows = `${keyField},name,phone,email\nReach-1,Kim Reach,(727) 555-0123,\nReach-2,Lee Reach,,\nReach-3,Pat Reach,,pat@example.com\n`;
    expect((await leads('import', write('reach.csv', rows))).code).toBe(0);
    const mail = { SMTP_URL: 'smtp://localhost:2525', MAIL_FROM: 'leads@example.com' };
    const answer = async (person: string, action: string, ...more: string[]) => {
      const listed = await leads('list', '--limit', '500', '--json');
      const lead = (JSON.parse(listed.stdout) as { name: string; reference: string }[]).find(
        ({ name }) => name === person,
      )!;
      const args = ['--quiet', action, lead.reference, ...more];
      const { code, stdout, stderr } = await runCommand('leads', args, { ...settings, ...mail });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout.split('\n').slice(1, -1).at(-1);
    };
    const text = ['--text', 'Which day?'];
    const price = ['--amount', '45', '--currency', 'USD', '--expires', '48h'];
    const called =
      'The customer sees this only on their page: they left no email address. Call them at (727) 555-0123.';
    expect(await answer('Kim Reach', 'ask', ...text)).toBe(called);
    expect(await answer('Kim Reach', 'acknowledge', ...text)).toBe(called);
    expect(await answer('Kim Reach', 'offer', ...price)).toBe(called);
    expect(await answer('Kim Reach', 'confirm', ...text, '--accepted')).toBe(called);
    expect(await answer('Kim Reach', 'reply', ...text)).toBe(called);
    expect(await answer('Kim Reach', 'decline', ...text)).toBe(called);
    expect(await answer('Lee Reach', 'decline')).toBe(
      'The customer sees this only on their page: they left no email address or phone number.',
    );
    expect(await answer('Pat Reach', 'acknowledge')).toBe(
      'The customer sees this on their page and gets no email about it.',
    );
    expect(await answer('Pat Reach', 'ask', ...text)).toBe(
      'The customer gets this by email and sees it on their page.',
    );
    const database = await openDatabase({ url, mustExist: true, usesThread: false });
    onTestFinished(() => database.close());
    const listed = JSON.parse((await leads('list', 'Pat Reach', '--json')).stdout);
    const attempt = { event: listed[0].reference, channel: 'person', ms: 1 };
    const rejected = { outcome: 'address_rejected', at: new Date().toISOString() };
    const record = (response: string) =>
      database.writer.insert(deliveryAttempts).values({ ...attempt, ...rejected, response });
    await record('450 4.1.1');
    expect(await answer('Pat Reach', 'reply', ...text)).toContain('gets this by email');
    await record('550 5.1.1');
    expect(await answer('Pat Reach', 'reply', ...text)).toBe(
      'The customer sees this only on their page: the mail server rejected their email address.',
    );
    expect(await answer('Pat Reach', 'withdraw')).toBe(
      'The customer sees this only on their page: the mail server rejected their email address.',
    );
    expect((await leads('withdraw', '--help')).stdout.replace(/\s+/g, ' ')).toContain(
      'text for the customer and the provider, under the name of the network’s organization',
    );
    expect(await leads('withdraw', listed[0].reference)).toMatchObject({
      code: 1,
      stderr: 'This lead is already withdrawn.\n',
    });
  });

  it('finds a lead by the event in a line of the log', async () => {
    const database = await openDatabase({ url, mustExist: true, usesThread: false });
    onTestFinished(() => database.close());
    const events = await database.reader.select().from(outbox).where(eq(outbox.lead, token));
    const id = events.find(({ kind }) => kind === 'lead.changed')!.id;
    expect((await leads('show', id)).stdout).toBe((await leads('show', reference)).stdout);
    expect((await leads('list', id)).stdout).toBe((await leads('list', reference)).stdout);
  });

  it('does not claim that every message was delivered while some cannot be sent', async () => {
    const { stdout } = await leads('redeliver', '--late');
    expect(stdout).toBe(
      'Scheduled for delivery: 0 deliveries. Some messages cannot be sent yet: npm run leads -- list --undelivered lists their leads, and show says what is missing.\n',
    );
    expect((await leads('list', '--undelivered')).stdout).toContain(formatReference(reference));
  });

  it('settles only what matches every option, says whose messages it is, and has a dry run', async () => {
    const database = await openDatabase({ url, mustExist: true, usesThread: false });
    const other = await serve(url);
    await other.end();
    const tokens = [token, other.token];
    onTestFinished(async () => {
      await database.writer.delete(deliveries).where(inArray(deliveries.lead, tokens));
      await database.close();
    });
    const createdAt = new Date().toISOString();
    const rows = await database.reader
      .select({ event: outbox.id, lead: outbox.lead })
      .from(outbox)
      .where(and(inArray(outbox.lead, tokens), eq(outbox.kind, 'lead.created')));
    const first = reference;
    const second = rows.find(({ lead }) => lead === other.token)!.event;
    await database.writer
      .insert(deliveries)
      .values(
        rows.flatMap((row) =>
          ['mail', 'person'].map((channel) => ({ ...row, channel, createdAt, dueAt: createdAt })),
        ),
      );
    const line = `  ${formatReference(first)}  new request, email to the customer\n`;
    const args = ['settle', first, '--channel', 'person'];
    expect((await leads(...args, '--dry-run')).stdout).toBe(`Would be settled: 1.\n${line}`);
    expect((await leads(...args)).stdout).toBe(`Settled: 1.\n${line}`);
    expect((await leads('settle', '--channel', 'mail', '--given-up')).stdout).toMatch(
      /^Settled: 0\. No undelivered message matches every option and lead\. /,
    );
    const settled = await leads('settle', '--channel', 'mail', '--json');
    expect(JSON.parse(settled.stdout)).toEqual({
      settled: 2,
      messages: [first, second].sort().map((event) => ({
        reference: event,
        event,
        channel: 'mail',
      })),
    });
    for (const wrong of [['--given-up', '--unaddressed'], ['--dry-run']])
      expect(await leads('settle', ...wrong)).toMatchObject({ code: 2, stdout: '' });
    expect((await leads('redeliver', first, '--late')).stdout).toBe(
      'Scheduled for delivery: 0 deliveries. There are no undelivered messages about a lead that you named. To send canceled messages too, leave out --late.\n',
    );
    expect((await leads('show', first)).stdout).toContain(
      'To send the message after all: npm run leads -- redeliver <lead>',
    );
    await leads('redeliver', first);
    expect(
      (await database.reader.select().from(deliveries).where(eq(deliveries.lead, token))).map(
        ({ channel, dueAt, outcome }) => [channel, dueAt !== null, outcome],
      ),
    ).toEqual([
      ['mail', true, null],
      ['person', true, null],
    ]);
  });

  it('shows a lead by part of its reference, but changes it only by the full one', async () => {
    const words = reference.match(/.{4}/g)!.join('-');
    const part = words.slice(5, 14);
    const { stdout } = await leads('show', words);
    expect((await leads('show', part)).stdout).toBe(stdout);
    for (const command of [
      ['reply', part, '--text', 'Hi.'],
      ['withdraw', part],
      ['erase', part],
      ['redeliver', part],
      ['settle', part],
    ])
      expect(await leads(...command), command[0]).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `${part} is only part of the reference ${words}. Use the full reference to change this lead. Nothing was changed.\n`,
      });
    expect((await leads('show', words)).stdout).toBe(stdout);
  });

  it('refuses two opposite options', async () => {
    for (const options of [
      ['--accepted', '--no-accepted'],
      ['--no-accepted', '--accepted'],
    ])
      expect(await leads('confirm', reference, ...options)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          'error: --no-accepted and --accepted are opposites. Use one of them.\n',
        ),
      });
  });

  it('backs up and erases while the database is open', async () => {
    const rotation = await run('keys', ['rotate-links']);
    expect(rotation.code).toBe(0);
    const [, redelivery] = /npm run leads -- (.* --open)\n/.exec(rotation.stdout)!;
    expect(await leads(...redelivery!.split(' '))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Scheduled for delivery: [1-9]\d* open leads?\.\n$/),
    });
    expect((await leads('backup', backup)).code).toBe(0);
    expect((await leads('backup', backup)).code).toBe(1);
    expect(await leads('erase', reference)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        `^Erased: 1\\.\n  ${formatReference(reference)}  ${zipAction.subsite.name}\\.\\w+, created .+, withdrawn until then\n$`,
      ),
    });
    expect(JSON.parse((await leads('show', reference, '--json')).stdout)).toMatchObject({
      status: 'erased',
      name: null,
      fields: {},
      undelivered: false,
    });
    expect((await leads('show', reference)).stdout).not.toMatch(/not (?:told|delivered) yet/);
    for (const command of ['erase', 'redeliver'])
      expect(await leads(command, reference)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('was already erased'),
      });
  });

  // A process that opened a file may keep it open, so this test uses only processes that exit.
  it('restores a backup once nothing has the database open', async () => {
    const copy = { ...settings, DATABASE_URL: `file:${join(folder, 'copy.db')}` };
    const readRestoredLead = async () =>
      JSON.parse(
        (await runProcess(['show', reference, '--json'], { settings: copy })).stdout,
      ) as unknown;
    expect(await runProcess(['restore', backup], { settings: copy })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'The backup was restored.\nThere was no database to replace. If you have erased leads, revoked keys or rotated answer links since the backup, do so again before you start the server.\n',
      ),
    });
    const server = await serve(copy.DATABASE_URL);
    expect((await runProcess(['restore', backup], { settings: copy })).stderr).toContain('in use');
    await server.end();
    expect((await runProcess(['erase', reference], { settings: copy })).code).toBe(0);
    const keysProgram = await getBundledProgram('src/cli/keys.ts');
    for (const args of [['rotate-links'], ['create', 'Front desk', '--scope', 'inbox']])
      execFileSync(process.execPath, [keysProgram, '--quiet', ...args], {
        env: { ...process.env, ...copy },
      });
    const secondRestore = await runProcess(['restore', backup], { settings: copy });
    expect(secondRestore.code).toBe(0);
    expect(secondRestore.stdout.split('\n').slice(1)).toEqual([
      'Missing from the backup: 1 lead, 1 key, and the last changes to 0 other leads.',
      'Missing leads:',
      expect.stringMatching(/^  (?:[0-9A-Z]{4}-?\b){4}$/),
      'Missing keys, which no longer work. Create new ones with npm run keys -- create:',
      expect.stringMatching(/^  [a-z2-9]{10}  Front desk$/),
      'To read one as it was before the restore:',
      expect.stringMatching(
        /^  DATABASE_URL='file:.*copy\.db\.replaced' npm run leads -- show (?:[0-9A-Z]{4}-?\b){4}$/,
      ),
      'Erased or revoked since the backup, and now back: 1 lead, 0 keys. Erase or revoke them again before you start the server:',
      `  npm run leads -- erase ${formatReference(reference)}`,
      'The answer links from before the last rotation work again. If a mailbox was exposed, rotate them again:',
      '  npm run keys -- rotate-links',
      expect.stringMatching(
        /^\d+ messages had not been delivered at the time of the backup\. A server with the settings to send them does so when it starts/,
      ),
      '',
    ]);
    expect(await readRestoredLead()).toMatchObject({
      status: 'withdrawn',
      email: 'dana@example.com',
    });

    // The replaced database is newer, so restoring it loses nothing.
    const undoResult = await runProcess(['restore', join(folder, 'copy.db.replaced')], {
      settings: copy,
    });
    expect(undoResult.stdout.split('\n').slice(1)).toEqual([
      'Erased or revoked since the backup, and now back: 0 leads, 0 keys.',
      expect.stringMatching(/^\d+ messages? had not been delivered/),
      '',
    ]);
    expect(await readRestoredLead()).toMatchObject({ status: 'erased' });
  });

  it('does not restore a database onto itself', async () => {
    const path = join(folder, 'copy.db');
    const link = join(folder, 'link.db');
    symlinkSync(path, link);
    for (const file of [path, link])
      expect(
        await runProcess(['restore', file], {
          settings: { ...settings, DATABASE_URL: `file:${path}` },
        }),
      ).toMatchObject({
        code: 1,
        stderr: `${file} is the database itself; choose a backup.\n`,
      });
    expect(existsSync(`${path}.replaced-3`)).toBe(false);
  });
});
