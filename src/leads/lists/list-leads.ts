import { and, eq, gte, inArray, is, lt, type SQL, sql } from 'drizzle-orm';
import { SQLiteTextJson } from 'drizzle-orm/sqlite-core';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { leads, outbox } from '../../../db/schema.ts';
import { FIRST_EVENT } from '../lead-rows.ts';
import type { Context } from '../../operation/context.ts';
import { isLate, isUndelivered, isUnplanned } from '../deliveries/late-deliveries.ts';
import type { LeadStatus } from '../lead-states.ts';

/** A lead in the operator's list. */
export interface LeadSummary {
  /** Its reference; the token belongs to the person. */
  reference: string;
  subsite: string;
  action: string | null;
  status: LeadStatus;
  createdAt: string;
  updatedAt: string;
  respondBy: string;
  source: string;
  channel: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  suspicions: string[];
  /** Whether a notification of it is undelivered. */
  undelivered: boolean;
}

/** Selects leads; absent members do not narrow the selection. */
export interface LeadFilter {
  statuses?: readonly LeadStatus[] | undefined;
  /** At least one if present. */
  subsites?: readonly string[] | undefined;
  action?: string | undefined;
  /** Filed at this time or later, ISO 8601. */
  since?: string | undefined;
  /** Filed before this time. */
  before?: string | undefined;
  /** Only leads with notifications that are pending, were given up, or have no address. */
  undelivered?: boolean | undefined;
}

/** The part of a list to read: the newest leads, or those next to a lead. */
export interface LeadRange {
  limit: number;
  /** Only leads that come after this one in the list, which are older. */
  olderThan?: Position | undefined;
  /** Only leads that come before this one, the nearest. */
  newerThan?: Position | undefined;
}

/** The place of a lead in a list. */
export interface Position {
  createdAt: string;
  token: string;
}

/** The columns of a summary. */
export const summary = {
  reference: outbox.id,
  subsite: leads.subsite,
  action: leads.action,
  status: leads.status,
  createdAt: leads.createdAt,
  updatedAt: leads.updatedAt,
  respondBy: leads.respondBy,
  source: leads.source,
  channel: leads.channel,
  name: leads.contactName,
  email: leads.contactEmail,
  phone: leads.contactPhone,
  suspicions: leads.suspicions,
  undelivered: isUndelivered(sql`${leads.token}`),
};

/** Joins a lead with the event that its reference comes from. */
export const isFirstEvent = and(eq(outbox.lead, leads.token), eq(outbox.kind, FIRST_EVENT));

/** A row of `summary`. */
type SummaryRow = Omit<LeadSummary, 'status' | 'undelivered'> & {
  status: string;
  undelivered: number;
};

/** A summary of a row. */
export const summaryOf = <Row extends SummaryRow>(
  row: Row,
): Omit<Row, 'status' | 'undelivered'> & Pick<LeadSummary, 'status' | 'undelivered'> => ({
  ...row,
  status: row.status as LeadStatus,
  undelivered: Boolean(row.undelivered),
});

/**
 * Number of matching leads up to which the list is read from them rather than from undelivered
 * ones.
 */
const FEW = 2_000;

const narrowed = ({ statuses, subsites, action, since, before }: LeadFilter): SQL | undefined =>
  and(
    statuses?.length ? inArray(leads.status, [...statuses]) : undefined,
    subsites && inArray(leads.subsite, [...subsites]),
    action === undefined ? undefined : eq(leads.action, action),
    since === undefined ? undefined : gte(leads.createdAt, since),
    before === undefined ? undefined : lt(leads.createdAt, before),
  );

const beside = ({ olderThan, newerThan }: LeadRange): SQL | undefined => {
  const [at, sign] = newerThan ? [newerThan, sql`>`] : [olderThan, sql`<`];
  return at && sql`(${leads.createdAt}, ${leads.token}) ${sign} (${at.createdAt}, ${at.token})`;
};

const whereOf = (condition: SQL | undefined): SQL => (condition ? sql` where ${condition}` : sql``);

/**
 * A filter without the bound that a position implies. SQLite uses only one bound of an index: with
 * both, it might start each page at the first lead.
 */
