import type { Context } from '../../operation/context.ts';
import { type LeadSummary, listLeads, findPosition } from './list-leads.ts';
import type { LeadFilter, LeadRange } from './select-leads.ts';

const PAGE_SIZE = 50;

/**
 * Where an inbox page starts: after or before the lead with this reference, by default at the
 * newest lead.
 */
export interface InboxCursor {
  olderThan?: string | undefined;
  newerThan?: string | undefined;
}

export interface InboxPage {
  leads: LeadSummary[];
  /** Cursors of the neighboring pages; each is absent if there is no such page. */
  newer?: InboxCursor;
  older?: InboxCursor;
}

async function readRange(
  { subsites }: LeadFilter,
  { olderThan, newerThan }: InboxCursor,
  context: Pick<Context, 'database'>,
): Promise<LeadRange> {
  const limit = PAGE_SIZE + 1;
  const [older, newer] = await Promise.all(
    [olderThan, newerThan].map(async (reference) =>
      reference === undefined ? undefined : findPosition(reference, subsites, context),
    ),
  );
  return newer ? { limit, newerThan: newer } : { limit, olderThan: older };
}

/**
 * Reads a page of the inbox, newest lead first. The cost does not grow with the number of leads.
 */
export async function readInbox(
  filter: LeadFilter,
  cursor: InboxCursor,
  context: Pick<Context, 'database'>,
): Promise<InboxPage> {
  const range = await readRange(filter, cursor, context);
  const found = await listLeads(filter, range, context);
  const hasMore = found.length > PAGE_SIZE;
  const leads = range.newerThan ? found.slice(-PAGE_SIZE) : found.slice(0, PAGE_SIZE);
  const [first, last] = [leads[0], leads.at(-1)];
  const hasNewerLeads = range.newerThan ? hasMore : range.olderThan !== undefined;
  const hasOlderLeads = range.newerThan ? true : hasMore;
  return {
    leads,
    ...(hasNewerLeads && first && { newer: { newerThan: first.reference } }),
    ...(hasOlderLeads && last && { older: { olderThan: last.reference } }),
  };
}
