import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What a checkout holds that its programs need. */
const parts = ['astro.config.mjs', 'db', 'node_modules', 'package-lock.json', 'package.json'];

/** Makes a folder look like a checkout of its own: the program by links, and a registry to edit. Gives the folder. */
export function makeCheckout(folder: string, registry = 'test/fixtures/network-of-four'): string {
  mkdirSync(folder, { recursive: true });
  for (const part of [...parts, 'public', 'src', 'tsconfig.json'])
    symlinkSync(resolve(part), join(folder, part));
  cpSync(registry, join(folder, 'registry'), { recursive: true });
  return folder;
}
