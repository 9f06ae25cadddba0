import { countCodePoints } from '../fields/text-length.ts';

/** Maximum length of a share link's path, in characters. */
export const MAX_SHARE_PATH_LENGTH = 2000;

// Control, white-space, invisible and bidirectional characters, which do not belong in a URL.
const FORBIDDEN_PATTERN = /[\p{C}\p{Z}\\\uFFFD]/u;
const FORBIDDEN_ENCODED_PATTERN = /[\p{Cc}\\]/u;

/**
 * Percent-decodes a string until it no longer changes, so that decoding it again has no effect;
 * undefined if it cannot be decoded.
 */
function decodeFully(text: string): string | undefined {
  try {
    for (let before = text, round = 0; round < 8; round++) {
      const after = decodeURIComponent(before);
      if (after === before) return after;
      before = after;
    }
  } catch {
    // Not UTF-8, or not valid percent-encoding.
  }
  return undefined;
}

const countSegments = (text: string): number => text.split('/').length;
const isUnder = (path: string, url: string): boolean => path === url || path.startsWith(`${url}/`);

/**
 * The site-relative path, with query and fragment, of a subsite's share link; undefined if `path`
 * is not at or under the subsite's `url` on `base`, no matter how a browser, a proxy or a second
 * decoder reads it. Without a leading slash, it is relative to `url`.
 */
export function resolveSharePath(path: string, url: string, base: string): string | undefined {
  if (path === '' || countCodePoints(path) > MAX_SHARE_PATH_LENGTH || FORBIDDEN_PATTERN.test(path))
    return undefined;
  const route = path.replace(/[?#].*$/su, '');
  const plain = decodeFully(route);
  if (
    plain === undefined ||
    FORBIDDEN_ENCODED_PATTERN.test(plain) ||
    plain.includes('//') ||
    countSegments(plain) !== countSegments(route)
  )
    return undefined;
  // Some parsers treat an encoded dot segment as a dot segment, others as a name.
  const countDotSegments = (text: string) =>
    text.split('/').filter((segment) => segment === '.' || segment === '..').length;
  if (countDotSegments(plain) !== countDotSegments(route)) return undefined;
  const isAbsolute = route.startsWith('/');
  if (isAbsolute ? !isUnder(route, url) : /^[^/]*[:@]/.test(plain)) return undefined;

  const origin = new URL(base).origin;
  const from = route === '' ? `${origin}${url}` : `${origin}${url}/`;
  const target = URL.canParse(path, from) ? new URL(path, from) : undefined;
  if (!target || target.origin !== origin || target.username || target.password) return undefined;
  const pathname =
    target.pathname.length > 1 ? target.pathname.replace(/\/$/, '') : target.pathname;
  return isUnder(pathname, url) ? `${pathname}${target.search}${target.hash}` : undefined;
}
