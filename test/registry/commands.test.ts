import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { editorSchema, editorSchemas } from '../../src/registry/schemas/schema.ts';
import { getBundledProgram } from '../setup/bundled-program.ts';
import { runCommand } from '../setup/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-'));
const registry = join(folder, 'registry');
cpSync('registry', registry, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

const runWith = (settings: Record<string, string>, command: string, ...args: string[]) =>
  runCommand(command, args, settings);
const run = (command: string, ...args: string[]) => runWith({}, command, ...args);
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: folder,
  });

describe('the editor schemas', () => {
  it('match the schemas that read the registry', () => {
    expect(readdirSync('registry/schema').sort()).toEqual(
      Object.keys(editorSchemas)
        .map((name) => `${name}.json`)
        .sort(),
    );
    for (const name of Object.keys(editorSchemas))
      expect(
        readFileSync(`registry/schema/${name}.json`, 'utf8'),
        'stale: run npm run schemas',
      ).toBe(editorSchema(name));
  });
});

describe('npm run check and npm run new', () => {
  it('exit without an error when the reader of their output closes the pipe', async () => {
    const program = await getBundledProgram('src/cli/check.ts');
    const piped = spawnSync('sh', ['-c', '"$0" "$1" --json | true', process.execPath, program], {
      encoding: 'utf8',
    });
    expect(piped.stderr).toBe('');
  });

  it('write a record whose placeholders are faults, and list the filled-in record as new', async () => {
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    expect(await run('new', 'subsite', 'gutter-cleaning', '--registry', registry)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Wrote .+\nThe front page.+routes\.yaml needs a line only if publicRoutes.+\nTexts with lists of services: pages\/index, .+\n$/,
      ),
    });
    const newFile = join(registry, 'subsites', 'gutter-cleaning.yaml');
    const newText = readFileSync(newFile, 'utf8');
    const placeOf = (text: string) => {
      const line = newText.split('\n').findIndex((one) => one.includes(text)) + 1;
      return `${newFile}:${line}:${newText.split('\n')[line - 1]!.indexOf('<') + 1}`;
    };
    const placeholder = 'is a placeholder. Replace it with your own value.';
    expect(await run('check', registry)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: [
        `${placeOf('purpose:')} purpose: ${placeholder}`,
        `${placeOf('amount:')} pricing[0].amount: ${placeholder}`,
        `${placeOf('notes: <')} pricing[0].notes: ${placeholder}`,
        `${placeOf('respondWithinHours:')} actions[0].respondWithinHours: ${placeholder}`,
        `${placeOf('<what you need')} actions[0].fields.notes.description: ${placeholder}`,
        `${placeOf('<a few words')} actions[0].fields.notes.example: ${placeholder}`,
        '6 faults. Some rules are checked only when every record can be read.',
        '',
      ].join('\n'),
    });
    const startingText = newText.replace(
      /<[^<>]+>/g,
      (found) => /such as (\d+)/.exec(found)?.[1] ?? 'Clean gutters.',
    );
    writeFileSync(newFile, startingText);
    const warning = `Warning: ${newFile}:3:8 title: has words that search.notOffered in network.yaml lists under “roofing”: gutter. Remove them there, because the network offers the service.\n`;
    expect(await run('check', registry)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no faults.'),
      stderr: warning,
    });
    // The current network has no findings, and commented-out parts pass the check.
    expect(await run('check', 'registry')).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(newFile, startingText.replace(/^# (?!yaml-|Remove)/gm, ''));
    expect(await run('check', registry)).toMatchObject({ code: 0 });
    writeFileSync(newFile, startingText);
    const diff = await run('check', registry, '--diff', 'HEAD');
    expect(diff).toMatchObject({ code: 0, stderr: warning });
    expect(diff.stdout.split('\n')).toEqual([
      'gutter-cleaning: was added, “Gutter cleaning”: Clean gutters.',
      'gutter-cleaning.request_gutter_cleaning_quote: was added, “Request a quote”, with input zip (required), notes (optional)',
      'gutter-cleaning: the price for “visit”, 100 USD, was added',
      '',
    ]);
    const secondRun = await run('new', 'subsite', 'gutter-cleaning', '--registry', registry);
    expect(secondRun).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
    expect(await run('new', 'subsite', 'Gutter Cleaning', '--registry', registry)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('single hyphens, for example gutter-cleaning.'),
    });
  });

  it('warn about unquoted texts that a number sign cuts off, with the line, but not about comments', async () => {
    const copy = mkdtempSync(join(folder, 'cut-'));
    cpSync('test/fixtures/network-of-four', copy, { recursive: true });
    const file = join(copy, 'subsites', 'bus.yaml');
    const text = readFileSync(file, 'utf8');
    const title = /^title: (.*)$/m.exec(text)![1]!;
    const lineOf = (part: string) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .findIndex((line) => line.includes(part)) + 1;
    const readWarnings = async () => (await run('check', copy)).stderr.split('\n');
    const formatCommentWarning = (comment: string) =>
      `ends before “${comment}”, which YAML reads as a comment. If it belongs to the text, put the whole text in double quotes.`;

    writeFileSync(
      file,
      text
        .replace(/^title: .*$/m, 'title: Buses # 1 in the valley')
        .replace(
          /^questions: .*$/m,
          'questions:\n  - What stops at Suite #4?\n  - When does the bus come?',
        )
        .replace(/^category: (\w+)/m, 'category: $1 # where the front page lists it')
        .replace(/^updated: (\S+)/m, 'updated: $1 # 3 days after the timetable'),
    );
    expect(await run('check', copy)).toMatchObject({ code: 0 });
    expect(await readWarnings()).toEqual([
      `Warning: ${file}:${lineOf('# 1 in')}:14 title: ${formatCommentWarning('# 1 in the valley')}`,
      `Warning: ${file}:${lineOf('Suite #4')}:25 questions[0]: ${formatCommentWarning('#4?')}`,
      '',
    ]);
    const json = await run('check', copy, '--json');
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual([
      expect.objectContaining({ path: 'title', severity: 'warning' }),
      expect.objectContaining({ path: 'questions[0]', severity: 'warning' }),
    ]);
    writeFileSync(file, text.replace(/^title: .*$/m, `title: "${title} # 1" # 2 buses`));
    expect(await readWarnings()).toEqual(['']);
  });

  it('warn about any text that is in curly quotes as a whole', async () => {
    const copy = mkdtempSync(join(folder, 'curly-'));
    cpSync('test/fixtures/network-of-four', copy, { recursive: true });
    const edit = (file: string, pattern: RegExp, replacement: string) =>
      writeFileSync(
        join(copy, file),
        readFileSync(join(copy, file), 'utf8').replace(pattern, replacement),
      );
    edit('subsites/bus.yaml', /^title: .*$/m, 'title: \u201CBuses in Kim\u2019s valley\u201D');
    edit('subsites/bus.yaml', /^purpose: .*$/m, 'purpose: \u201CFares\u201D and \u201Ctimes\u201D');
    edit('catalog/bus.yaml', /title: Upper Lake/, 'title: \u2018Upper Lake\u2019');
    const problem =
      'is in curly quotes, which are read as part of the value. Use straight quotes (") or none.';
    const { code, stderr } = await run('check', copy);
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^Warning: \S+catalog\/bus\.yaml:\d+:\d+ items\[1\]\.title: /),
      expect.stringMatching(/^Warning: \S+subsites\/bus\.yaml:\d+:8 title: /),
    ]);
    expect(stderr.split(problem).length).toBe(3);
  });

  it('warn about items for sale without a price or with a price of 0', async () => {
    const copy = mkdtempSync(join(folder, 'unpriced-'));
    cpSync('test/fixtures/network-of-four', copy, { recursive: true });
    const file = join(copy, 'catalog/bus.yaml');
    const record = parse(readFileSync(file, 'utf8'));
    const price = { unit: 'piece', amount: 5, currency: 'USD' };
    const items = [
      { price },
      {},
      { price: { ...price, amount: 0 } },
      { status: 'sold' },
      { status: 'upcoming' },
    ].map((more, index) => ({
      id: `a${index}`,
      title: `A${index}`,
      summary: 'A stop.',
      ...more,
    }));
    for (const [purchaseTerms, count] of [
      [['Pick it up.'], 2],
      [undefined, 0],
    ] as const) {
      writeFileSync(
        file,
        JSON.stringify({
          ...record,
          schemaType: 'Product',
          items: [...record.items.map((item: object) => ({ ...item, price })), ...items],
          ...(purchaseTerms && { purchaseTerms }),
        }),
      );
      const { stderr } = await run('check', copy);
      expect(
        stderr.match(/ (?:has no price, but is for sale|is 0, but the item is for sale)\. /g) ?? [],
        stderr,
      ).toHaveLength(count);
    }
  });

  it('warn about articles with a future date, but not about events', async () => {
    const copy = mkdtempSync(join(folder, 'articles-'));
    cpSync('test/fixtures/network-of-four', copy, { recursive: true });
    const file = join(copy, 'catalog/bus.yaml');
    const text = readFileSync(file, 'utf8').replace(/date: [\d-]+/, 'date: 9999-11-27');
    for (const [type, stderr] of [
      ['Article', expect.stringMatching(/^Warning: \S+ items\[1\]\.date: is in the future, .+\n$/)],
      ['Event', ''],
    ] as const) {
      writeFileSync(file, text.replace('schemaType: Thing', `schemaType: ${type}`));
      expect(await run('check', copy)).toMatchObject({ code: 0, stderr });
    }
  });

  it('warn about an upcoming item whose date is in the past', async () => {
    const copy = mkdtempSync(join(folder, 'upcoming-'));
    cpSync('test/fixtures/network-of-four', copy, { recursive: true });
    const file = join(copy, 'catalog/bus.yaml');
    const text = readFileSync(file, 'utf8');
    for (const [date, stderr] of [
      [
        '2025-11-27',
        expect.stringMatching(
          /^Warning: \S+ items\[1\]\.date: is in the past, but the status is upcoming\. .+\n$/,
        ),
      ],
      ['9999-11-27', ''],
    ] as const) {
      writeFileSync(file, text.replace(/date: [\d-]+/, `date: ${date}`));
      expect(await run('check', copy)).toMatchObject({ code: 0, stderr });
    }
  });

  it('warn about closed days that are all in the past, with the place, but not if any is in the future', async () => {
    const copy = mkdtempSync(join(folder, 'closed-'));
    cpSync('test/fixtures/network-of-four', copy, { recursive: true });
    const file = join(copy, 'network.yaml');
    const text = readFileSync(file, 'utf8');
    const writeClosedDays = (...dates: string[]) =>
      writeFileSync(
        file,
        `closedDays: [${dates.map((date) => `{ date: ${date} }`).join(', ')}]\n${text}`,
      );
    writeClosedDays('12-25', '2025-11-27', '2024-11-28');
    expect(await run('check', copy)).toMatchObject({
      code: 0,
      stderr: `Warning: ${file}:1:13 closedDays: has no date after 2025-11-27, which is in the past. Add the next dates, and remove the past ones.\n`,
    });
    for (const dates of [['12-25'], ['2025-11-27', '9999-11-27']]) {
      writeClosedDays(...dates);
      expect(await run('check', copy)).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('list every error as lines and as JSON, and exit with 1', async () => {
    const file = join(registry, 'subsites', 'gutter-cleaning.yaml');
    const validText = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      validText
        .replace('category: product', 'category: products')
        .replace('type: zip', 'type: zipp'),
    );
    const lines = await run('check', registry);
    expect(lines.code).toBe(1);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [await getBundledProgram('src/cli/check.ts'), registry],
      { encoding: 'utf8' },
    );
    expect({ code: status, stdout, stderr }).toEqual(lines);
    expect(lines.stderr).toMatch(
      /gutter-cleaning\.yaml:\d+:\d+ category: expected one of marketing, product, misc\. Did you mean product\?\n.*fields\.zip\.type: expected one of .*Did you mean zip\?\n2 faults\. Some rules are checked only when every record can be read\.\n$/,
    );
    expect((await run('check', registry, '--diff', 'no-such-branch')).code).toBe(2);
    const json = await run('check', registry, '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual([
      expect.objectContaining({
        path: 'category',
        line: expect.any(Number),
        severity: 'fault',
      }),
      expect.objectContaining({ path: 'actions[0].fields.zip.type', severity: 'fault' }),
    ]);
    writeFileSync(file, validText);
  });

  it('skip Git metadata in a registry that is its own repository', async () => {
    const repository = mkdtempSync(join(folder, 'own-'));
    cpSync('test/fixtures/network-of-four', repository, { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: repository });
    expect(await run('check', repository)).toMatchObject({ code: 0, stderr: '' });
  });

  it('reject an unknown Git revision in one sentence', async () => {
    expect(await run('check', registry, '--diff', 'no-such-branch')).toMatchObject({
      code: 2,
      stderr:
        'no-such-branch is not a revision of this git repository. Use a branch, a tag or a commit, for example HEAD.\n',
    });
    const copy = mkdtempSync(join(folder, '..', 'no-repository-'));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    cpSync('test/fixtures/network-of-four', copy, { recursive: true });
    expect(await run('check', copy, '--diff', 'HEAD')).toEqual({
      code: 2,
      stdout: '',
      stderr: `${copy} is not in a git repository that this user can read. Use --diff in a clone of the repository.\n`,
    });
    execFileSync('git', ['init', '-q'], { cwd: copy });
    expect(await run('check', copy, '--diff', 'HEAD')).toMatchObject({
      code: 2,
      stderr: 'This git repository has no commits. Commit the registry first.\n',
    });
    execFileSync('git', [
      ...['-c', 'user.name=a', '-c', 'user.email=a@b.example'],
      ...['-C', copy, 'commit', '-q', '--allow-empty', '-m', 'Empty'],
    ]);
    expect(await run('check', copy, '--diff', 'HEAD')).toMatchObject({
      code: 2,
      stderr: `No file in ${copy} has been committed. Commit the folder first.\n`,
    });
    const shallowClone = mkdtempSync(join(folder, '..', 'shallow-'));
    onTestFinished(() => rmSync(shallowClone, { recursive: true }));
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${folder}`, shallowClone]);
    expect(
      (await run('check', join(shallowClone, 'registry'), '--diff', 'origin/other')).stderr,
    ).toBe(
      'origin/other is not a revision of this git repository. The clone is shallow and has only the latest commits of one branch. Clone without --depth, or with fetch-depth: 0 in GitHub Actions.\n',
    );
  });

  it('warn about text that still names the phone number of a record at a Git revision', async () => {
    const copy = mkdtempSync(join(folder, '..', 'phones-'));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    cpSync('test/fixtures/network-of-four', copy, { recursive: true });
    const runGit = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
        cwd: copy,
      });
    const file = join(copy, 'subsites', 'bus.yaml');
    const text = `${readFileSync(file, 'utf8').trimEnd()}\nintro: Call +353 1-555-0107.\n`;
    const line = text.split('\n').length - 1;
    writeFileSync(file, `${text}phone: +353 1 555 0107\n`);
    runGit('init', '-q');
    runGit('add', '.');
    runGit('commit', '-qm', 'first');
    expect((await run('check', copy, '--diff', 'HEAD')).stderr).toBe('');
    writeFileSync(file, `${text}phone: +353 1 555 0109\n`);
    expect((await run('check', copy, '--diff', 'HEAD')).stderr).toBe(
      `Warning: ${file}:${line}:14 contains +353 1 555 0107, which is no longer the phone number of any record. Replace it.\n`,
    );
  });

  it('compare with the files that links led to at a Git revision', async () => {
    const home = mkdtempSync(join(folder, '..', 'linked-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const linkedRegistry = join(home, 'registry');
    cpSync('test/fixtures/network-of-four', linkedRegistry, { recursive: true });
    renameSync(join(linkedRegistry, 'links.yaml'), join(home, 'links.yaml'));
    symlinkSync('../links.yaml', join(linkedRegistry, 'links.yaml'));
    const commit = () => {
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        ['commit', '-qm', 'first'],
      ])
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
          cwd: home,
        });
    };
    commit();
    expect(await run('check', linkedRegistry, '--diff', 'HEAD')).toEqual({
      code: 0,
      stdout: 'Nothing has changed for agents since HEAD.\n',
      stderr: '',
    });
    renameSync(join(linkedRegistry, 'catalog'), join(home, 'catalog'));
    symlinkSync('../catalog', join(linkedRegistry, 'catalog'));
    commit();
    expect(await run('check', linkedRegistry, '--diff', 'HEAD')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^HEAD:${linkedRegistry}/catalog:1:1 is a link to a folder, which --diff does not follow\\.\n.*HEAD has these faults and cannot be compared; ${linkedRegistry} has none\\. Choose a revision without faults\\.\n$`,
          's',
        ),
      ),
    });
  });
});

