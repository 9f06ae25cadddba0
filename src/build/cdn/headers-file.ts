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
 * The content of `_headers` for Netlify and Cloudflare. These hosts apply every matching rule and
 * join the values of a repeated header. Therefore, the first rule sets the headers of pages, except
 * the cache lifetime, which the host sets, and no other rule repeats them.
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
