import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { editorSchema, editorSchemas } from '../../src/registry/schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-'));
const registry = join(folder, 'registry');
cpSync('registry', registry, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

const runWith = (env: NodeJS.ProcessEnv, command: string, ...args: string[]) =>
  spawnSync(process.execPath, [`src/cli/${command}.ts`, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
const run = (command: string, ...args: string[]) => runWith({}, command, ...args);
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: folder,
  });

describe('the schemas for editors', () => {
  it('are those that the registry is read with', () => {
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
  it('write a record that passes, and say what came', () => {
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    expect(run('new', 'subsite', 'gutter-cleaning', '--registry', registry).status).toBe(0);
    expect(run('check', registry)).toMatchObject({ status: 0, stderr: '' });
    const diff = run('check', registry, '--diff', 'HEAD');
    expect(diff).toMatchObject({ status: 0, stdout: 'gutter-cleaning: was added\n' });
    const again = run('new', 'subsite', 'gutter-cleaning', '--registry', registry);
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('exists already') });
    expect(run('new', 'subsite', 'Gutter Cleaning', '--registry', registry)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not a key'),
    });
  });

  it('list every fault and exit 1, as lines and as JSON', () => {
    const file = join(registry, 'subsites', 'gutter-cleaning.yaml');
    const sound = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      sound.replace('category: product', 'category: products').replace('type: zip', 'type: zipp'),
    );
    const lines = run('check', registry);
    expect(lines.status).toBe(1);
    expect(lines.stderr).toMatch(
      /gutter-cleaning\.yaml:\d+:\d+ category: expected one of marketing, product, misc\. Did you mean product\?\n.*fields\.zip\.type: expected one of .*Did you mean zip\?\n2 faults\.\n$/,
    );
    const json = run('check', registry, '--json');
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual([
      expect.objectContaining({ path: 'category', line: expect.any(Number) }),
      expect.objectContaining({ path: 'actions[0].fields.zip.type' }),
    ]);
    writeFileSync(file, sound);
  });

  it('pass over what git keeps in a registry that is a repository of its own', () => {
    const own = mkdtempSync(join(folder, 'own-'));
    cpSync('test/fixtures/network-of-four', own, { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: own });
    expect(run('check', own)).toMatchObject({ status: 0, stderr: '' });
  });

  it('refuse a revision that git does not know, in one sentence', () => {
    expect(run('check', registry, '--diff', 'no-such-branch')).toMatchObject({
      status: 1,
      stderr:
        'no-such-branch is not a revision that git knows here. Give a branch, a tag or a commit, for example origin/main.\n',
    });
  });
});

describe('the registry of a command', () => {
  it('is that of REGISTRY_DIR where none is named', () => {
    expect(runWith({ REGISTRY_DIR: 'test/fixtures/network-of-four' }, 'check')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('network-of-four: 4 subsites'),
    });
    const empty = mkdtempSync(join(folder, 'empty-'));
    expect(runWith({ REGISTRY_DIR: empty }, 'new', 'subsite', 'kites')).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(readdirSync(join(empty, 'subsites'))).toEqual(['kites.yaml']);
  });

  const nowhere = join(folder, 'nowhere');
  it.each([
    ['check', () => run('check', nowhere)],
    ['check by REGISTRY_DIR', () => runWith({ REGISTRY_DIR: nowhere }, 'check')],
    ['check of a file', () => run('check', 'package.json')],
    ['new', () => run('new', 'subsite', 'kites', '--registry', nowhere)],
  ])('is refused in one sentence where it is no folder: %s', (_, command) => {
    expect(command()).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^\S+ is no folder\. Name the folder of the registry.*\n(?:1 fault\.\n)?$/,
      ),
    });
  });

  it.each([
    ['the service answers there', 'api', /\/api\.yaml:\d+:\d+ url: /],
    [
      'another record has its address',
      'crazybins',
      /\/liquidation\.yaml:\d+:\d+ url: .*subsites\/crazybins/,
    ],
    ['its name is too long', 'a'.repeat(65), /name: is longer than 64 characters/],
  ])('gets no record that would not pass, because %s', (_, name, fault) => {
    const before = readdirSync(join(registry, 'subsites'));
    expect(run('new', 'subsite', name, '--registry', registry)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(fault),
    });
    expect(readdirSync(join(registry, 'subsites'))).toEqual(before);
  });

  it('gets a record beside faults that others have', () => {
    const other = mkdtempSync(join(folder, 'faulty-'));
    cpSync('test/fixtures/network-of-four', other, { recursive: true });
    writeFileSync(join(other, 'links.yaml'), '- { slug: moon, target: /moon, title: Moon }\n');
    expect(run('new', 'subsite', 'kites', '--registry', other)).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});

describe('a setting that a command needs not', () => {
  it.each(['check', 'probe'])('may be bad: %s', (command) => {
    const { stderr } = runWith(
      { SITE_URL: 'http://x/', OUT_DIR: join(folder, 'no-build') },
      command,
      ...(command === 'probe' ? ['http://127.0.0.1:1'] : []),
    );
    expect(stderr).toMatch(/^(?:There is no build in .*\n)?$/);
  });

  it('is named where it is needed', () => {
    expect(
      runWith({ REGISTRY_DIR: '', REGISTRY_DIR_FILE: join(folder, 'none') }, 'check'),
    ).toMatchObject({
      status: 1,
      stderr: 'REGISTRY_DIR_FILE: the file cannot be read. Give the path of a readable file.\n',
    });
  });
});
