import { closeInbox, openInbox } from '../../keys/inbox-session.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import { MAX_FOUND_LEADS } from '../../leads/lists/find-leads.ts';
import { searchLeads } from '../../leads/lists/search-leads.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import { createInboxCookie, readInboxCookie } from './inbox-cookie.ts';
import { createInboxListView, FOUND_PARAMETER } from './inbox-list.ts';
import { INBOX_PATH, authenticateSender, readSession } from './inbox-session.ts';
import { type Page, createSeeOtherResponse } from './page.ts';
import { textOf } from './page-post.ts';

const SIGNED_OUT_PARAMETER = 'signed-out';

/** URL of the search results. URLs are logged, so it has no name, email address or phone number. */
async function findResultUrl(
  searchText: string,
  access: LeadAccess,
  context: Context,
): Promise<string> {
  const found = await searchLeads(searchText, MAX_FOUND_LEADS, access, context);
  const references = found.map(({ reference }) => reference);
  return references.length === 1
    ? `${INBOX_PATH}/${references.join()}`
    : `${INBOX_PATH}?${FOUND_PARAMETER}=${references.join()}`;
}

/**
 * The operator's or a provider's inbox. After signing in with a key, it lists first the leads that
 * are due, then all leads, newest first. No page links here.
 */
export function createInboxPage(context: Context): Page {
  return {
    home: INBOX_PATH,
    async show(exchange) {
      const session = await readSession(exchange, context);
      if (!session)
        throw new Problem(
          'unauthorized',
          `Sign in at ${INBOX_PATH} with a key that has the scope inbox.`,
        );
      return createInboxListView(session, new URL(exchange.request.url).searchParams, context);
    },
    async submit(exchange, post) {
      const sender = await authenticateSender(exchange, post, context);
      const searchText = textOf(post, 'find');
      if (searchText !== undefined)
        return createSeeOtherResponse(
          sender ? await findResultUrl(searchText, sender.access, context) : INBOX_PATH,
        );
      const isSignOut = Boolean(textOf(post, 'leave'));
      const session = isSignOut ? undefined : await openInbox(textOf(post, 'key') ?? '', context);
      await closeInbox(readInboxCookie(exchange.request), context);
      return createSeeOtherResponse(
        isSignOut ? `${INBOX_PATH}?${SIGNED_OUT_PARAMETER}` : INBOX_PATH,
        {
          'set-cookie': createInboxCookie(session, context.site.base),
        },
      );
    },
    async showRejection(exchange, rejection, post) {
      const session = await readSession(exchange, context);
      const query = new URL(exchange.request.url).searchParams;
      if (session)
        return {
          ...(await createInboxListView(session, query, context)),
          rejection,
          searchText: textOf(post, 'find'),
        };
      return {
        kind: 'sign-in',
        isSignedOut: query.has(SIGNED_OUT_PARAMETER),
        ...(exchange.request.method === 'POST' && { rejection }),
      };
    },
  };
}
