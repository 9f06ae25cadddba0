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

/**
 * Lets a request into the inbox. A form counts only where a page of the same session sent it; without a session, only
 * the sign-in form is taken, and only from this site.
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
  const foreign = request.headers.get('sec-fetch-site') === 'cross-site' || (session && texts['key'] === undefined && !(await isOfSession(texts['form'], cookie!, context)));
  if (foreign) throw new Problem('unauthorized', 'This form is not of your session. Open the page again, and send it from there.');
  return { session, texts };
}
