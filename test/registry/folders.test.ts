import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { computeCurrentStamp } from '../../src/build/stamp.ts';
import { loadRegistry, readSources } from '../../src/registry/index.ts';
import { getBundledProgram } from '../setup/bundled-program.ts';
import { runCommand } from '../setup/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'registry-folders-'));
afterAll(() => rmSync(folder, { recursive: true }));

let home: string;
let registry: string;
beforeEach(() => {
  home = mkdtempSync(join(folder, 'home-'));
  registry = join(home, 'registry');
  cpSync('test/fixtures/network-of-four', registry, { recursive: true });
});

const check = (...args: string[]) => runCommand('check', args);
const faultsOf = async () => {
  const { code, stderr } = await check(registry);
  expect(code).toBe(1);
  return stderr.replaceAll(registry, '').split('\n').slice(0, -2);
};

describe('a folder that is not a registry', () => {
  it('is one fault, which names a registry below, above or beside it', async () => {
    mkdirSync(join(home, 'src', 'deep'), { recursive: true });
    writeFileSync(join(home, 'secret.env'), 'password: abc def #x\n');
    const describeFault = (path: string) =>
      `${path}:1:1 is not a registry folder, because it has no network.yaml. Use ${registry}, or add the file.\n1 fault.\n`;
    for (const path of [home, join(registry, 'subsites'), join(home, 'src', 'deep')])
      expect(await check(path)).toEqual({ code: 2, stdout: '', stderr: describeFault(path) });
    renameSync(registry, join(home, 'records'));
    expect((await check(home)).stderr).toBe(
      describeFault(home).replace(registry, join(home, 'records')),
    );
    rmSync(join(home, 'records'), { recursive: true });
    // The folder of editor schemas also has a network.json.
    cpSync('registry/schema', join(home, 'schema'), { recursive: true });
    expect((await check(home)).stderr).toBe(
      `${home}:1:1 is not a registry folder, because it has no network.yaml. Use the path of the registry folder, or add the file.\n1 fault.\n`,
    );
  });
});

describe('files in a registry folder that are not registry files', () => {
  it('include a folder with the name of a record, even if it is empty', async () => {
    mkdirSync(join(registry, 'subsites', 'gutters.yaml'));
    mkdirSync(join(registry, 'pages', 'terms.md'));
    writeFileSync(join(registry, 'pages', 'terms.md', 'a.md'), '');
    const problem = 'is a folder with the name of a file. Rename or remove it.';
    expect(await faultsOf()).toEqual([
      `/pages/terms.md:1:1 ${problem}`,
      `/subsites/gutters.yaml:1:1 ${problem}`,
    ]);
  });

  it('are one fault for each folder, and their text is never read or shown', async () => {
    mkdirSync(join(registry, 'modules', 'deep'), { recursive: true });
    for (const file of ['modules/a.js', 'modules/deep/b.env', 'subsites/notes.txt', 'secret.env'])
      writeFileSync(join(registry, file), 'password: abc def #x\n');
    const expected =
      'Expected network.yaml, routes.yaml, links.yaml, capabilities.yaml, responsiveness.json, subsites/*.yaml, catalog/*.yaml, pages/*.md, images/*.{jpg,png,webp,avif}.';
    expect(await faultsOf()).toEqual([
      `/modules/a.js:1:1 is one of 2 files in /modules that are not registry files (also b.env). ${expected}`,
      `/secret.env:1:1 is not a registry file. ${expected}`,
      `/subsites/notes.txt:1:1 is not a registry file. ${expected}`,
    ]);
    expect(JSON.stringify(readSources(registry))).not.toContain('password');
  });

  it('are said to need a lowercase extension if only that is wrong', async () => {
    mkdirSync(join(registry, 'images'), { recursive: true });
    writeFileSync(join(registry, 'images', 'IMG_1.JPG'), '');
    expect(await faultsOf()).toEqual([
      expect.stringContaining(
        '/images/IMG_1.JPG:1:1 is not a registry file. Write the extension in lowercase: IMG_1.jpg. Expected ',
      ),
    ]);
  });
});

