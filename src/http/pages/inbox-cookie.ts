import { SESSION_HOURS } from '../../keys/inbox-session.ts';

const COOKIE_NAME = 'inbox_session';

/** Reads the session token of a request. */
export function readInboxCookie(request: Request): string | undefined {
  const cookies = (request.headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='));
  return cookies.find(([name]) => name === COOKIE_NAME)?.[1];
}

/**
 * The Set-Cookie header that starts or ends a session (RFC 6265bis). Scripts cannot read the
 * cookie, other sites cannot send it, and browsers send it only to the inbox.
 */
export const createInboxCookie = (session: string | undefined, base: string): string =>
  [
    `${COOKIE_NAME}=${session ?? ''}`,
    'Path=/inbox',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${session === undefined ? 0 : SESSION_HOURS * 3600}`,
    ...(base.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');
