import { and, asc, desc, eq, gt, gte, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { holds } from '../../../db/schema-effects.ts';
import { leads, offers, outbox } from '../../../db/schema.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { addHours } from '../../operation/time-arithmetic.ts';
import { createFullCondition, type LeadFilter, wasConfirmed } from './select-leads.ts';
import { isAccessible } from './lead-records.ts';
import { isFirstEvent, type LeadSummary, summaryColumns } from './list-leads.ts';

/* What the provider has to do next, for the start of the inbox. Excludes suspected spam. */

/** Maximum length of each list. */
export const MAX_NEXT_LEADS = 10;

/** How long a canceled booking is listed, in hours. */
const CANCELLATION_HOURS = 24;

/** A lead that may need an answer. */
export interface LeadWithDeadline extends LeadSummary {
  /** Deadline for an answer, ISO 8601; null if none is due. */
  dueAt: string | null;
}

/** A lead whose customer the provider must call. */
export interface LeadToCall extends LeadWithDeadline {
  /** When the provider wrote the answer that the customer must be told by phone, ISO 8601. */
  callDueAt: string;
}

/** A lead that the provider must answer. */
export interface DueLead extends LeadSummary {
  /** Deadline, ISO 8601. */
  dueAt: string;
}

const isNotSpam = sql`${leads.suspicions} = '[]'`;

/** Must match the condition of the index leads_emergency verbatim. */
const isOpenEmergency = sql`${leads.emergency} = 1 and ${isNotSpam} and ${leads.status} in ('new', 'acknowledged', 'needs_info', 'quoted', 'accepted')`;

// Without a named index, SQLite would read and sort every lead of a subsite. SQLite merges sorted
// lists.
const selectDueLeads = (
  index: 'leads_due' | 'leads_due_subsite' | 'leads_emergency',
  extraCondition?: SQL,
) =>
  sql`select ${leads.dueAt} as due, ${leads.token} as token from ${leads} indexed by ${sql.identifier(index)} where ${and(sql`${leads.dueAt} is not null and ${isNotSpam}`, extraCondition)}`;

const selectAllDueLeads = (access: LeadAccess): SQL[] =>
  access === 'all'
    ? [selectDueLeads('leads_due')]
    : access.map((subsite) => selectDueLeads('leads_due_subsite', eq(leads.subsite, subsite)));

/**
 * Reads the leads for a list of tokens, in the given order; `dueAt` and `callDueAt` are null for
 * leads that need no answer or no call.
 */
const readListedLeads = async (
  list: SQL,
  order: SQL,
  { database }: Pick<Context, 'database'>,
): Promise<(DueLead & LeadToCall)[]> =>
  database.background
    .select({
      ...summaryColumns,
      dueAt: sql<string>`${leads.dueAt}`,
      callDueAt: sql<string>`${leads.callDueAt}`,
    })
    .from(sql`(${list}) as listed`)
    .crossJoin(leads)
    .crossJoin(outbox)
    .where(and(sql`${leads.token} = listed.token`, isFirstEvent))
    .orderBy(order);

/** The most urgent leads from several lists. */
async function findSoonestDueLeads(
  lists: SQL[],
  context: Pick<Context, 'database'>,
): Promise<DueLead[]> {
  if (!lists.length) return [];
  const due = sql`${sql.join(lists, sql` union all `)} order by 1 limit ${MAX_NEXT_LEADS}`;
  return readListedLeads(due, asc(leads.dueAt), context);
}

/**
 * The leads that the provider must answer: new leads, and leads with a message or an accepted offer
 * since the last answer. Emergencies come first, then the earliest deadlines.
 */
export async function listUrgentLeads(
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<DueLead[]> {
  const urgent = selectDueLeads('leads_emergency', and(isOpenEmergency, isAccessible(access)));
  const [emergencies, others] = await Promise.all([
    findSoonestDueLeads([urgent], context),
    findSoonestDueLeads(selectAllDueLeads(access), context),
  ]);
  const listed = new Set(emergencies.map(({ reference }) => reference));
  return [...emergencies, ...others.filter(({ reference }) => !listed.has(reference))].slice(
    0,
    MAX_NEXT_LEADS,
  );
}

/** Number of leads that the provider must answer, counted up to a maximum. */
export async function countDueLeads(
  access: LeadAccess,
  maximum: number,
  { database }: Pick<Context, 'database'>,
): Promise<number> {
  const lists = selectAllDueLeads(access);
  if (!lists.length) return 0;
  const due = sql`${sql.join(lists, sql` union all `)} limit ${maximum}`;
  const [row] = await database.background
    .select({ count: sql<number>`count(*)` })
    .from(sql`(${due})`);
  return row!.count;
}

/**
 * The emergencies that the provider has answered but for which nothing has been agreed on yet,
 * newest first.
 */
export const listAnsweredEmergencies = (
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<LeadSummary[]> =>
  readListedLeads(
    sql`select ${leads.token} as token from ${leads} indexed by leads_emergency where ${and(isNull(leads.dueAt), isOpenEmergency, isAccessible(access))} order by ${leads.token} desc limit ${MAX_NEXT_LEADS}`,
    desc(leads.token),
    context,
  );

/** A lead with a hold that ends unless the provider confirms it. */
export interface HeldLead extends LeadWithDeadline {
  /** When the hold ends, ISO 8601. */
  holdEnd: string;
}

/**
 * The leads with a hold that ends unless the provider confirms it, soonest end first. While an offer
 * is open, it is the customer's turn.
 */
export async function listHeldLeads(
  access: LeadAccess,
  { database, now }: Pick<Context, 'database' | 'now'>,
): Promise<HeldLead[]> {
  const time = now().toISOString();
  const newestOfferEnd = sql`(select ${offers.expiresAt} from ${offers} where ${eq(offers.lead, leads.token)} order by ${offers.entry} desc limit 1)`;
  return database.background
    .select({ ...summaryColumns, dueAt: leads.dueAt, holdEnd: sql<string>`${holds.expiresAt}` })
    .from(sql`${holds} indexed by holds_expires`)
    .crossJoin(leads)
    .crossJoin(outbox)
    .where(
      and(
        gt(holds.expiresAt, time),
        isNull(holds.releasedAt),
        sql`${holds.offer} = ''`,
        eq(leads.token, holds.lead),
        sql`+${leads.status} in ('new', 'acknowledged', 'needs_info', 'quoted')`,
        sql`(${leads.status} <> 'quoted' or ${newestOfferEnd} <= ${time})`,
        isNotSpam,
        isAccessible(access),
        isFirstEvent,
      ),
    )
    .orderBy(asc(holds.expiresAt))
    .limit(MAX_NEXT_LEADS);
}

/**
 * The leads whose customer the provider still has to call about its answer: confirmed leads first,
 * because the customer does not know of the booking, then the earliest answers.
 */
export const listLeadsToCall = (
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<LeadToCall[]> => {
  const order = sql`${leads.status} = 'confirmed' desc, ${leads.callDueAt}`;
  return readListedLeads(
    sql`select ${leads.token} as token from ${leads} indexed by leads_call where ${and(isNotNull(leads.callDueAt), isNotSpam, isAccessible(access))} order by ${order} limit ${MAX_NEXT_LEADS}`,
    order,
    context,
  );
};

/** Number of leads whose customer the provider still has to call, counted up to a maximum. */
export async function countLeadsToCall(
  access: LeadAccess,
  maximum: number,
  { database }: Pick<Context, 'database'>,
): Promise<number> {
  const [row] = await database.background
    .select({ count: sql<number>`count(*)` })
    .from(
      sql`(select 1 from ${leads} indexed by leads_call where ${and(isNotNull(leads.callDueAt), isNotSpam, isAccessible(access))} limit ${maximum})`,
    );
  return row!.count;
}

/** Confirmed leads that the customer recently canceled, latest first. */
export async function listNewCancellations(
  access: LeadAccess,
  context: Pick<Context, 'database' | 'now'>,
): Promise<LeadSummary[]> {
  const since = addHours(context.now(), -CANCELLATION_HOURS);
  return readListedLeads(
    sql`select ${leads.token} as token from ${leads} indexed by leads_withdrawn where ${and(sql`${leads.status} = 'withdrawn'`, gte(leads.updatedAt, since), isNotSpam, wasConfirmed, isAccessible(access))} order by ${leads.updatedAt} desc limit ${MAX_NEXT_LEADS}`,
    desc(leads.updatedAt),
    context,
  );
}

/**
 * The leads that match a filter and are waiting for an answer: emergencies first, then the earliest
 * deadlines. Includes suspected spam.
 */
export async function listWaitingLeads(
  filter: LeadFilter,
  limit: number,
  context: Pick<Context, 'database'>,
): Promise<DueLead[]> {
  const condition = createFullCondition({ ...filter, waiting: true });
  const order = sql`${leads.emergency} desc, ${leads.dueAt}, ${leads.token}`;
  const tokens = sql`select ${leads.token} as token from ${leads} indexed by leads_due where ${condition} order by ${order} limit ${limit}`;
  return readListedLeads(tokens, order, context);
}
