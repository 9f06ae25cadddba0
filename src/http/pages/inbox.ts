import type { LeadAccess } from '../../keys/key-scopes.ts';
import { MAX_FOUND_LEADS } from '../../leads/lists/find-leads.ts';
import { searchLeads } from '../../leads/lists/search-leads.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import { createSearchCookie, readSearchCookie } from './inbox-cookie.ts';
import { createInboxListView, FOUND_PARAMETER } from './inbox-list.ts';
import {
  INBOX_PATH,
  LEAD_PARAMETER,
  authenticateSender,
  createLeadPath,
  endSession,
  readSession,
  startSession,
} from './inbox-session.ts';
import { type Page, createSeeOtherResponse } from './page.ts';
import { textOf } from './page-post.ts';

const SIGNED_OUT_PARAMETER = 'signed-out';

/** Redirects to the only result of a search, or to the list of results. */
async function createSearchResponse(
  searchText: string,
  access: LeadAccess,
  context: Context,
): Promise<Response> {
  const foundLeads = await searchLeads(searchText, MAX_FOUND_LEADS, access, context);
  const references = foundLeads.map(({ reference }) => reference);
  return references.length === 1
    ? createSeeOtherResponse(`${INBOX_PATH}/${references.join()}`)
    : createSeeOtherResponse(`${INBOX_PATH}?${FOUND_PARAMETER}=${references.join()}`, {
        'set-cookie': createSearchCookie(searchText, context.site.base),
      });
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
      const query = new URL(exchange.request.url).searchParams;
      const lead = query.get(LEAD_PARAMETER);
      if (lead !== null) return createSeeOtherResponse(createLeadPath(lead));
      return {
        ...(await createInboxListView(session, query, context)),
        ...(query.has(FOUND_PARAMETER) && { searchText: readSearchCookie(exchange.request) }),
      };
    },
    async submit(exchange, post) {
      const sender = await authenticateSender(exchange, post, context);
      const searchText = textOf(post, 'find');
      if (searchText !== undefined)
        return sender
          ? createSearchResponse(searchText, sender.access, context)
          : createSeeOtherResponse(INBOX_PATH);
      const isSignOut = Boolean(textOf(post, 'leave'));
      const cookies = isSignOut
        ? await endSession(exchange, context)
        : (await startSession(exchange, textOf(post, 'key') ?? '', context)).cookies;
      const response = createSeeOtherResponse(
        isSignOut
          ? `${INBOX_PATH}?${SIGNED_OUT_PARAMETER}`
          : createLeadPath(textOf(post, LEAD_PARAMETER) ?? ''),
      );
      for (const cookie of cookies) response.headers.append('set-cookie', cookie);
      return response;
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
        lead: textOf(post, LEAD_PARAMETER) ?? query.get(LEAD_PARAMETER) ?? undefined,
        ...(exchange.request.method === 'POST' && { rejection }),
      };
    },
  };
}
