import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Files that no test edits. */
const linkedFiles = [
  'astro.config.mjs',
  'node_modules',
  'package-lock.json',
  'package.json',
  'public',
  'tsconfig.json',
];

/**
 * Creates a checkout with its own sources and registry, and returns its folder. The sources are
 * copied rather than linked, because Astro misresolves the real path of a linked template. They keep
 * their exact modification times, with which a copied bundle is current.
 */
export function makeCheckout(folder: string, registry = 'test/fixtures/network-of-four'): string {
  mkdirSync(folder, { recursive: true });
  for (const part of linkedFiles) symlinkSync(resolve(part), join(folder, part));
  execFileSync('cp', ['-Rp', 'db', 'src', folder]);
  cpSync(registry, join(folder, 'registry'), { recursive: true });
  return folder;
}