describe('links in a registry folder', () => {
  it('are followed to files and folders, even outside the registry folder', () => {
    const expected = loadRegistry(registry, [], 'registry');
    renameSync(join(registry, 'subsites', 'bus.yaml'), join(home, 'bus.yaml'));
    symlinkSync('../../bus.yaml', join(registry, 'subsites', 'bus.yaml'));
    renameSync(join(registry, 'catalog'), join(home, 'shared'));
    symlinkSync('../shared', join(registry, 'catalog'));
    expect(loadRegistry(registry, [], 'registry')).toEqual(expected);
  });

  it('make a build out of date when a linked file changes', () => {
    vi.stubEnv('REGISTRY_DIR', registry);
    renameSync(join(registry, 'links.yaml'), join(home, 'links.yaml'));
    symlinkSync('../links.yaml', join(registry, 'links.yaml'));
    const stamp = computeCurrentStamp();
    expect(computeCurrentStamp()).toEqual(stamp);
    writeFileSync(join(home, 'links.yaml'), '[]\n');
    expect(computeCurrentStamp().inputs).not.toBe(stamp.inputs);
    vi.unstubAllEnvs();
  });

  it('are faults if they lead nowhere or back to themselves', async () => {
    symlinkSync('missing.yaml', join(registry, 'subsites', 'hvac.yaml'));
    symlinkSync('round.yaml', join(registry, 'subsites', 'round.yaml'));
    expect(await faultsOf()).toEqual([
      '/subsites/hvac.yaml:1:1 is a link to a file that does not exist. Correct or remove the link.',
      '/subsites/round.yaml:1:1 is a link that points back to itself. Correct or remove the link.',
    ]);
    symlinkSync('..', join(registry, 'pages', 'up'));
    expect(await faultsOf()).toEqual([
      '/pages/up:1:1 is a link to a folder that contains it. Remove the link.',
    ]);
  });

  it('are ignored if their name begins with a dot, as with editors’ lock files', async () => {
    symlinkSync('somebody@host.1', join(registry, 'subsites', '.#bus.yaml'));
    expect(await check(registry)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a registry that the user may not read or write', () => {
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  /** Runs a command as a user who is subject to permissions. */
  const runAsUser = async (command: 'check' | 'new', ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [await getBundledProgram(`src/cli/${command}.ts`), ...args],
      { encoding: 'utf8', ...user },
    );
    return { code: status, stdout, stderr };
  };

  it('is reported as faults by npm run check', async () => {
    for (const path of [folder, home, registry]) chmodSync(path, 0o755);
    execFileSync('chmod', ['-R', 'a+rX', registry]);
    chmodSync(join(registry, 'links.yaml'), 0);
    const problem = 'cannot be read, because permission is denied. Change its permissions.';
    expect(await runAsUser('check', registry)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${registry}/links.yaml:1:1 ${problem}\n1 fault. Some rules are checked only when every record can be read.\n`,
    });
    chmodSync(join(registry, 'subsites'), 0);
    expect((await runAsUser('check', registry)).stderr).toBe(
      `${registry}/subsites:1:1 ${problem}\n1 fault.\n`,
    );
    chmodSync(registry, 0);
    expect((await runAsUser('check', registry)).stderr).toBe(
      `${registry}:1:1 ${problem}\n1 fault.\n`,
    );
  });

  it('gets no record from npm run new, and the path and the fix are printed', async () => {
    for (const path of [folder, home, registry]) chmodSync(path, 0o755);
    execFileSync('chmod', ['-R', 'a+rX', registry]);
    chmodSync(join(registry, 'subsites'), 0o555);
    expect(await runAsUser('new', 'subsite', 'dog-walking', '--registry', registry)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${join(registry, 'subsites', 'dog-walking.yaml')}: Permission denied. Change the permissions, or choose another path.\n`,
    });
  });
});
