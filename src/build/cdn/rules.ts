import { lookup } from 'mrmime';
import type { Policy } from '../arena.ts';
import type { ServedFile } from '../policies.ts';

/** The paths that a rule covers. Each served path matches at most one rule. */
export type Pattern = { exact: string } | { prefix: string } | { suffix: string };

/** A rule for the headers of paths that are not served like pages. */
export interface Rule {
  pattern: Pattern;
  policy: Policy;
}

/** Minimum number of paths in a folder that gets a shared rule. */
const MIN_PATHS_PER_RULE = 4;

const extensionOf = (path: string): string => /\.[a-z0-9]+$/i.exec(path)?.[0] ?? '';
/** Folder of a path, with a trailing slash. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const essenceOf = (mediaType: string): string => mediaType.replace(/;.*/, '').trim();

/** True if a host derives the correct media type from the file extension. */
export const hasStandardType = ({ path, policy }: ServedFile): boolean =>
  lookup(path) === essenceOf(policy.mediaType);

export function matchesPath(pattern: Pattern, path: string): boolean {
  if ('exact' in pattern) return path === pattern.exact;
  return 'prefix' in pattern ? path.startsWith(pattern.prefix) : path.endsWith(pattern.suffix);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  return [...Map.groupBy(items, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The fewest rules that cover every file except pages: by extension, folder or path. */
export function buildRules(files: readonly ServedFile[]): Rule[] {
  const otherFiles = files.filter(
    ({ policy }) => policy.kind !== 'page' && policy.kind !== 'asset',
  );
  const rules: Rule[] = groupBy(
    files.filter(({ policy }) => policy.kind === 'asset'),
    ({ path }) => folderOf(path),
  ).map(([prefix, [file]]) => ({ pattern: { prefix }, policy: file!.policy }));
  const suffixGroups = groupBy(otherFiles.filter(hasStandardType), ({ path }) =>
    extensionOf(path),
  ).filter(([suffix, group]) => {
    const policies = new Set(
      files
        .filter(({ path, policy }) => policy.kind !== 'asset' && path.endsWith(suffix))
        .map(({ policy }) => policy),
    );
    return group.length > 1 && policies.size === 1;
  });
  for (const [suffix, [file]] of suffixGroups)
    rules.push({ pattern: { suffix }, policy: file!.policy });
  const remainingFiles = otherFiles.filter(
    ({ path }) => !rules.some(({ pattern }) => matchesPath(pattern, path)),
  );
  for (const [prefix, group] of groupBy(remainingFiles, ({ path }) => folderOf(path))) {
    const filesInFolder = files.filter(({ path }) => path.startsWith(prefix));
    const canShareRule =
      filesInFolder.length === group.length &&
      new Set(group.map(({ policy }) => policy)).size === 1;
    if (canShareRule && group.length >= MIN_PATHS_PER_RULE)
      rules.push({ pattern: { prefix }, policy: group[0]!.policy });
    else rules.push(...group.map(({ path, policy }) => ({ pattern: { exact: path }, policy })));
  }
  return rules;
}
