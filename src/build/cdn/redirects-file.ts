import type { ArenaIndex } from '../arena.ts';

/**
 * The content of `_redirects` for Netlify and Cloudflare. The lines for `?include=` are for
 * Netlify; Cloudflare skips them because its redirects ignore the query.
 */
export function renderRedirectsFile(
  redirects: ArenaIndex['redirects'],
  includes: readonly { folder: string; value: string }[],
): string {
  return [
    ...redirects.map(([path, target]) => `${path} ${target} 302`),
    ...includes.map(
      ({ folder, value }) => `${folder}:name include=${value} ${folder}:name.${value} 200`,
    ),
    '',
  ].join('\n');
}
