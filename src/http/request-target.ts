import { Problem } from '../operation/problem.ts';

/**
 * Maximum length of a request target in characters; RFC 9110 section 4.1 recommends at least 8,000.
 */
const MAX_LENGTH = 8192;

export interface Target {
  /** Decoded site path, beginning with one slash, without a trailing slash. */
  path: string;
  query: URLSearchParams;
  /** Whether the path has a trailing slash. */
  hasTrailingSlash: boolean;
}

const NO_QUERY = new URLSearchParams();

/** The target for a path that is already normalized. */
export const plainTarget = (path: string): Target => ({
  path,
  query: NO_QUERY,
  hasTrailingSlash: false,
});

/** Where a program should start after it requests an unknown path. */
export const START_HINT = 'Begin at /llms.txt, or ask /api/find?q= with a need in plain words.';

const notFound = () => new Problem('not_found', `There is nothing at this address. ${START_HINT}`);

/**
 * The path and query of a request. An address that two servers could interpret differently (an
 * encoded slash, a backslash, an empty segment, dot segments) is rejected.
 * @throws {Problem} invalid_input, not_found
 */
export function readTarget(target: string): Target {
  if (target.length > MAX_LENGTH)
    throw new Problem(
      'invalid_input',
      `The URL is longer than ${MAX_LENGTH.toLocaleString('en')} characters. Send long values in a body.`,
    );
  // Absolute form, as proxies send it (RFC 9112 section 3.2.2).
  const relative = target.startsWith('/')
    ? target
    : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  if (!relative.startsWith('/') && !relative.startsWith('?'))
    throw new Problem('invalid_input', 'The request target must start with "/".');
  const question = relative.indexOf('?');
  const raw = question < 0 ? relative : relative.slice(0, question) || '/';
  const query = question < 0 ? NO_QUERY : new URLSearchParams(relative.slice(question + 1));
  let path = raw;
  if (raw.includes('%')) {
    if (/%2f|%5c|%00/i.test(raw)) throw notFound();
    try {
      path = decodeURIComponent(raw);
    } catch {
      throw new Problem(
        'invalid_input',
        'The URL has an invalid percent-encoding. Encode each byte of UTF-8 as % and two hexadecimal digits.',
      );
    }
  }
  if (/\/\/|[\\\u0000-\u001f\u007f#]|\/\.{1,2}(?:\/|$)/.test(path)) throw notFound();
  const hasTrailingSlash = path.length > 1 && path.endsWith('/');
  return { path: hasTrailingSlash ? path.slice(0, -1) : path, query, hasTrailingSlash };
}
