import { and, asc, desc, eq, gte, inArray, lt, or, sql, type SQL } from 'drizzle-orm';
import { deliveries, deliveryAttempts } from '../../db/schema-deliveries.ts';
import { leadHistory, leads, outbox } from '../../db/schema.ts';
import { FIRST_EVENT } from './answer-lead.ts';
import type { Context } from './context.ts';
import { isLate } from './late-deliveries.ts';
import type { LeadStatus } from './lead-states.ts';
import { Problem } from './problem.ts';

/** A lead as the operator sees it in a list. */
export interface LeadSummary {
  /** How people name it; the token is the person’s own. */
  reference: string;
  subsite: string;
  action: string | null;
  status: LeadStatus;
  createdAt: string;
  updatedAt: string;
  respondBy: string;
  source: string;
  door: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  suspicions: string[];
  /** Whether somebody is still to be told of it. */
  undelivered: boolean;
}

/** Which leads are meant; what is left out does not narrow. */
export interface LeadFilter {
  statuses?: readonly LeadStatus[] | undefined;
  subsite?: string | undefined;
  action?: string | undefined;
  /** Filed at this time or later, ISO 8601. */
  since?: string | undefined;
  /** Filed before this time. */
  before?: string | undefined;
  /** Only those that somebody is still to be told of, that were given up, or that no address is set for. */
  undelivered?: boolean | undefined;
}

/** Every record of a lead, for its page and for an export. */
export interface LeadRecord extends LeadSummary {
  token: string;
  fields: Record<string, string | number>;
  data: Record<string, unknown> | null;
  /** Reference of the earlier lead of the same person for the same action. */
  repeatOf: string | null;
  eraseAt: string;
  history: { status: LeadStatus; at: string; actor: string; note: string | null }[];
  deliveries: { event: string; kind: string; channel: string; attempts: number; outcome: string | null; sentAt: string | null; dueAt: string | null }[];
  attempts: { event: string; channel: string; at: string; ms: number; outcome: string }[];
}

const untold = sql<number>`(exists (select 1 from ${deliveries} join ${outbox} as o on o.id = ${deliveries.event} where o.lead = ${leads.token} and ${isLate}) or exists (select 1 from ${outbox} as o where o.lead = ${leads.token} and o.due_at is not null))`;

const summary = {
  reference: outbox.id,
  subsite: leads.subsite,
  action: leads.action,
  status: leads.status,
  createdAt: leads.createdAt,
  updatedAt: leads.updatedAt,
  respondBy: leads.respondBy,
  source: leads.source,
  door: leads.door,
  name: leads.contactName,
  email: leads.contactEmail,
  phone: leads.contactPhone,
  suspicions: leads.suspicions,
  undelivered: untold,
};

const first = and(eq(outbox.lead, leads.token), eq(outbox.kind, FIRST_EVENT));

const conditionOf = ({ statuses, subsite, action, since, before, undelivered }: LeadFilter): SQL | undefined =>
  and(
    statuses?.length ? inArray(leads.status, [...statuses]) : undefined,
    subsite === undefined ? undefined : eq(leads.subsite, subsite),
    action === undefined ? undefined : eq(leads.action, action),
    since === undefined ? undefined : gte(leads.createdAt, since),
    before === undefined ? undefined : lt(leads.createdAt, before),
    undelivered ? untold : undefined,
  );

/** A row as it is selected by `summary`. */
type SummaryRow = Omit<LeadSummary, 'status' | 'undelivered'> & { status: string; undelivered: number };

const cleaned = <Row extends SummaryRow>(row: Row): Omit<Row, 'status' | 'undelivered'> & Pick<LeadSummary, 'status' | 'undelivered'> => ({ ...row, status: row.status as LeadStatus, undelivered: Boolean(row.undelivered) });

/** Leads, newest first. @throws {DatabaseUnavailable} */
export async function listLeads(filter: LeadFilter, { limit, offset = 0 }: { limit: number; offset?: number }, { database }: Pick<Context, 'database'>): Promise<LeadSummary[]> {
  const rows = await database.reader.select(summary).from(leads).innerJoin(outbox, first).where(conditionOf(filter)).orderBy(desc(leads.createdAt), desc(leads.token)).limit(limit).offset(offset);
  return rows.map(cleaned);
}

