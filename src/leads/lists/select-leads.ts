import { and, eq, gte, inArray, isNotNull, lt, not, type SQL, sql } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { leadHistory, leads, outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { isLate, isUndelivered, isUnplanned } from '../deliveries/late-deliveries.ts';
import type { LeadStatus } from '../lead-states.ts';

/** Filter for leads; an absent member does not restrict the selection. */
export interface LeadFilter {
  statuses?: readonly LeadStatus[] | undefined;
  /** Must not be empty. */
  subsites?: readonly string[] | undefined;
  action?: string | undefined;
  /** Only leads created at this time or later, ISO 8601. */
  since?: string | undefined;
  /** Only leads created before this time, ISO 8601. */
  before?: string | undefined;
  /**
   * Only leads with undelivered messages to the provider or the person: pending, exhausted, or
   * without an address.
   */
  undelivered?: boolean | undefined;
  /** Only leads waiting for an answer from the provider. */
  waiting?: boolean | undefined;
  /** Only leads that were confirmed at some time or, if false, never. */
  wasConfirmed?: boolean | undefined;
}

/** The part of a list to read: the newest leads, or the leads before or after a position. */
export interface LeadRange {
  limit: number;
  /** Only older leads, which come after this position. */
  olderThan?: Position | undefined;
  /** Only newer leads, which come before this position, nearest first. */
  newerThan?: Position | undefined;
}

export interface Position {
  createdAt: string;
  token: string;
}

/**
 * If fewer leads than this match the filter, a list of undelivered leads is read from these leads;
 * otherwise, from the undelivered messages.
 */
const MAX_SCANNED_LEADS = 2_000;

/** True for leads that were confirmed at some time. */
export const wasConfirmed: SQL = sql`exists (select 1 from ${leadHistory} where ${leadHistory.lead} = ${leads.token} and ${leadHistory.status} = 'confirmed')`;

/** The condition of a filter, except `undelivered`. */
export const createFilterCondition = ({
  statuses,
  subsites,
  action,
  since,
  before,
  waiting,
  wasConfirmed: isOnceConfirmed,
}: LeadFilter): SQL | undefined =>
  and(
    statuses?.length ? inArray(leads.status, [...statuses]) : undefined,
    subsites && inArray(leads.subsite, [...subsites]),
    action === undefined ? undefined : eq(leads.action, action),
    since === undefined ? undefined : gte(leads.createdAt, since),
    before === undefined ? undefined : lt(leads.createdAt, before),
    waiting ? isNotNull(leads.dueAt) : undefined,
    isOnceConfirmed === undefined ? undefined : isOnceConfirmed ? wasConfirmed : not(wasConfirmed),
  );

/** The condition of a filter, including `undelivered`. */
export const createFullCondition = (filter: LeadFilter): SQL | undefined =>
  and(
    createFilterCondition(filter),
    filter.undelivered ? isUndelivered(sql`${leads.token}`) : undefined,
  );

const createRangeCondition = ({ olderThan, newerThan }: LeadRange): SQL | undefined => {
  const [position, sign] = newerThan ? [newerThan, sql`>`] : [olderThan, sql`<`];
  return (
    position &&
    sql`(${leads.createdAt}, ${leads.token}) ${sign} (${position.createdAt}, ${position.token})`
  );
};

export const createWhereClause = (condition: SQL | undefined): SQL =>
  condition ? sql` where ${condition}` : sql``;

/**
 * Drops the time bound of a filter if the position in the range implies it. SQLite uses only one
 * lower and one upper bound of an index; if it chose the filter's bound, it would read from the
 * start of the list for each page.
 */
function dropImpliedBounds(
  { since, before, ...others }: LeadFilter,
  { olderThan, newerThan }: LeadRange,
): LeadFilter {
  const isSinceImplied = since !== undefined && newerThan && newerThan.createdAt >= since;
  const isBeforeImplied = before !== undefined && olderThan && olderThan.createdAt < before;
  return {
    ...others,
    since: isSinceImplied ? undefined : since,
    before: isBeforeImplied ? undefined : before,
  };
}

/**
 * Tokens of leads in list order, read from the matching index, so that the cost depends only on the
 * length of the page. Each index includes the state, so that excluded rows are not read. If few
 * leads are waiting for an answer, reading and sorting them is faster.
 */
function selectTokensInOrder(
  fullFilter: LeadFilter,
  range: LeadRange,
  { extraCondition, areFewWaiting = false }: { extraCondition?: SQL; areFewWaiting?: boolean } = {},
): SQL {
  const filter = dropImpliedBounds(fullFilter, range);
  const { statuses = [], subsites, action } = filter;
  const direction = range.newerThan ? sql`asc` : sql`desc`;
  const selectFrom = (index: string, listFilter: LeadFilter) =>
    sql`select ${leads.createdAt} as at, ${leads.token} as token from ${leads} indexed by ${sql.identifier(index)}${createWhereClause(and(createFilterCondition(listFilter), createRangeCondition(range), extraCondition))}`;
  // SQLite merges sorted lists.
  const lists = areFewWaiting
    ? [selectFrom('leads_due', filter)]
    : action !== undefined
      ? [selectFrom('leads_action', filter)]
      : subsites
        ? subsites.map((subsite) => selectFrom('leads_subsite', { ...filter, subsites: [subsite] }))
        : statuses.length
          ? statuses.map((status) => selectFrom('leads_inbox', { ...filter, statuses: [status] }))
          : [selectFrom('leads_created', filter)];
  return sql`${sql.join(lists, sql` union all `)} order by 1 ${direction}, 2 ${direction} limit ${range.limit}`;
}

/**
 * Tokens of undelivered leads in list order, from unplanned events and late deliveries. Tokens sort
 * by time.
 */
function selectUndeliveredTokensInOrder(filter: LeadFilter, range: LeadRange): SQL {
  const direction = range.newerThan ? sql`asc` : sql`desc`;
  const condition = createFilterCondition(filter);
  const position = range.newerThan ?? range.olderThan;
  // Limit the tokens to the filter's times, so that leads outside that range are not read.
  const oldestToken = sql`(select ${leads.token} from ${leads} where ${leads.createdAt} >= ${filter.since} order by ${leads.createdAt}, ${leads.token} limit 1)`;
  const newestToken = sql`(select ${leads.token} from ${leads} where ${leads.createdAt} < ${filter.before} order by ${leads.createdAt} desc, ${leads.token} desc limit 1)`;
  const selectFrom = (table: typeof outbox | typeof deliveries, isPending: SQL) => {
    const next =
      position && sql`${table.lead} ${range.newerThan ? sql`>` : sql`<`} ${position.token}`;
    const joinClause = condition
      ? sql` cross join ${leads} on ${leads.token} = ${table.lead} and ${condition}`
      : sql``;
    return sql`select ${table.lead} as token from ${table}${joinClause} where ${and(isPending, next, filter.since === undefined ? undefined : sql`${table.lead} >= ${oldestToken}`, filter.before === undefined ? undefined : sql`${table.lead} <= ${newestToken}`)}`;
  };
  return sql`${selectFrom(outbox, isUnplanned)} union ${selectFrom(deliveries, isLate)} order by 1 ${direction} limit ${range.limit}`;
}

/** Query for the tokens of the leads in a range. */
export async function selectTokens(
  filter: LeadFilter,
  range: LeadRange,
  { database: { background } }: Pick<Context, 'database'>,
): Promise<SQL> {
  const isBelowScanLimit = async (tokens: SQL) => {
    const [row] = await background.select({ count: sql<number>`count(*)` }).from(sql`(${tokens})`);
    return (row?.count ?? 0) < MAX_SCANNED_LEADS;
  };
  if (!filter.undelivered) {
    const areFewWaiting =
      filter.waiting === true &&
      (await isBelowScanLimit(
        sql`select 1 from ${leads} indexed by leads_due where ${leads.dueAt} is not null limit ${MAX_SCANNED_LEADS}`,
      ));
    return selectTokensInOrder(filter, range, { areFewWaiting });
  }
  if (
    createFilterCondition(filter) &&
    (await isBelowScanLimit(selectTokensInOrder(filter, { limit: MAX_SCANNED_LEADS })))
  )
    return selectTokensInOrder(filter, range, {
      extraCondition: isUndelivered(sql`${leads.token}`),
    });
  return selectUndeliveredTokensInOrder(filter, range);
}
