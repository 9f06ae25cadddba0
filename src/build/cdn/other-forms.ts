import { twinPath } from '../arena.ts';
import type { ServedFile } from '../policies.ts';
import { expression, map } from './nginx-syntax.ts';

const SUFFIX = '.md';

/** First folder of a path, with its slashes; the path itself where it is in none. */
const firstFolder = (path: string): string => /^\/[^/]+\//.exec(path)?.[0] ?? path;

/** Patterns of files that are apart from a group: a first folder where none of the group is in it, else each file. */
function apart(files: readonly string[], group: readonly string[]): string[] {
  const taken = new Set(group.map(firstFolder));
  const own = (file: string) => (taken.has(firstFolder(file)) ? file : firstFolder(file));
  return [...new Set(files.map(own))].sort().map((path) => `~^${expression(path)}${path.endsWith('/') ? '' : '$'}`);
}

/**
 * The map `$frontage_other_form`: the link of a page to its Markdown twin, and of a twin to its page (discovery.md "Link
 * headers"), by the file that nginx has chosen. Lines are few however many pages there are.
 */
export function otherFormMap(files: readonly ServedFile[], base: string): string {
  const paths = new Set(files.map(({ path }) => path));
  const pages = files.filter(({ policy }) => policy.kind === 'page');
  const twinned = pages.filter(({ path }) => paths.has(twinPath(path)));
  const twins = new Set(twinned.map(({ path }) => twinPath(path)));
  const bare = pages.filter(({ path }) => !paths.has(twinPath(path))).map(({ file }) => file);
  const lone = [...paths].filter((path) => path.endsWith(SUFFIX) && !twins.has(path));
  const alternate = (path: string) => `<${base}${path}>; rel="alternate"; type="text/markdown"`;
  const canonical = (path: string) => `<${base}${path}>; rel="canonical"`;
  return map('$uri', '$frontage_other_form', [
    ['default', ''],
    ...apart([...bare, ...lone], [...twinned.map(({ file }) => file), ...twins]).map((pattern) => [pattern, ''] as const),
    ['/index.html', alternate(twinPath('/'))],
    [twinPath('/'), canonical('/')],
    ['~^(?<frontage_page>/.*)\\.html$', alternate('${frontage_page}.md')],
    ['~^(?<frontage_page>/.*)\\.md$', canonical('${frontage_page}')],
  ]);
}
