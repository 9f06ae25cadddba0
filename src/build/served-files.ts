import { readdirSync } from 'node:fs';

/** CDN configuration files, which are never served. */
const CONTROL_FILES = new Set(['/_headers', '/_redirects']);

/** Every served file in a folder, with a leading slash, sorted. */
export function listServedFiles(dir: string): string[] {
  const root = dir.replace(/\/$/, '');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length))
    .filter((file) => !CONTROL_FILES.has(file))
    .sort();
}
