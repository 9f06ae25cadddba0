import { readdirSync } from 'node:fs';

/** CDN configuration files, which are never served. */
const CONTROL_FILES = new Set(['/_headers', '/_redirects']);

const isCompressedCopy = (file: string, allFiles: ReadonlySet<string>) =>
  /\.(?:gz|br)$/.test(file) && allFiles.has(file.slice(0, file.lastIndexOf('.')));

/** Every served file in a folder, with a leading slash, sorted. */
export function listServedFiles(dir: string): string[] {
  const root = dir.replace(/\/$/, '');
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length));
  const allFiles = new Set(files);
  return files
    .filter((file) => !CONTROL_FILES.has(file) && !isCompressedCopy(file, allFiles))
    .sort();
}
