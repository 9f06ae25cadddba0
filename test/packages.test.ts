import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Entry {
  version: string;
  integrity?: string;
  dev?: boolean;
  engines?: unknown;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Entry>;
};
const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  optionalDependencies: Record<string, string>;
};
const interpreters = Object.keys(optionalDependencies).map((name) => `node_modules/${name}`);

/** Disk usage of a package in bytes with 4-KiB blocks, nested packages excluded. */
function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') bytes += sizeOf(join(folder, entry.name));
    } else bytes += Math.ceil(lstatSync(join(folder, entry.name)).size / 4096) * 4096;
  return bytes;
}

/** Hard-links the files of a package into another folder, nested packages excluded. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true }))
    if (!entry.isDirectory()) linkSync(join(from, entry.name), join(to, entry.name));
    else if (entry.name !== 'node_modules') link(join(from, entry.name), join(to, entry.name));
}

describe('the packages of the project', () => {
  it('include each platform’s Node binary once, with its content hash', () => {
    expect(interpreters.length).toBeGreaterThan(3);
    for (const path of interpreters)
      expect(packages[path], path).toMatchObject({
        version: expect.stringMatching(/^24\./),
        integrity: expect.stringMatching(/^sha512-/),
      });
    const nodePath = realpathSync('node_modules/.bin/node');
    const ownInterpreter = interpreters.find((path) =>
      nodePath.startsWith(realpathSync('.') + `/${path}/`),
    );
    expect(process.version).toBe(`v${packages[ownInterpreter!]!.version}`);
    expect(packages).not.toHaveProperty(['node_modules/node']);
  });

  it('declare no engine version, so that npm ci prints no warning', () => {
    const packagesWithEngines = Object.entries(packages).filter(
      ([path, { engines }]) => path && engines,
    );
    expect(packagesWithEngines.map(([path]) => path)).toEqual([]);
  });

  it('take less than 350 MB on a server’s disk as measured by du -m, and exclude development dependencies', () => {
    const server = mkdtempSync(join(tmpdir(), 'server-'));
    mkdirSync(join(server, 'node_modules'));
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(file, join(server, file));
    const installedPackages = Object.entries(packages)
      .filter(([path, { dev }]) => path.startsWith('node_modules/') && !dev && existsSync(path))
      .map(([path]) => path);
    // The packages are linked, not copied, so that removing files there does not remove the
    // originals.
    for (const path of installedPackages) link(path, join(server, path));
    execFileSync(process.execPath, [resolve('src/cli/after-install.ts')], { cwd: server });
    const sizes = installedPackages
      .map((path) => ({ path, bytes: sizeOf(join(server, path)) }))
      .sort((a, b) => b.bytes - a.bytes);
    rmSync(server, { recursive: true });
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    const largestPackages = sizes
      .slice(0, 10)
      .map(({ path, bytes }) => `${path} ${bytes / 1e6} MB`);
    expect(total / 2 ** 20, largestPackages.join('\n')).toBeLessThan(350);
  });
});
