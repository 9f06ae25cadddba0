import { and, eq, gt, gte, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { deliveries } from '../../db/schema-deliveries.ts';
import { holds, leadHistory, leads, outbox } from '../../db/schema.ts';
import { giveBack } from '../operation/budgets.ts';
import type { Context } from '../operation/context.ts';
import { normalizeText } from '../operation/normalize-text.ts';
import { isLate, isUntold, SETTLED } from './late-deliveries.ts';
import { type Actor, type LeadStatus, transitionFault } from './lead-states.ts';
import { Problem } from '../operation/problem.ts';
import { daysLater } from './receipt.ts';
import { insertWhere } from '../operation/statements.ts';

/** A change of a lead’s state that somebody wants. */
export interface LeadChange {
  /** Token of the lead. */
  lead: string;
  to: LeadStatus;
  actor: Actor;
  /** A text that the person who filed the lead may read. */
  note?: string | undefined;
  /** States that the lead has had as its changer knows it; the change is refused where it has had more. */
  revision?: number | undefined;
}

/** What a change writes beside the state: values of the lead’s row, and statements that may follow it. */
export interface ChangeExtra {
  values?: Partial<typeof leads.$inferInsert>;
  /** Statements that follow in the same batch; `done` holds where the lead has the new state. */
  rows?: (done: SQL) => readonly SQL[];
}

/** Longest note, in characters. */
export const NOTE_LENGTH = 4_000;

/** States by which a provider answers. */
const answering = new Set<LeadStatus>([
  'acknowledged',
  'needs_info',
  'quoted',
  'confirmed',
  'declined',
]);

/** Times that a change is planned anew after another one came first. */
const TRIES = 5;

/** Leads in these states keep no item. */
const released = new Set<LeadStatus>(['declined', 'withdrawn', 'expired', 'erased']);

const goneForGood = () => new Problem('gone', 'This request was erased; nothing of it is kept.');

/** Whether the hold of a lead can be made firm: nobody else has the unit on these days since it lapsed. */
function holdStands(lead: string, now: string): SQL {
  const other = alias(holds, 'other');
  const live = and(isNull(other.releasedAt), or(isNull(other.expiresAt), gt(other.expiresAt, now)));
  const same = and(
    eq(other.catalog, holds.catalog),
    eq(other.item, holds.item),
    eq(other.unit, holds.unit),
    lte(other.fromDay, holds.toDay),
    gte(other.toDay, holds.fromDay),
  );
  const taken = sql`exists (select 1 from ${holds} as ${sql.identifier('other')} where ${and(ne(other.lead, holds.lead), same, live)})`;
  return sql`not exists (select 1 from ${holds} where ${and(eq(holds.lead, lead), taken)})`;
}

/** How many states a lead has had. */
export const revisionOf = (lead: string | typeof leads.token): SQL<number> =>
  sql<number>`(select count(*) from ${leadHistory} where ${eq(leadHistory.lead, lead)})`;

/** What becomes of the lead’s hold. */
function holdAfter(to: LeadStatus, lead: string, now: string): SQL[] {
  const mine = sql`${eq(holds.lead, lead)} and changes() > 0`;
  if (to === 'confirmed')
    return [
      sql`update ${holds} set expires_at = null where ${mine} and released_at is null`,
      giveBack('holds', lead, sql`changes() > 0`),
    ];
  return released.has(to)
    ? [
        sql`update ${holds} set released_at = ${now} where ${mine} and released_at is null`,
        giveBack('holds', lead, sql`changes() > 0`),
      ]
    : [];
}

/** Whoever changes a lead that nobody could be told of knows of it. */
const knownOf = (lead: string, done: SQL): SQL =>
  sql`update ${deliveries} set outcome = ${SETTLED} where ${eq(deliveries.lead, lead)} and ${isLate} and ${isUntold} and ${done}`;

/** Why the guards of a change did not hold, as a refusal; nothing where it is to be tried again. */
async function refusalOf(
  { lead, to, revision }: LeadChange,
  from: string,
  now: string,
  { database: { writer } }: Context,
): Promise<Problem | undefined> {
  const [row] = await writer
    .select({
      status: leads.status,
      revision: revisionOf(lead),
      free: holdStands(lead, now),
    })
    .from(leads)
    .where(eq(leads.token, lead));
  if (row && revision !== undefined && row.revision !== revision) return movedOn(row.status);
  if (row?.status === from && to === 'confirmed' && !row.free)
    return new Problem(
      'invalid_input',
      'The hold of this lead has lapsed and somebody else has the item on these days. Decline the lead, or agree on other days.',
    );
  return undefined;
}

/** The refusal of a change to a lead that has changed since its changer looked at it. */
const movedOn = (status: string): Problem =>
  new Problem(
    'gone',
    `This link is out of date: the request is already ${status.replaceAll('_', ' ')}. Open the newest message about it for links that work.`,
  );

/**
 * Changes the state of a lead with its history, the event that tells of it and its hold, all or none, once: of two equal
 * changes that arrive together, the second is refused.
 * @throws {Problem} unknown_receipt; gone when it was erased or has changed since; invalid_input when it may not go there or the note is too long
 * @throws {DatabaseUnavailable}
 */
export async function changeLead(
  change: LeadChange,
  context: Context,
  extra: ChangeExtra = {},
): Promise<void> {
  const { lead, to, actor, revision } = change;
  const note = normalizeText(change.note ?? '').trim() || undefined;
  if (note && note.length > NOTE_LENGTH)
    throw new Problem(
      'invalid_input',
      `Write a note of at most ${NOTE_LENGTH.toLocaleString('en')} characters.`,
    );
  const {
    database: { writer },
    tokens,
  } = context;
  for (let tries = 0; tries < TRIES; tries++) {
    const [row] = await writer
      .select({
        status: leads.status,
        createdAt: leads.createdAt,
        retentionDays: leads.retentionDays,
        revision: revisionOf(lead),
      })
      .from(leads)
      .where(eq(leads.token, lead));
    if (!row)
      throw new Problem(
        'unknown_receipt',
        'No request has this receipt. Check that its address was copied whole.',
      );
    const from = row.status as LeadStatus;
    if (from === 'erased') throw goneForGood();
    const at = context.now();
    const now = at.toISOString();
    if (revision !== undefined && row.revision !== revision) throw movedOn(from);
    const fault = to === 'erased' ? undefined : transitionFault(from, to, actor, note);
    if (fault) throw new Problem('invalid_input', fault);

    const free = and(
      revision === undefined ? undefined : eq(revisionOf(lead), revision),
      to === 'confirmed' ? holdStands(lead, now) : undefined,
    );
    const done = sql`exists (select 1 from ${leads} where ${and(eq(leads.token, lead), eq(leads.status, to))})`;
    // The operator hands on what the provider says.
    const answers = answering.has(to) && (actor === 'provider' || actor === 'operator');
    const elapsed = Math.max(0, at.getTime() - Date.parse(row.createdAt));
    // Each statement hangs on the one before it, so that the batch is written whole or not at all.
    const before = sql`changes() > 0`;
    const event = {
      id: tokens.event(at),
      kind: 'lead.changed',
      lead,
      payload: { from, to, by: actor },
      createdAt: now,
      dueAt: now,
    };
    const [first] = await writer.batch([
      writer
        .update(leads)
        .set({
          status: to,
          updatedAt: now,
          eraseAt: daysLater(at, row.retentionDays),
          ...(answers && { answeredMs: sql`coalesce(${leads.answeredMs}, ${elapsed})` }),
          ...extra.values,
        })
        .where(and(eq(leads.token, lead), eq(leads.status, from), free)),
      writer.run(
        insertWhere(leadHistory, { lead, status: to, at: now, actor, note: note ?? null }, before),
      ),
      writer.run(insertWhere(outbox, event, before)),
      ...holdAfter(to, lead, now).map((row) => writer.run(row)),
      writer.run(knownOf(lead, done)),
      ...(extra.rows?.(done) ?? []).map((row) => writer.run(row)),
    ]);
    if (first.rowsAffected > 0) return;
    const refusal = await refusalOf(change, from, now, context);
    if (refusal) throw refusal;
  }
  throw new Error('A lead was changed by others each time that its change was planned.');
}
