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

const run = (command: string, ...args: string[]) => spawnSync(process.execPath, [`src/cli/${command}.ts`, ...args], { encoding: 'utf8' });
const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });

describe('the schemas for editors', () => {
  it('are those that the registry is read with', () => {
    expect(readdirSync('registry/schema').sort()).toEqual(Object.keys(editorSchemas).map((name) => `${name}.json`).sort());
    for (const name of Object.keys(editorSchemas)) expect(readFileSync(`registry/schema/${name}.json`, 'utf8'), 'stale: run npm run schemas').toBe(editorSchema(name));
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
    expect(run('new', 'subsite', 'Gutter Cleaning', '--registry', registry)).toMatchObject({ status: 1, stderr: expect.stringContaining('not a key') });
  });

  it('list every fault and exit 1, as lines and as JSON', () => {
    const file = join(registry, 'subsites', 'gutter-cleaning.yaml');
    const sound = readFileSync(file, 'utf8');
    writeFileSync(file, sound.replace('category: product', 'category: products').replace('type: zip', 'type: zipp'));
    const lines = run('check', registry);
    expect(lines.status).toBe(1);
    expect(lines.stderr).toMatch(/gutter-cleaning\.yaml:\d+:\d+ category: expected one of marketing, product, misc\. Did you mean product\?\n.*fields\.zip\.type: expected one of .*Did you mean zip\?\n2 faults\.\n$/);
    const json = run('check', registry, '--json');
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual([expect.objectContaining({ path: 'category', line: expect.any(Number) }), expect.objectContaining({ path: 'actions[0].fields.zip.type' })]);
    writeFileSync(file, sound);
  });

  it('refuse a revision that git does not know, in one sentence', () => {
    expect(run('check', registry, '--diff', 'no-such-branch')).toMatchObject({ status: 1, stderr: 'no-such-branch is not a revision that git knows here. Give a branch, a tag or a commit, for example origin/main.\n' });
  });
});
