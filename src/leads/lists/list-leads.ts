import { and, eq, is, sql } from 'drizzle-orm';
import { SQLiteTextJson } from 'drizzle-orm/sqlite-core';
import { leadHistory, leads, offers, outbox } from '../../../db/schema.ts';
import { FIRST_EVENT_KIND } from '../lead-rows.ts';
import type { Context } from '../../operation/context.ts';
import { isUndeliveredToPerson, isUndeliveredToProvider } from '../deliveries/late-deliveries.ts';
import {
  type LeadFilter,
  type LeadRange,
  createFilterCondition,
  createFullCondition,
  type Position,
  selectTokens,
  createWhereClause,
} from './select-leads.ts';

/**
 * SQL for the deadline of the provider's next answer, as lead statuses show it; null if none is
 * due.
 */
const nextAnswerDue = sql<
  string | null
>`coalesce(${leads.dueAt}, iif(${leads.status} = 'acknowledged' and ${leads.answerOwed} = 1 and (select h.status from ${leadHistory} as h where h.lead = ${leads.token} order by h.id desc limit 1 offset 1) = 'new', ${leads.respondBy}, null))`;

export const summaryColumns = {
  /** Reference of the lead; only the person gets the token. */
  reference: outbox.id,
  subsite: leads.subsite,
  action: leads.action,
  status: leads.status,
  createdAt: leads.createdAt,
  updatedAt: leads.updatedAt,
  respondBy: nextAnswerDue,
  source: leads.source,
  channel: leads.channel,
  name: leads.contactName,
  email: leads.contactEmail,
  phone: leads.contactPhone,
  suspicions: leads.suspicions,
  emergency: leads.emergency,
  /** Whether a notification to the provider is undelivered. */
  undelivered: isUndeliveredToProvider(sql`${leads.token}`).mapWith(Boolean),
  /** Whether email to the person is undelivered. */
  undeliveredToPerson: isUndeliveredToPerson(sql`${leads.token}`).mapWith(Boolean),
};

/** Joins a lead with its first event, whose ID is the reference. */
export const isFirstEvent = and(eq(outbox.lead, leads.token), eq(outbox.kind, FIRST_EVENT_KIND));

/** Subquery for the history entry with a lead's newest offer; null without an offer. */
export const newestOfferEntry = sql`(select max(entry) from ${offers} as o where o.lead = ${leads.token})`;

/** Query for the leads of the operator's lists. */
export const selectSummaries = ({ database }: Pick<Context, 'database'>) =>
  database.background.select(summaryColumns).from(leads).innerJoin(outbox, isFirstEvent);

/** A lead in the operator's list. */
export type LeadSummary = Awaited<ReturnType<typeof selectSummaries>>[number];

const listColumns = {
  ...summaryColumns,
  token: leads.token,
  fields: leads.fields,
  data: leads.data,
};

/** A lead in the operator's list, with its token and the request. */
export type ListedLead = LeadSummary & {
  token: string;
  fields: Record<string, string | number>;
  data: Record<string, unknown> | null;
};

/**
 * A listed lead as JSON text, which SQLite builds faster than the driver converts eighteen columns.
 */
const rowJson = sql`json_object(${sql.join(
  Object.entries(listColumns).flatMap(([name, column]) => [
    sql`${sql.raw(`'${name}'`)}`,
    ['undelivered', 'undeliveredToPerson', 'emergency'].includes(name)
      ? sql`json(iif(${column}, 'true', 'false'))`
      : name === 'fields'
        ? sql`json(coalesce(${column}, '{}'))`
        : is(column, SQLiteTextJson)
          ? sql`json(${column})`
          : sql`${column}`,
  ]),
  sql`, `,
)})`;

const sortKeyOf = ({ createdAt, token }: Position): string => createdAt + token;

async function readLeads(
  filter: LeadFilter,
  range: LeadRange,
  context: Pick<Context, 'database'>,
): Promise<ListedLead[]> {
  const tokens = await selectTokens(filter, range, context);
  const [page] = await context.database.background
    .select({ text: sql<string>`json_group_array(${rowJson})` })
    .from(sql`(${tokens}) as page`)
    // A cross join makes SQLite start with the page and read only its leads.
    .crossJoin(leads)
    .crossJoin(outbox)
    .where(and(sql`${leads.token} = page.token`, isFirstEvent));
  return (JSON.parse(page!.text) as ListedLead[]).sort((one, other) =>
    sortKeyOf(one) < sortKeyOf(other) ? 1 : -1,
  );
}

/**
 * Finds the position of a lead within the subsites, by reference; undefined if it does not exist
 * there.
 */
export async function findPosition(
  reference: string,
  subsites: LeadFilter['subsites'],
  { database: { reader } }: Pick<Context, 'database'>,
): Promise<Position | undefined> {
  const [row] = await reader
    .select({ createdAt: leads.createdAt, token: leads.token })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .where(and(eq(outbox.id, reference), createFilterCondition({ subsites })));
  return row;
}

/** Reads leads, newest first. */
export async function listLeads(
  filter: LeadFilter,
  range: LeadRange,
  context: Pick<Context, 'database'>,
): Promise<LeadSummary[]> {
  const rows = await readLeads(filter, range, context);
  return rows.map(({ token: _, fields: _fields, data: _data, ...lead }) => lead);
}

export type ExportedLead = Omit<ListedLead, 'token'>;

/**
 * Leads per batch of an export. With 1,000, V8 kept more memory the longer an export took (320 MB
 * instead of 210 MB for a million leads); with 100, an export took a quarter longer.
 */
const BATCH_SIZE = 200;

/**
 * Yields leads with their content, newest first, in batches, so that memory use is constant. Reads
 * the next batch while the caller processes the current batch.
 */
export async function* readLeadsInBatches(
  filter: LeadFilter,
  context: Pick<Context, 'database'>,
  batchSize = BATCH_SIZE,
): AsyncGenerator<ExportedLead[]> {
  const read = (olderThan?: Position) =>
    readLeads(filter, { limit: batchSize, olderThan }, context);
  for (let next: ReturnType<typeof read> | undefined = read(); next;) {
    const rows: Awaited<ReturnType<typeof read>> = await next;
    next = rows.length < batchSize ? undefined : read(rows.at(-1));
    // If the caller stops early, nobody awaits this read.
    next?.catch(() => undefined);
    if (rows.length) yield rows.map(({ token: _, ...lead }) => lead);
  }
}

/** Reads the sorted names of all fields in the leads, which requires reading every lead. */
export async function readFieldNames(
  filter: LeadFilter,
  { database: { background } }: Pick<Context, 'database'>,
): Promise<string[]> {
  const condition = createFullCondition(filter);
  const rows = await background.all<{ name: string }>(
    sql`select distinct field.key as name from ${leads}, json_each(${leads.fields}) as field${createWhereClause(condition)}`,
  );
  return rows.map(({ name }) => name).sort();
}
