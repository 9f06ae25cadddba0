import type { ServedFile } from '../policies.ts';
import { folderOf } from './rules.ts';

/**
 * Folders whose documents have a second copy, named with a dot and a word appended: the document
 * for `?include={word}`.
 */
export function findIncludes(files: readonly ServedFile[]): { folder: string; value: string }[] {
  const documents = new Set(
    files.filter(({ policy }) => policy.kind === 'document').map(({ path }) => path),
  );
  const includesByKey = new Map<string, { folder: string; value: string }>();
  for (const path of documents) {
    const dot = path.lastIndexOf('.');
    if (dot < 1 || !documents.has(path.slice(0, dot))) continue;
    const include = { folder: folderOf(path), value: path.slice(dot + 1) };
    includesByKey.set(`${include.folder} ${include.value}`, include);
  }
  return [...includesByKey.values()];
}
