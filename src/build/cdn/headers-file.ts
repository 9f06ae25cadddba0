import type { ServedFile } from '../policies.ts';
import type { Pattern, Rule } from './rules.ts';

/** Maximum number of rules that Cloudflare reads. */
export const MAX_RULES = 100;

const patternText = (pattern: Pattern): string =>
  'exact' in pattern
    ? pattern.exact
    : 'prefix' in pattern
      ? `${pattern.prefix}*`
      : `/*${pattern.suffix}`;

const block = (pattern: string, headers: readonly (readonly [string, string])[]): string =>
  `${pattern}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`;

/**
 * `_headers`, as Netlify and Cloudflare read it: every matching rule applies, and values of the
 * same header are joined. So the first rule has the headers of pages, without the cache lifetime
 * that such a host sets, and no later rule repeats it.
 */
export function headersFile(files: readonly ServedFile[], rules: readonly Rule[]): string {
  const page = files.find(({ policy }) => policy.kind === 'page')?.policy.headers ?? {};
  const commonHeaders = Object.entries(page).filter(([name]) => name !== 'cache-control');
  const names = new Set(commonHeaders.map(([name]) => name));
  return [
    block('/*', commonHeaders),
    ...rules.map(({ pattern, policy }) =>
      block(patternText(pattern), [
        ...(policy.kind === 'asset' ? [] : [['content-type', policy.mediaType] as const]),
        ...Object.entries(policy.headers).filter(([name]) => !names.has(name)),
      ]),
    ),
  ].join('\n');
}
