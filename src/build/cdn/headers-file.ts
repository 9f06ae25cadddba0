import type { ServedFile } from '../policies.ts';
import type { Pattern, Rule } from './rules.ts';

/** Maximum number of rules that Cloudflare reads. */
export const MAX_RULES = 100;

const formatPattern = (pattern: Pattern): string =>
  'exact' in pattern
    ? pattern.exact
    : 'prefix' in pattern
      ? `${pattern.prefix}*`
      : `/*${pattern.suffix}`;

const formatBlock = (pattern: string, headers: readonly (readonly [string, string])[]): string =>
  `${pattern}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`;

/**
 * The content of `_headers` for Netlify and Cloudflare. These hosts apply every matching rule and
 * join the values of a repeated header. Therefore, the first rule sets the headers of pages, except
 * the cache lifetime, which the host sets, and no other rule repeats them.
 */
export function renderHeadersFile(files: readonly ServedFile[], rules: readonly Rule[]): string {
  const pageHeaders = files.find(({ policy }) => policy.kind === 'page')?.policy.headers ?? {};
  const commonHeaders = Object.entries(pageHeaders).filter(([name]) => name !== 'cache-control');
  const names = new Set(commonHeaders.map(([name]) => name));
  return [
    formatBlock('/*', commonHeaders),
    ...rules.map(({ pattern, policy }) =>
      formatBlock(formatPattern(pattern), [
        ...(policy.kind === 'asset' ? [] : [['content-type', policy.mediaType] as const]),
        ...Object.entries(policy.headers).filter(([name]) => !names.has(name)),
      ]),
    ),
  ].join('\n');
}
