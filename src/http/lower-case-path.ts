/** Path parameters with case-sensitive values. */
const CASE_SENSITIVE_PARAMETERS = ['{token}', '{reference}'];

const matches = (parts: readonly string[], segments: readonly string[]): boolean =>
  parts.length === segments.length &&
  parts.every((part, index) =>
    part.startsWith('{') ? segments[index] !== '' : part === segments[index]!.toLowerCase(),
  );

/**
 * Converts a path that a phone or a person capitalized to the path of its page: lowercase, except
 * for tokens and percent escapes. Undefined if nothing changes or no page matches. `patterns` are
 * the page paths split at slashes, with parameters in braces.
 */
function findLowerCasePath(
  path: string,
  patterns: readonly (readonly string[])[],
): string | undefined {
  if (!/[A-Z]/.test(path)) return undefined;
  const segments = path.replace(/\/$/, '').split('/');
  const parts = patterns.find((candidate) => matches(candidate, segments));
  const lowerCasePath = parts
    ?.map((part, index) => {
      const segment = segments[index]!;
      return CASE_SENSITIVE_PARAMETERS.includes(part) || segment.includes('%')
        ? segment
        : segment.toLowerCase();
    })
    .join('/');
  return lowerCasePath === segments.join('/') ? undefined : lowerCasePath;
}

/**
 * Redirects a request for a page whose path has capital letters; undefined if no redirect is
 * needed.
 */
export function redirectToLowerCase(
  { method, url }: Request,
  patterns: readonly (readonly string[])[],
): Response | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const { pathname, search } = new URL(url);
  const path = findLowerCasePath(pathname, patterns);
  return path === undefined
    ? undefined
    : new Response(null, { status: 308, headers: { location: `${path}${search}` } });
}
