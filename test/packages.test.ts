import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
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

/** Bytes that a package takes, without the packages in it. */
function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') bytes += sizeOf(join(folder, entry.name));
    } else bytes += lstatSync(join(folder, entry.name)).size;
  return bytes;
}

describe('the packages of the project', () => {
  it('bring the interpreter of each platform once, with the hash of its content', () => {
    expect(interpreters.length).toBeGreaterThan(3);
    for (const path of interpreters)
      expect(packages[path], path).toMatchObject({
        version: expect.stringMatching(/^24\./),
        integrity: expect.stringMatching(/^sha512-/),
      });
    const brought = realpathSync('node_modules/.bin/node');
    const own = interpreters.find((path) => brought.startsWith(realpathSync('.') + `/${path}/`));
    expect(process.version).toBe(`v${packages[own!]!.version}`);
    expect(packages).not.toHaveProperty(['node_modules/node']);
  });

  it('say nothing of the Node that npm runs on, so that npm ci has nothing to warn of', () => {
    const saying = Object.entries(packages).filter(([path, { engines }]) => path && engines);
    expect(saying.map(([path]) => path)).toEqual([]);
  });

  it('take less than 450 MB on the disk of a server', () => {
    const installed = Object.entries(packages)
      .filter(([path, { dev }]) => path.startsWith('node_modules/') && !dev)
      .flatMap(([path]) => {
        try {
          return [{ path, bytes: sizeOf(path) }];
        } catch (error) {
          // A package of another platform.
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
          throw error;
        }
      })
      .sort((a, b) => b.bytes - a.bytes);
    const total = installed.reduce((sum, { bytes }) => sum + bytes, 0);
    const largest = installed.slice(0, 10).map(({ path, bytes }) => `${path} ${bytes / 1e6} MB`);
    expect(total / 1e6, largest.join('\n')).toBeLessThan(450);
  });
});
