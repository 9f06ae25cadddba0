import type { ServedFile } from '../policies.ts';
import { listIncludes } from '../includes.ts';
import { folderOf } from './rules.ts';

/**
 * Folders whose documents have a second copy, named with a dot and a word appended: the document
 * for `?include={word}`.
 */
export function findIncludes(files: readonly ServedFile[]): { folder: string; value: string }[] {
  const documents = files.filter(({ policy }) => policy.kind === 'document');
  const includesByKey = new Map<string, { folder: string; value: string }>();
  for (const { path, value } of listIncludes(documents.map((document) => document.path))) {
    const folder = folderOf(path);
    includesByKey.set(`${folder} ${value}`, { folder, value });
  }
  return [...includesByKey.values()];
}
