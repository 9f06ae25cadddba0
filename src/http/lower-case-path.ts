/** Parameters whose values distinguish letter case. */
const CASE_SENSITIVE_PARAMETERS = ['{token}', '{reference}'];

const matches = (parts: readonly string[], segments: readonly string[]): boolean =>
  parts.length === segments.length &&
  parts.every((part, index) =>
    part.startsWith('{') ? segments[index] !== '' : part === segments[index]!.toLowerCase(),
  );

/**
 * The path of a page for an address that a phone or a person capitalized: in lower case except for
 * tokens and percent escapes. Undefined if the path is that of the page, or of no page. `patterns`
 * are the parts of the pages' paths between slashes, with parameters in braces.
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

/** Redirects a read of a page at an address with capitals; undefined if nothing needs a redirect. */
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
