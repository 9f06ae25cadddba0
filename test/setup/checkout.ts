import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What nobody edits in a checkout made here. */
const linked = [
  'astro.config.mjs',
  'node_modules',
  'package-lock.json',
  'package.json',
  'public',
  'tsconfig.json',
];

/**
 * Makes a folder look like a checkout of its own, with sources and a registry to edit. Gives the
 * folder. The sources are copies: Astro takes the real path of a linked template for a path below
 * the folder when the two share no parent.
 */
export function makeCheckout(folder: string, registry = 'test/fixtures/network-of-four'): string {
  mkdirSync(folder, { recursive: true });
  for (const part of linked) symlinkSync(resolve(part), join(folder, part));
  for (const part of ['db', 'src']) cpSync(part, join(folder, part), { recursive: true });
  cpSync(registry, join(folder, 'registry'), { recursive: true });
  return folder;
}
