import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import * as v from 'valibot';
import { leads, offers, outbox } from '../../../db/schema.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { hasEmail, hasPhone } from '../contact-conditions.ts';
import { isUndelivered } from '../deliveries/late-deliveries.ts';
import { createFilterCondition, type LeadFilter } from './select-leads.ts';
import { findReceiptTokenAndStatus, isAccessible } from './lead-records.ts';
import { isFirstEvent, type LeadSummary, selectSummaries, summary } from './list-leads.ts';
import { phone } from '../submit/validate-fields.ts';

const MAX_URGENT_LEADS = 10;

/** Maximum number of leads that a search finds. */
export const MAX_FOUND_LEADS = 50;

/** A lead that the provider must answer. */
export interface DueLead extends LeadSummary {
  /** Deadline, ISO 8601. */
  dueAt: string;
}

// Without a named index, SQLite would read and sort every lead of a subsite. SQLite merges sorted
// lists.
const selectDueLeads = (
  index: 'leads_due' | 'leads_due_subsite' | 'leads_emergency',
  extraCondition?: SQL,
) =>
  sql`select ${leads.dueAt} as due, ${leads.token} as token from ${leads} indexed by ${sql.identifier(index)} where ${and(sql`${leads.dueAt} is not null and ${leads.suspicions} = '[]'`, extraCondition)}`;

async function readDueLeads(
  list: SQL,
  order: SQL,
  { database }: Pick<Context, 'database'>,
): Promise<DueLead[]> {
  return database.background
    .select({ ...summary, dueAt: sql<string>`due.due` })
    .from(sql`(${list}) as due`)
    .crossJoin(leads)
    .crossJoin(outbox)
    .where(and(sql`${leads.token} = due.token`, isFirstEvent))
    .orderBy(order);
}

async function findSoonestDueLeads(
  lists: SQL[],
  context: Pick<Context, 'database'>,
): Promise<DueLead[]> {
  if (!lists.length) return [];
  const due = sql`${sql.join(lists, sql` union all `)} order by 1 limit ${MAX_URGENT_LEADS}`;
  return readDueLeads(due, asc(leads.dueAt), context);
}

/**
 * The leads that the provider must answer: new leads, and leads with a message or an accepted offer
 * since the last answer. Emergencies come first, then the earliest deadlines. Excludes suspected
 * spam.
 */
export async function listUrgentLeads(
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<DueLead[]> {
  const urgent = selectDueLeads(
    'leads_emergency',
    and(sql`${leads.emergency} = 1`, isAccessible(access)),
  );
  const due =
    access === 'all'
      ? [selectDueLeads('leads_due')]
      : access.map((subsite) => selectDueLeads('leads_due_subsite', eq(leads.subsite, subsite)));
  const [emergencies, others] = await Promise.all([
    findSoonestDueLeads([urgent], context),
    findSoonestDueLeads(due, context),
  ]);
  const listed = new Set(emergencies.map(({ reference }) => reference));
  return [...emergencies, ...others.filter(({ reference }) => !listed.has(reference))].slice(
    0,
    MAX_URGENT_LEADS,
  );
}

/**
 * The leads in a filter that wait for an answer: emergencies first, then the earliest deadlines.
 * Includes suspected spam.
 */
export async function listWaitingLeads(
  filter: LeadFilter,
  limit: number,
  context: Pick<Context, 'database'>,
): Promise<DueLead[]> {
  const condition = and(
    createFilterCondition({ ...filter, waiting: true }),
    filter.undelivered ? isUndelivered(sql`${leads.token}`) : undefined,
  );
  const order = sql`${leads.emergency} desc, ${leads.dueAt}, ${leads.token}`;
  const due = sql`select ${leads.token} as token, ${leads.dueAt} as due from ${leads} indexed by leads_due where ${condition} order by ${order} limit ${limit}`;
  return readDueLeads(due, order, context);
}

/**
 * The leads with a question for a customer who can be reached only by phone, and then those with an
 * open offer, newest first. Excludes suspected spam.
 */
export async function listLeadsToCall(
  access: LeadAccess,
  context: Pick<Context, 'database' | 'now'>,
): Promise<LeadSummary[]> {
  const hasOpenOffer = sql`exists (select 1 from ${offers} where ${eq(offers.lead, leads.token)} and ${gt(offers.expiresAt, context.now().toISOString())})`;
  // A query for both states would sort all leads in them.
  const lists = await Promise.all(
    [eq(leads.status, 'needs_info'), and(eq(leads.status, 'quoted'), hasOpenOffer)].map(
      async (condition) =>
        selectSummaries(context)
          .where(
            and(
              condition,
              isNotNull(leads.contactPhone),
              or(isNull(leads.contactEmail), eq(leads.notify, false)),
              sql`${leads.suspicions} = '[]'`,
              isAccessible(access),
            ),
          )
          .orderBy(desc(leads.createdAt), desc(leads.token))
          .limit(MAX_URGENT_LEADS),
    ),
  );
  return lists.flat();
}

const findLeadsNewestFirst = async (
  condition: SQL,
  access: LeadAccess,
  context: Pick<Context, 'database'>,
  limit = MAX_FOUND_LEADS,
) =>
  selectSummaries(context)
    .where(and(condition, isAccessible(access)))
    .orderBy(desc(leads.createdAt), desc(leads.token))
    .limit(limit);

/** Searches leads by reference, receipt, email address or phone number; newest first. */
export async function findLeads(
  text: string,
  access: LeadAccess,
  context: Pick<Context, 'database'>,
  limit = MAX_FOUND_LEADS,
): Promise<LeadSummary[]> {
  const query = text.trim();
  const number = v.safeParse(phone, query);
  if (query.includes('@'))
    return findLeadsNewestFirst(hasEmail(query.toLowerCase()), access, context, limit);
  if (number.success) return findLeadsNewestFirst(hasPhone(number.output), access, context, limit);
  const found = await findReceiptTokenAndStatus(query, access, context);
  return found ? findLeadsNewestFirst(eq(leads.token, found.token), access, context) : [];
}

/** The leads with these references, newest first; leads of other subsites are left out. */
export const listLeadsByReference = (
  references: readonly string[],
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<LeadSummary[]> =>
  findLeadsNewestFirst(inArray(outbox.id, [...references]), access, context);
