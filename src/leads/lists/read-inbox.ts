import type { Context } from '../../operation/context.ts';
import { type LeadSummary, listLeads, positionOf } from './list-leads.ts';
import type { LeadFilter, LeadRange } from './select-leads.ts';

/** Leads on one page. */
const PAGE = 50;

/**
 * Start of an inbox page: next to the lead with this reference; the newest leads if neither is
 * given.
 */
export interface InboxPlace {
  olderThan?: string | undefined;
  newerThan?: string | undefined;
}

/** One page of the inbox. */
export interface InboxPage {
  leads: LeadSummary[];
  /** Starts of the neighboring pages; absent where there is none. */
  newer?: InboxPlace;
  older?: InboxPlace;
}

async function rangeOf(
  { subsites }: LeadFilter,
  { olderThan, newerThan }: InboxPlace,
  context: Pick<Context, 'database'>,
): Promise<LeadRange> {
  const limit = PAGE + 1;
  const [older, newer] = await Promise.all(
    [olderThan, newerThan].map(async (reference) =>
      reference === undefined ? undefined : positionOf(reference, subsites, context),
    ),
  );
  return newer ? { limit, newerThan: newer } : { limit, olderThan: older };
}

/**
 * Reads one page of the inbox, newest lead first; its cost does not grow with the number of leads.
 * @throws {DatabaseUnavailable}
 */
export async function readInbox(
  filter: LeadFilter,
  place: InboxPlace,
  context: Pick<Context, 'database'>,
): Promise<InboxPage> {
  const range = await rangeOf(filter, place, context);
  const found = await listLeads(filter, range, context);
  const more = found.length > PAGE;
  const leads = range.newerThan ? found.slice(-PAGE) : found.slice(0, PAGE);
  const [first, last] = [leads[0], leads.at(-1)];
  const hasNewer = range.newerThan ? more : range.olderThan !== undefined;
  const hasOlder = range.newerThan ? true : more;
  return {
    leads,
    ...(hasNewer && first && { newer: { newerThan: first.reference } }),
    ...(hasOlder && last && { older: { olderThan: last.reference } }),
  };
}
