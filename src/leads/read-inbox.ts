import type { Context } from '../operation/context.ts';
import { listOfSamePerson } from './find-leads.ts';
import {
  type LeadFilter,
  type LeadRange,
  type LeadSummary,
  listLeads,
  positionOf,
} from './list-leads.ts';
import { type OutboxState, readOutboxState } from './outbox-state.ts';

/** Leads on one page. */
const PAGE = 50;

/** What is undelivered is counted up to here: a longer count takes longer and says no more to the reader. */
export const INBOX_COUNT = 1_000;

/** Where a page of the inbox begins: next to the lead of this reference; the newest leads where neither is given. */
export interface InboxPlace {
  olderThan?: string | undefined;
  newerThan?: string | undefined;
}

/** One page of the inbox. */
export interface InboxPage {
  leads: LeadSummary[];
  /** Where the neighboring pages begin; absent where there is none. */
  newer?: InboxPlace;
  older?: InboxPlace;
  /** What is undelivered in all; each count ends at `INBOX_COUNT` + 1. */
  outbox: OutboxState;
}

async function rangeOf(
  { olderThan, newerThan }: InboxPlace,
  context: Pick<Context, 'database'>,
): Promise<LeadRange> {
  const limit = PAGE + 1;
  const [older, newer] = await Promise.all(
    [olderThan, newerThan].map(async (reference) =>
      reference === undefined ? undefined : positionOf(reference, context),
    ),
  );
  return newer ? { limit, newerThan: newer } : { limit, olderThan: older };
}

/** Reads one page of the inbox, newest lead first; its cost does not grow with the number of leads. @throws {DatabaseUnavailable} */
export async function readInbox(
  filter: LeadFilter,
  place: InboxPlace,
  context: Pick<Context, 'database' | 'now' | 'channels'>,
): Promise<InboxPage> {
  const range = await rangeOf(place, context);
  const [found, outbox] = await Promise.all([
    listLeads(filter, range, context),
    readOutboxState(context, INBOX_COUNT + 1),
  ]);
  const more = found.length > PAGE;
  const leads = range.newerThan ? found.slice(-PAGE) : found.slice(0, PAGE);
  const [first, last] = [leads[0], leads.at(-1)];
  const hasNewer = range.newerThan ? more : range.olderThan !== undefined;
  const hasOlder = range.newerThan ? true : more;
  return {
    leads,
    ...(hasNewer && first && { newer: { newerThan: first.reference } }),
    ...(hasOlder && last && { older: { olderThan: last.reference } }),
    outbox,
  };
}

/** The leads with the email address or the phone number of a lead, as one page. @throws {DatabaseUnavailable} */
export async function readInboxOfPerson(
  reference: string,
  context: Pick<Context, 'database' | 'now' | 'channels'>,
): Promise<InboxPage> {
  const [leads, outbox] = await Promise.all([
    listOfSamePerson(reference, context),
    readOutboxState(context, INBOX_COUNT + 1),
  ]);
  return { leads, outbox };
}