describe('the registry of a command', () => {
  it('is in REGISTRY_DIR unless another folder is given', async () => {
    expect(await runWith({ REGISTRY_DIR: 'test/fixtures/network-of-four' }, 'check')).toMatchObject(
      {
        code: 0,
        stdout: expect.stringContaining('network-of-four: 4 subsites'),
      },
    );
    const copy = mkdtempSync(join(folder, 'copy-'));
    cpSync('test/fixtures/network-of-four', copy, { recursive: true });
    expect(await runWith({ REGISTRY_DIR: copy }, 'new', 'subsite', 'kites')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(readdirSync(join(copy, 'subsites'))).toContain('kites.yaml');
  });

  it('gets no new record without network.yaml', async () => {
    const emptyFolder = mkdtempSync(join(folder, 'empty-'));
    expect(await runWith({ REGISTRY_DIR: emptyFolder }, 'new', 'subsite', 'kites')).toEqual({
      code: 2,
      stdout: '',
      stderr: `${emptyFolder}:1:1 is not a registry folder, because it has no network.yaml. Use ${registry}, or add the file.\n`,
    });
    expect(readdirSync(emptyFolder)).toEqual([]);
  });

  const missingFolder = join(folder, 'nowhere');
  it.each([
    ['check', () => run('check', missingFolder)],
    ['check by REGISTRY_DIR', () => runWith({ REGISTRY_DIR: missingFolder }, 'check')],
    ['check of a file', () => run('check', 'package.json')],
    ['new', () => run('new', 'subsite', 'kites', '--registry', missingFolder)],
  ])('must be a folder, and a wrong path is reported in one sentence: %s', async (_, command) => {
    expect(await command()).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^\S+ is not a folder\. Use the path of the registry folder.*\n(?:1 fault\.\n)?$/,
      ),
    });
  });

  it.each([
    ['the service uses its address', 'api', /\/api\.yaml:\d+:\d+ url: /],
    [
      'another record has its address',
      'crazybins',
      /\/liquidation\.yaml:\d+:\d+ url: .*subsites\/crazybins/,
    ],
    ['its name is too long', 'a'.repeat(65), /name: is longer than 64 characters/],
  ])('gets no record for a new subsite if %s', async (_, name, fault) => {
    const filesBefore = readdirSync(join(registry, 'subsites'));
    expect(await run('new', 'subsite', name, '--registry', registry)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(fault),
    });
    expect(readdirSync(join(registry, 'subsites'))).toEqual(filesBefore);
  });

  it('gets the first record of a new network whose other files still name removed services', async () => {
    const ownRegistry = mkdtempSync(join(folder, 'own-'));
    cpSync('registry', ownRegistry, { recursive: true });
    for (const part of ['subsites', 'catalog', 'pages'])
      for (const file of readdirSync(join(ownRegistry, part)))
        rmSync(join(ownRegistry, part, file), { recursive: true });
    expect(
      await run('new', 'subsite', 'knife-sharpening', '--registry', ownRegistry),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Wrote .*\nThe front page.*\nThe check also lists \d+ faults that the registry already had\.\n$/,
      ),
      stderr: '',
    });
    expect((await run('check', ownRegistry)).stderr).toMatch(
      /notOffered\[\d+\]\.instead\[0\]: “[a-z-]+” does not name a subsite\. .* Or remove instead\.\n/,
    );
  });

  it('gets a record even if other records have errors', async () => {
    const faultyRegistry = mkdtempSync(join(folder, 'faulty-'));
    cpSync('test/fixtures/network-of-four', faultyRegistry, { recursive: true });
    writeFileSync(
      join(faultyRegistry, 'links.yaml'),
      '- { slug: moon, target: /moon, title: Moon }\n',
    );
    expect(await run('new', 'subsite', 'kites', '--registry', faultyRegistry)).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
});

describe('a setting that a command does not need', () => {
  it.each(['check', 'probe'])('may be invalid: %s', async (command) => {
    const { stderr } = await runWith(
      { SITE_URL: 'http://x/', OUT_DIR: join(folder, 'no-build') },
      command,
      ...(command === 'probe' ? ['http://127.0.0.1:1'] : []),
    );
    expect(stderr).toMatch(/^(?:There is no build in .*\n)?$/);
  });

  it('is reported by a command that needs it', async () => {
    expect(
      await runWith({ REGISTRY_DIR: '', REGISTRY_DIR_FILE: join(folder, 'none') }, 'check'),
    ).toMatchObject({
      code: 1,
      stderr: `REGISTRY_DIR_FILE: ${join(folder, 'none')} cannot be read. Use the path of a readable file.\n`,
    });
  });
});
