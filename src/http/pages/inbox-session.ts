import {
  type InboxSession,
  belongsToSession,
  closeInbox,
  openInbox,
  readInboxSession,
} from '../../keys/inbox-session.ts';
import { findReceiptTokenAndStatus } from '../../leads/lists/lead-records.ts';
import type { Context } from '../../operation/context.ts';
import { isReference } from '../../operation/tokens.ts';
import { Problem, type ProblemDetails } from '../../operation/problem.ts';
import type { Exchange } from '../exchange.ts';
import type { SignInView } from '../views.ts';
import { createInboxCookie, createSearchCookie, readInboxCookie } from './inbox-cookie.ts';
import { keptValuesOf, type PagePost, textOf } from './page-post.ts';

export const INBOX_PATH = '/inbox';

/** The query parameter and form input that name the lead to open after signing in. */
export const LEAD_PARAMETER = 'lead';

/**
 * Path of the inbox that asks for a key and then opens a lead. `reference` comes from a URL; if it
 * is not a valid reference, this is the path of the list.
 */
export const createSignInPath = (reference: string): string =>
  isReference(reference) ? `${INBOX_PATH}?${LEAD_PARAMETER}=${reference}` : INBOX_PATH;

/** Path of a lead in the inbox; the path of the list if `reference` is not valid. */
export const createLeadPath = (reference: string): string =>
  isReference(reference) ? `${INBOX_PATH}/${reference}` : INBOX_PATH;

/** Reads the session of a request; undefined if nobody is signed in. */
export const readSession = (
  { request }: Exchange,
  context: Context,
): Promise<InboxSession | undefined> => readInboxSession(readInboxCookie(request), context);

/**
 * Whether a request comes from a page of this site, from the address bar, or from a program, which
 * sends neither Sec-Fetch-Site nor Origin. Browsers without Sec-Fetch-Site send Origin.
 */
function isSameOrigin({ headers }: Request, base: string): boolean {
  const fetchSite = headers.get('sec-fetch-site');
  if (fetchSite !== null) return fetchSite === 'same-origin' || fetchSite === 'none';
  const origin = headers.get('origin');
  return origin === null || origin === new URL(base).origin;
}

/**
 * Authenticates a POST. A form must come from a page of this site, with the session's token;
 * without a session, only the sign-in form exists.
 * @throws {Problem} unauthorized
 */
export async function authenticateSender(
  exchange: Exchange,
  post: PagePost,
  context: Context,
): Promise<InboxSession | undefined> {
  const session = await readSession(exchange, context);
  const isTrustedOrigin =
    isSameOrigin(exchange.request, context.site.base) &&
    (!session || belongsToSession(textOf(post, 'form'), session));
  if (!isTrustedOrigin)
    throw new Problem(
      'unauthorized',
      'This form is not from your current session. Open the page again and send the form from there.',
    );
  return session;
}

/** The cookies for a session; without a `token`, they end it. */
const createSessionCookies = (token: string | undefined, { site: { base } }: Context): string[] => [
  createInboxCookie(token, base),
  // The next viewer may have a different key, so the search is deleted.
  createSearchCookie(undefined, base),
];

/** Ends the session of a request, and returns the cookies to set. */
export async function endSession({ request }: Exchange, context: Context): Promise<string[]> {
  await closeInbox(readInboxCookie(request), context);
  return createSessionCookies(undefined, context);
}

/**
 * Starts a session with a key in place of the current one, and returns it with the cookies to set.
 * With a `reference`, the key must show that lead.
 * @throws {Problem} unauthorized, insufficient_scope
 */
export async function startSession(
  { request }: Exchange,
  key: string,
  context: Context,
  reference?: string,
): Promise<{ session: InboxSession; cookies: string[] }> {
  const token = await openInbox(key, context);
  const session = (await readInboxSession(token, context))!;
  if (
    reference !== undefined &&
    !(await findReceiptTokenAndStatus(reference, session.access, context))
  ) {
    await closeInbox(token, context);
    throw new Problem(
      'unauthorized',
      'This key does not give access to this request. Use the key of the service that received it.',
    );
  }
  await closeInbox(readInboxCookie(request), context);
  return { session, cookies: createSessionCookies(token, context) };
}

/** The rejection of a form that was sent without a session. */
export const createSignedOutProblem = (): Problem =>
  new Problem(
    'unauthorized',
    'You are signed out, so nothing was sent. Sign in, and the request opens with what you entered.',
  );

/**
 * The sign-in page in place of a form for a lead, with what was entered in it, so that the page of
 * the lead can show it again. Undefined for a form on another site, which could otherwise fill in
 * an answer on the viewer’s behalf.
 */
export function createSignInView(
  { request, params }: Exchange,
  rejection: ProblemDetails,
  post: PagePost | undefined,
  { site: { base } }: Context,
): SignInView | undefined {
  if (post?.kind !== 'form' || !isSameOrigin(request, base)) return undefined;
  return {
    kind: 'sign-in',
    isSignedOut: false,
    lead: params['reference'],
    keptValues: keptValuesOf(post),
    rejection,
  };
}
