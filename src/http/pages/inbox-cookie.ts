import { parse, serialize } from 'hono/utils/cookie';
import { SESSION_HOURS } from '../../keys/inbox-session.ts';

/** Names of the cookies with the session token and the latest search text. */
type CookieName = 'inbox_session' | 'inbox_search';

/** How long, in seconds, the browser keeps the search text. */
const SEARCH_SECONDS = 600;
/** Browsers drop cookies over 4 KiB. */
const MAX_SEARCH_LENGTH = 200;

const readCookie = (request: Request, name: CookieName): string | undefined =>
  parse(request.headers.get('cookie') ?? '', name)[name];

/**
 * A Set-Cookie header (RFC 6265bis); without `value`, it deletes the cookie. Scripts cannot read
 * the cookie, other sites cannot send it, and browsers send it only to the inbox.
 */
const createCookie = (
  name: CookieName,
  value: string | undefined,
  seconds: number,
  base: string,
): string =>
  serialize(name, value ?? '', {
    path: '/inbox',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: value === undefined ? 0 : seconds,
    secure: base.startsWith('https:'),
  });

/** Reads the session token of a request. */
export const readInboxCookie = (request: Request): string | undefined =>
  readCookie(request, 'inbox_session');

/** The Set-Cookie header that starts or ends a session. */
export const createInboxCookie = (session: string | undefined, base: string): string =>
  createCookie('inbox_session', session, SESSION_HOURS * 3600, base);

/**
 * The Set-Cookie header that keeps a search text for its results page, whose URL must not contain
 * it: URLs are logged, and the text may be a name, an email address or a phone number.
 */
export const createSearchCookie = (text: string | undefined, base: string): string =>
  createCookie(
    'inbox_search',
    text && Buffer.from(text.slice(0, MAX_SEARCH_LENGTH)).toString('base64url'),
    SEARCH_SECONDS,
    base,
  );

/** Reads the text of the latest search. */
export const readSearchCookie = (request: Request): string | undefined =>
  Buffer.from(readCookie(request, 'inbox_search') ?? '', 'base64url').toString() || undefined;