function withinRange(
  { since, before, ...others }: LeadFilter,
  { olderThan, newerThan }: LeadRange,
): LeadFilter {
  const isImplied = {
    since: since !== undefined && newerThan !== undefined && newerThan.createdAt >= since,
    before: before !== undefined && olderThan !== undefined && olderThan.createdAt < before,
  };
  return {
    ...others,
    ...(!isImplied.since && since !== undefined && { since }),
    ...(!isImplied.before && before !== undefined && { before }),
  };
}

/**
 * Tokens of leads in list order, read from the one index with this order, so that the cost of a
 * page depends only on its length. Each index includes the state, so that excluded rows are not
 * read.
 */
function inOrder(whole: LeadFilter, range: LeadRange, more?: SQL): SQL {
  const filter = withinRange(whole, range);
  const { statuses = [], subsites, action } = filter;
  const direction = range.newerThan ? sql`asc` : sql`desc`;
  const from = (index: string, one: LeadFilter) =>
    sql`select ${leads.createdAt} as at, ${leads.token} as token from ${leads} indexed by ${sql.identifier(index)}${whereOf(and(narrowed(one), beside(range), more))}`;
  // SQLite merges lists that are each in order.
  const lists =
    action !== undefined
      ? [from('leads_action', filter)]
      : subsites
        ? subsites.map((subsite) => from('leads_subsite', { ...filter, subsites: [subsite] }))
        : statuses.length
          ? statuses.map((status) => from('leads_inbox', { ...filter, statuses: [status] }))
          : [from('leads_created', filter)];
  return sql`${sql.join(lists, sql` union all `)} order by 1 ${direction}, 2 ${direction} limit ${range.limit}`;
}

/**
 * Tokens of undelivered leads in list order, from unplanned events and late deliveries. Tokens sort
 * by time.
 */
function undeliveredInOrder(filter: LeadFilter, range: LeadRange): SQL {
  const direction = range.newerThan ? sql`asc` : sql`desc`;
  const condition = narrowed(filter);
  const at = range.newerThan ?? range.olderThan;
  // The range of tokens for the times, so that leads outside it are not read.
  const oldest = sql`(select ${leads.token} from ${leads} where ${leads.createdAt} >= ${filter.since} order by ${leads.createdAt}, ${leads.token} limit 1)`;
  const newest = sql`(select ${leads.token} from ${leads} where ${leads.createdAt} < ${filter.before} order by ${leads.createdAt} desc, ${leads.token} desc limit 1)`;
  const from = (table: typeof outbox | typeof deliveries, waits: SQL) => {
    const next = at && sql`${table.lead} ${range.newerThan ? sql`>` : sql`<`} ${at.token}`;
    const join = condition
      ? sql` cross join ${leads} on ${leads.token} = ${table.lead} and ${condition}`
      : sql``;
    return sql`select ${table.lead} as token from ${table}${join} where ${and(waits, next, filter.since === undefined ? undefined : sql`${table.lead} >= ${oldest}`, filter.before === undefined ? undefined : sql`${table.lead} <= ${newest}`)}`;
  };
  return sql`${from(outbox, isUnplanned)} union ${from(deliveries, isLate)} order by 1 ${direction} limit ${range.limit}`;
}

async function tokensOf(
  filter: LeadFilter,
  range: LeadRange,
  { database: { background } }: Pick<Context, 'database'>,
): Promise<SQL> {
  if (!filter.undelivered) return inOrder(filter, range);
  if (narrowed(filter)) {
    const some = sql`(${inOrder(filter, { limit: FEW })})`;
    const [matching] = await background.select({ count: sql<number>`count(*)` }).from(some);
    if ((matching?.count ?? 0) < FEW)
      return inOrder(filter, range, isUndelivered(sql`${leads.token}`));
  }
  return undeliveredInOrder(filter, range);
}

/** The data of a lead in a list, with its position. */
const listed = { ...summary, token: leads.token, fields: leads.fields, data: leads.data };

type ListedLead = LeadSummary & LeadRow;

