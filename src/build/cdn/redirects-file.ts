import type { ArenaIndex } from '../arena.ts';
import { listIncludes } from '../includes.ts';
import type { ServedFile } from '../policies.ts';
import { folderOf } from './rules.ts';

/**
 * The content of `_redirects` for Netlify and Cloudflare. The lines for `?include=` are for
 * Netlify; Cloudflare skips them because its redirects ignore the query.
 */
export function renderRedirectsFile(
  redirects: ArenaIndex['redirects'],
  files: readonly ServedFile[],
): string {
  const documents = files.filter(({ policy }) => policy.kind === 'document');
  const includeLines = listIncludes(documents.map(({ path }) => path)).map(({ path, value }) => {
    const folder = folderOf(path);
    return `${folder}:name include=${value} ${folder}:name.${value} 200`;
  });
  return [
    ...redirects.map(([path, target]) => `${path} ${target} 302`),
    ...new Set(includeLines),
    '',
  ].join('\n');
}
