import { Problem } from '../operation/problem.ts';
import { softwareLocale } from '../language.ts';

/** Maximum length in characters; RFC 9110 section 4.1 recommends at least 8,000. */
const MAX_TARGET_LENGTH = 8192;

export interface RequestTarget {
  /** Decoded site path with one leading slash and no trailing slash. */
  path: string;
  query: URLSearchParams;
  hasTrailingSlash: boolean;
}

const NO_QUERY = new URLSearchParams();

/** Creates the target for a normalized path. */
export const createTargetFromPath = (path: string): RequestTarget => ({
  path,
  query: NO_QUERY,
  hasTrailingSlash: false,
});

/** Advice for programs that request an unknown path. */
export const START_HINT = 'Start at /llms.txt, or send a need in plain words to /api/find?q=.';

const createNotFoundProblem = () =>
  new Problem('not_found', `There is nothing at this address. ${START_HINT}`);

/**
 * Parses the path and query of a request. Rejects URLs that two servers could interpret
 * differently: encoded slashes, backslashes, empty segments, dot segments.
 * @throws {Problem} invalid_input, not_found
 */
export function parseTarget(target: string): RequestTarget {
  if (target.length > MAX_TARGET_LENGTH)
    throw new Problem(
      'invalid_input',
      `The URL is longer than ${MAX_TARGET_LENGTH.toLocaleString(softwareLocale)} characters. Send long values in a body.`,
    );
  // Proxies send the absolute form (RFC 9112 section 3.2.2).
  const relativePath = target.startsWith('/')
    ? target
    : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  if (!relativePath.startsWith('/') && !relativePath.startsWith('?'))
    throw new Problem('invalid_input', 'The request target must start with "/".');
  const question = relativePath.indexOf('?');
  const raw = question < 0 ? relativePath : relativePath.slice(0, question) || '/';
  const query = question < 0 ? NO_QUERY : new URLSearchParams(relativePath.slice(question + 1));
  let path = raw;
  if (raw.includes('%')) {
    if (/%2f|%5c|%00/i.test(raw)) throw createNotFoundProblem();
    try {
      path = decodeURIComponent(raw);
    } catch {
      throw new Problem(
        'invalid_input',
        'The URL has invalid percent-encoding. Encode each UTF-8 byte as % and two hexadecimal digits.',
      );
    }
  }
  if (/\/\/|[\\\u0000-\u001f\u007f#]|\/\.{1,2}(?:\/|$)/.test(path)) throw createNotFoundProblem();
  const hasTrailingSlash = path.length > 1 && path.endsWith('/');
  return { path: hasTrailingSlash ? path.slice(0, -1) : path, query, hasTrailingSlash };
}