/**
 * The columns of a list as one JSON text per row: SQLite builds it faster than the driver converts
 * eighteen columns.
 */
const packed = sql`json_object(${sql.join(
  Object.entries(listed).flatMap(([name, column]) => [
    sql`${sql.raw(`'${name}'`)}`,
    name === 'undelivered'
      ? sql`json(iif(${column}, 'true', 'false'))`
      : name === 'fields'
        ? sql`json(coalesce(${column}, '{}'))`
        : is(column, SQLiteTextJson)
          ? sql`json(${column})`
          : sql`${column}`,
  ]),
  sql`, `,
)})`;

const newestFirst = (one: Position, other: Position): number =>
  one.createdAt !== other.createdAt
    ? one.createdAt < other.createdAt
      ? 1
      : -1
    : one.token < other.token
      ? 1
      : -1;

/** Leads, newest first, each with its position. @throws {DatabaseUnavailable} */
async function readLeads(
  filter: LeadFilter,
  range: LeadRange,
  context: Pick<Context, 'database'>,
): Promise<ListedLead[]> {
  const tokens = await tokensOf(filter, range, context);
  const [page] = await context.database.background
    .select({ text: sql<string>`json_group_array(${packed})` })
    .from(sql`(${tokens}) as page`)
    // A cross join makes SQLite start with the page and read only its leads.
    .crossJoin(leads)
    .crossJoin(outbox)
    .where(and(sql`${leads.token} = page.token`, isFirstEvent));
  return (JSON.parse(page!.text) as ListedLead[]).sort(newestFirst);
}

type LeadRow = {
  token: string;
  fields: Record<string, string | number>;
  data: Record<string, unknown> | null;
};

/**
 * The position of the lead with a reference within some subsites; undefined if there is none.
 * @throws {DatabaseUnavailable}
 */
export async function positionOf(
  reference: string,
  subsites: LeadFilter['subsites'],
  { database: { reader } }: Pick<Context, 'database'>,
): Promise<Position | undefined> {
  const [row] = await reader
    .select({ createdAt: leads.createdAt, token: leads.token })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .where(and(eq(outbox.id, reference), narrowed({ subsites })));
  return row;
}

/** Leads, newest first. @throws {DatabaseUnavailable} */
export async function listLeads(
  filter: LeadFilter,
  range: LeadRange,
  context: Pick<Context, 'database'>,
): Promise<LeadSummary[]> {
  const rows = await readLeads(filter, range, context);
  return rows.map(({ token: _, fields: _fields, data: _data, ...lead }) => lead);
}

/** A lead with its content. */
export type ExportedLead = LeadSummary & Pick<LeadRow, 'fields' | 'data'>;

/**
 * Leads with their content, newest first, in batches, so that memory use is constant. The next
 * batch is read while one is processed.
 * @throws {DatabaseUnavailable}
 */
export async function* leadsInBatches(
  filter: LeadFilter,
  context: Pick<Context, 'database'>,
  piece = 1_000,
): AsyncGenerator<ExportedLead[]> {
  const read = (olderThan?: Position) => readLeads(filter, { limit: piece, olderThan }, context);
  for (let next: ReturnType<typeof read> | undefined = read(); next;) {
    const rows: Awaited<ReturnType<typeof read>> = await next;
    next = rows.length < piece ? undefined : read(rows.at(-1));
    // If the caller stops early, it does not wait for this read.
    next?.catch(() => undefined);
    if (rows.length) yield rows.map(({ token: _, ...lead }) => lead);
  }
}

/** Names of all fields of the leads, sorted; it reads every lead. @throws {DatabaseUnavailable} */
export async function fieldNamesOf(
  filter: LeadFilter,
  { database: { background } }: Pick<Context, 'database'>,
): Promise<string[]> {
  const condition = and(
    narrowed(filter),
    filter.undelivered ? isUndelivered(sql`${leads.token}`) : undefined,
  );
  const rows = await background.all<{ name: string }>(
    sql`select distinct field.key as name from ${leads}, json_each(${leads.fields}) as field${whereOf(condition)}`,
  );
  return rows.map(({ name }) => name).sort();
}
