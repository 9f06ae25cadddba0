import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { formatCappedCount } from '../../site/words/capped-count.ts';
import { inbox } from '../../text/index.ts';
import { listUpcomingLeads } from './inbox-rows.ts';
import type { LeadSummary } from './list-leads.ts';
import {
  countDueLeads,
  countLeadsToCall,
  listAnsweredEmergencies,
  listHeldLeads,
  listLeadsToCall,
  listNewCancellations,
  listUrgentLeads,
  MAX_NEXT_LEADS,
} from './next-leads.ts';
import { listVisitsWithoutDay, listVisitsWithoutTime } from './visits-without-time.ts';

/** The lists at the start of an inbox, with facts about leads by reference. */
interface InboxOverview {
  urgent: readonly LeadSummary[];
  moreDue: number;
  moreToCall: number;
  canceled: readonly LeadSummary[];
  upcoming: readonly LeadSummary[];
  undated: readonly LeadSummary[];
  facts: readonly (readonly [reference: string, fact: string])[];
}

/** The start of a filtered inbox. */
export const EMPTY_OVERVIEW: InboxOverview = {
  urgent: [],
  moreDue: 0,
  moreToCall: 0,
  canceled: [],
  upcoming: [],
  undated: [],
  facts: [],
};

/** Reads the start of an inbox; counts at most `maxCount` leads that are not listed. */
export async function readInboxOverview(
  access: LeadAccess,
  maxCount: number,
  context: Context,
): Promise<InboxOverview> {
  const [
    due,
    dueCount,
    emergencies,
    held,
    toCall,
    callCount,
    visits,
    canceled,
    upcoming,
    withoutDay,
  ] = await Promise.all([
    listUrgentLeads(access, context),
    countDueLeads(access, maxCount + MAX_NEXT_LEADS, context),
    listAnsweredEmergencies(access, context),
    listHeldLeads(access, context),
    listLeadsToCall(access, context),
    countLeadsToCall(access, maxCount + MAX_NEXT_LEADS, context),
    listVisitsWithoutTime(access, context),
    listNewCancellations(access, context),
    listUpcomingLeads(access, context),
    listVisitsWithoutDay(access, context),
  ]);
  const timed = [
    ...due.map((lead) => [lead.dueAt, lead] as const),
    ...held.map((lead) => [lead.holdEnd, lead] as const),
    // A call is due from the moment when the provider writes something that the customer does not
    // know yet.
    ...toCall.map((lead) => [lead.callDueAt, lead] as const),
  ].sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  const urgent: LeadSummary[] = [
    ...due.filter(({ emergency }) => emergency),
    ...emergencies,
    ...timed.map(([, lead]) => lead),
    ...visits,
  ];
  // A lead with more than one time is listed at its earliest time.
  const urgentByReference = new Map<string, LeadSummary>();
  for (const lead of urgent)
    if (!urgentByReference.has(lead.reference)) urgentByReference.set(lead.reference, lead);
  const listedDue = new Set(
    [...due, ...held, ...toCall, ...visits]
      .filter(({ dueAt }) => dueAt !== null)
      .map(({ reference }) => reference),
  );
  return {
    urgent: [...urgentByReference.values()],
    moreDue: dueCount - listedDue.size,
    moreToCall: callCount - toCall.length,
    canceled,
    upcoming,
    undated: withoutDay.filter(({ reference }) => !urgentByReference.has(reference)),
    facts: [
      ...visits.map(({ reference }) => [reference, inbox.entry.agreeOnTime] as const),
      ...canceled.map(({ reference }) => [reference, inbox.entry.nothingBooked] as const),
      ...upcoming.map(({ reference, due: day }) => [reference, day] as const),
    ],
  };
}

/** The customers whom the provider still has to call. */
export interface RemainingCalls {
  /** Number of these customers, as text. */
  count: string;
  /** The lead of the first customer to call; undefined if nobody is left to call. */
  next: LeadSummary | undefined;
}

/** Maximum number of remaining calls that the page shows after a call. */
const MAX_COUNTED_CALLS = 99;

export async function readRemainingCalls(
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<RemainingCalls> {
  const [[next], count] = await Promise.all([
    listLeadsToCall(access, context),
    countLeadsToCall(access, MAX_COUNTED_CALLS + 1, context),
  ]);
  return { count: formatCappedCount(count, MAX_COUNTED_CALLS), next };
}