/** Leads with what was written, newest first, in pieces. @throws {DatabaseUnavailable} */
export async function* eachLead(filter: LeadFilter, { database }: Pick<Context, 'database'>, piece = 500): AsyncGenerator<LeadSummary & Pick<LeadRecord, 'fields' | 'data'>> {
  for (let after: { createdAt: string; token: string } | undefined; ; ) {
    const further = after && or(lt(leads.createdAt, after.createdAt), and(eq(leads.createdAt, after.createdAt), lt(leads.token, after.token)));
    const rows = await database.reader
      .select({ ...summary, token: leads.token, fields: leads.fields, data: leads.data })
      .from(leads)
      .innerJoin(outbox, first)
      .where(and(conditionOf(filter), further))
      .orderBy(desc(leads.createdAt), desc(leads.token))
      .limit(piece);
    for (const { token: _, ...row } of rows) yield { ...cleaned(row), fields: row.fields ?? {} };
    const last = rows.at(-1);
    if (!last || rows.length < piece) return;
    after = last;
  }
}

/**
 * The token of a lead that is named by its reference or its token.
 * @throws {Problem} unknown_receipt
 */
export async function tokenOf(given: string, { database }: Pick<Context, 'database'>): Promise<string> {
  const [row] = await database.writer
    .select({ token: outbox.lead })
    .from(outbox)
    .where(and(eq(outbox.kind, FIRST_EVENT), or(eq(outbox.id, given), eq(outbox.lead, given))))
    .limit(1);
  if (!row) throw new Problem('unknown_receipt', 'There is no lead with this reference.');
  return row.token;
}

/**
 * The tokens of several leads, each once, before anything is done with one of them.
 * @throws {Problem} unknown_receipt when any is not there; gone when any was erased
 */
export async function tokensOf(given: readonly string[], context: Pick<Context, 'database'>): Promise<string[]> {
  const found = new Set<string>();
  const [unknown, erased]: [string[], string[]] = [[], []];
  for (const one of new Set(given)) {
    const token = await tokenOf(one, context).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return undefined;
    });
    const [lead] = token === undefined ? [] : await context.database.writer.select({ status: leads.status }).from(leads).where(eq(leads.token, token));
    if (!lead) unknown.push(one);
    else if (lead.status === 'erased') erased.push(one);
    else found.add(token!);
  }
  if (unknown.length) throw new Problem('unknown_receipt', `There is no lead with the reference ${unknown.join(', ')}. Nothing was done.`);
  if (erased.length) throw new Problem('gone', `The lead ${erased.join(', ')} was erased before. Nothing was done.`);
  return [...found];
}

/**
 * Everything about a lead.
 * @throws {Problem} unknown_receipt
 * @throws {DatabaseUnavailable}
 */
export async function readLead(given: string, context: Pick<Context, 'database'>): Promise<LeadRecord> {
  const { writer } = context.database;
  const token = await tokenOf(given, context);
  const events = writer.select({ id: outbox.id }).from(outbox).where(eq(outbox.lead, token));
  const [[lead], history, sent, attempts] = await writer.batch([
    writer.select({ ...summary, fields: leads.fields, data: leads.data, repeatOf: leads.repeatOf, eraseAt: leads.eraseAt }).from(leads).innerJoin(outbox, first).where(eq(leads.token, token)),
    writer.select({ status: leadHistory.status, at: leadHistory.at, actor: leadHistory.actor, note: leadHistory.note }).from(leadHistory).where(eq(leadHistory.lead, token)).orderBy(asc(leadHistory.id)),
    writer
      .select({ event: deliveries.event, kind: outbox.kind, channel: deliveries.channel, attempts: deliveries.attempts, outcome: deliveries.outcome, sentAt: deliveries.sentAt, dueAt: deliveries.dueAt })
      .from(deliveries)
      .innerJoin(outbox, eq(outbox.id, deliveries.event))
      .where(eq(outbox.lead, token))
      .orderBy(asc(deliveries.createdAt), asc(deliveries.channel)),
    writer.select({ event: deliveryAttempts.event, channel: deliveryAttempts.channel, at: deliveryAttempts.at, ms: deliveryAttempts.ms, outcome: deliveryAttempts.outcome }).from(deliveryAttempts).where(inArray(deliveryAttempts.event, events)).orderBy(asc(deliveryAttempts.id)),
  ]);
  const repeatOf = lead!.repeatOf === null ? null : (await writer.select({ id: outbox.id }).from(outbox).where(and(eq(outbox.lead, lead!.repeatOf), eq(outbox.kind, FIRST_EVENT))))[0]?.id;
  return { token, ...cleaned(lead!), fields: lead!.fields ?? {}, repeatOf: repeatOf ?? null, history: history.map((entry) => ({ ...entry, status: entry.status as LeadStatus })), deliveries: sent, attempts };
}
