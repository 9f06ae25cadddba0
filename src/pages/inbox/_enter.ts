import type { AstroGlobal } from 'astro';
import { Problem } from '../../operations/index.ts';
import { type InboxSession, isOfSession, readInboxSession } from '../../operations/inbox-session.ts';
import { readPagePost } from '../../transports/index.ts';
import { inboxCookieOf } from '../../transports/inbox-cookie.ts';
import { admit } from '../_admit.ts';

/** A request to the inbox. */
export interface Entry {
  /** Absent where nobody has signed in. */
  session: InboxSession | undefined;
  /** What was posted; absent where the page was only opened. */
  texts: Readonly<Record<string, string>> | undefined;
}

/** What a browser says of a request that a page of this site sent, or that came of an address typed in. Programs say nothing. */
const isOwn = (request: Request): boolean => ['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'));

/**
 * Lets a request into the inbox. A form counts only where a page of this site sent it, and where there is a session, a
 * page of that session; without one there is nothing but the sign-in form that a form could do.
 * @throws {Problem}
 */
export async function enter(astro: AstroGlobal): Promise<Entry> {
  const { request, locals: { context } } = astro;
  const { posted } = await admit(astro);
  const cookie = inboxCookieOf(request);
  const session = await readInboxSession(cookie, context);
  if (!posted) return { session, texts: undefined };
  const post = await readPagePost(request);
  const texts = post.kind === 'form' ? post.texts : {};
  const trusted = isOwn(request) && (!session || (await isOfSession(texts['form'], cookie!, context)));
  if (!trusted) throw new Problem('unauthorized', 'This form is not of your session. Open the page again, and send it from there.');
  return { session, texts };
}
