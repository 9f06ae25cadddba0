import { and, eq, sql, type SQL } from 'drizzle-orm';
import { a2aPushConfigs, a2aTasks } from '../../db/schema-a2a.ts';
import { callbacks, deliveries } from '../../db/schema-deliveries.ts';
import { leadHistory, leads, offers, outbox } from '../../db/schema.ts';
import {
  type BudgetCount,
  createBudgetConditions,
  findBudgetRejection,
  recordUses,
} from '../operation/budgets.ts';
import type { Context } from '../operation/context.ts';
import { normalizeText } from '../operation/normalize-text.ts';
import type { Offer } from './conversation/conversation.ts';
import { CALLBACK_CHANNEL, PUSH_CHANNEL } from './deliveries/channel.ts';
import { type LeadLog, type LogEntry, readLog, revisionOf } from './lead-log.ts';
import {
  type Intent,
  isKeyUnused,
  findStoredResponse,
  storeResponseIf,
} from '../operation/idempotency.ts';
import { computeEraseTime } from './erase/erase-time.ts';
import { isLate, isUnaddressed, SETTLED_OUTCOME } from './deliveries/late-deliveries.ts';
import type { EntryOrigin } from './entry-origin.ts';
import { type Actor, isEnded, type LeadStatus } from './lead-states.ts';
import { removePrivateLinks } from './private-links.ts';
import { leadChanges } from './status/follow-lead.ts';
import { type HoldPlan, planHolds } from './holds/hold-changes.ts';
import type { CallChannel } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import { repeatUntilWritten } from '../operation/repeat-writes.ts';
import { waitListOf } from '../operation/waits.ts';
import { findEntryToCallAbout } from './status/call-due.ts';
import { findDueAtAfter } from './status/promised-answer.ts';
import { isAnswer } from './status/unanswered-messages.ts';
import { insertWhere } from '../operation/statements.ts';
import { toStoredTerms } from '../site/forms/published-terms.ts';
import { countCodePoints } from '../fields/text-length.ts';
import { locale } from '../language.ts';

/** An action on a lead, to be written as a history entry. */
interface NewEntry {
  /** The resulting state, which may be unchanged. */
  to: LeadStatus;
  /** Message from the actor to the other side. */
  note?: string | undefined;
  kind?: LogEntry['kind'];
  offer?: Offer | undefined;
  /** The channel of the call, which determines how a rejection is worded. */
  channel?: CallChannel | undefined;
}

/** Who acts on a lead, and how to choose the action based on the current state. */
interface EntryPlan {
  receiptToken: string;
  actor: Actor;
  /** Where the provider or the operator acts; absent for commands and for the person. */
  origin?: EntryOrigin | undefined;
  /**
   * Chooses the action; called again after a concurrent write. Returns undefined if the lead is
   * already in the desired state, so that nothing is written. @throws {Problem} when the action is
   * not allowed
   */
  decide: (log: LeadLog, time: Date) => NewEntry | undefined;
  /** The caller's idempotency key; the entry is written only once per key. */
  intent?: Intent | undefined;
  /** Budgets that the entry counts against. */
  counts?: readonly BudgetCount[];
}

interface WrittenEntry {
  /** The lead including the entry, or unchanged if `decide` chose no action. */
  log: LeadLog;
  at: Date;
}

/** Maximum length of a note, in Unicode code points. */
export const MAX_NOTE_LENGTH = 4_000;

const createOfferRow = (
  { receiptToken, hold }: LeadLog,
  { offerId, payer, from, to, ...offer }: Offer,
) => ({
  ...offer,
  entry: sql`last_insert_rowid()`,
  id: offerId,
  lead: receiptToken,
  payer: payer ?? ('person' as const),
  fromDay: from,
  toDay: to,
  ...(offer.item !== undefined &&
    hold && { heldItem: hold.item, heldFrom: hold.from, heldTo: hold.to }),
});

/** Statements that schedule the delivery of a stored event by callback and A2A push. */
function createProgramDeliveries(
  { id, lead: receiptToken, createdAt }: Record<'id' | 'lead' | 'createdAt', string>,
  isStored: SQL,
): SQL[] {
  const delivery = { event: id, lead: receiptToken, createdAt, dueAt: createdAt };
  const hasCallback = sql`exists (select 1 from ${callbacks} where ${eq(callbacks.lead, receiptToken)})`;
  const leadTasks = sql`select ${a2aTasks.id} from ${a2aTasks} where ${eq(a2aTasks.lead, receiptToken)}`;
  return [
    insertWhere(
      deliveries,
      { ...delivery, channel: CALLBACK_CHANNEL },
      sql`${hasCallback} and ${isStored}`,
    ),
    insertWhere(
      deliveries,
      { ...delivery, channel: PUSH_CHANNEL, target: sql`${a2aPushConfigs.id}` },
      sql`${a2aPushConfigs.task} in (${leadTasks}) and ${isStored}`,
      a2aPushConfigs,
    ),
  ];
}

/**
 * Cancels the messages about a lead that have no address, once the lead ends or the provider or the
 * operator changes it, because they are no longer needed. Messages with an address are still
 * delivered or, after their last retry, remain late, because the operator must find out that they
 * fail.
 */
const settleUnaddressedDeliveries = (receiptToken: string, isStored: SQL): SQL =>
  sql`update ${deliveries} set outcome = ${SETTLED_OUTCOME} where ${eq(deliveries.lead, receiptToken)} and ${isLate} and ${isUnaddressed} and ${isStored}`;

/** Data stored with an idempotency key to rebuild the original response from the log. */
export interface StatusSnapshot {
  revision: number;
  /** ISO 8601. */
  at: string;
  hold: LeadLog['hold'];
}

/** The text of a note to store; null if it is blank. @throws {Problem} invalid_input if too long */
export function storedNoteOf(
  text: string | undefined = '',
  { site }: Pick<Context, 'site'>,
): string | null {
  const note = removePrivateLinks(normalizeText(text).trim(), site) || null;
  if (note && countCodePoints(note) > MAX_NOTE_LENGTH)
    throw new Problem(
      'invalid_input',
      `Enter a note of at most ${MAX_NOTE_LENGTH.toLocaleString(locale)} characters.`,
    );
  return note;
}

/**
 * Writes an entry unless the lead has changed since it was read; returns whether it was written.
 */
async function write(
  {
    log,
    entry,
    holdPlan,
    origin,
    counts,
  }: { log: LeadLog; entry: LogEntry; holdPlan: HoldPlan; counts: readonly BudgetCount[] } & Pick<
    EntryPlan,
    'origin'
  >,
  dueAt: string | null,
  intent: Intent | undefined,
  { database: { writer }, site, tokens }: Context,
): Promise<boolean> {
  const { receiptToken, status: from } = log;
  const { status: to, at: now, actor, note, kind, offer } = entry;
  const time = new Date(now);
  const newEntries = [...log.entries, entry];
  const revision = newEntries.length;
  const elapsedMs = Math.max(0, time.getTime() - Date.parse(log.createdAt));
  const event = {
    id: tokens.event(time),
    kind: 'lead.changed',
    lead: receiptToken,
    payload: { from, to, by: actor, revision, ...origin },
    createdAt: now,
    dueAt: now,
  };
  const snapshot: StatusSnapshot = { revision, at: now, hold: holdPlan.log.hold };
  // Each statement depends on the previous one, so the batch executes all or none of them.
  const wasPreviousWritten = sql`changes() > 0`;
  const isStored = sql`exists (select 1 from ${outbox} where ${eq(outbox.id, event.id)})`;
  const statements = [
    insertWhere(
      leadHistory,
      { lead: receiptToken, status: to, at: now, actor, note, kind },
      wasPreviousWritten,
    ),
    ...(offer ? [insertWhere(offers, createOfferRow(log, offer), wasPreviousWritten)] : []),
    insertWhere(outbox, event, wasPreviousWritten),
    ...(intent ? [storeResponseIf(intent, receiptToken, snapshot, time, wasPreviousWritten)] : []),
    ...holdPlan.rows(isStored),
    // A separate ID, so that nothing links the caller's address to the lead.
    ...recordUses(counts, tokens.event(time), isStored),
    ...(actor !== 'person' || isEnded(to)
      ? [settleUnaddressedDeliveries(receiptToken, isStored)]
      : []),
    ...(to === 'erased' ? [] : createProgramDeliveries(event, isStored)),
  ];
  const [first] = await writer.batch([
    writer
      .update(leads)
      .set({
        status: to,
        updatedAt: now,
        dueAt,
        callDueAt: (log.mustBeCalled && newEntries[findEntryToCallAbout(newEntries)]?.at) || null,
        eraseAt: computeEraseTime(holdPlan.log, time, site.registry),
        ...(isAnswer(from, entry) && {
          answeredMs: sql`coalesce(${leads.answeredMs}, ${elapsedMs})`,
        }),
        ...(holdPlan.log.fields !== log.fields && {
          fields: { ...holdPlan.log.fields },
          terms: toStoredTerms(holdPlan.log.terms),
        }),
      })
      .where(
        and(
          eq(leads.token, receiptToken),
          eq(leads.status, from),
          eq(revisionOf(receiptToken), log.entries.length),
          ...holdPlan.guards,
          ...createBudgetConditions(counts, time),
          intent && isKeyUnused(intent, time),
        ),
      ),
    ...statements.map((statement) => writer.run(statement)),
  ]);
  return first.rowsAffected > 0;
}

/**
 * Atomically writes an action on a lead: state, history, offer, event, hold and idempotency key.
 * After a concurrent write, chooses the action again based on the changed lead. Returns undefined
 * if the action was already carried out.
 * @throws {Problem} unknown_receipt; gone when it was erased; invalid_input when the note is too
 * long; conflict when another request holds the item; budget_exceeded; unavailable when too many
 * changes arrive at once
 */
export async function writeEntry(
  { receiptToken, actor, origin, decide, intent, counts = [] }: EntryPlan,
  context: Context,
): Promise<WrittenEntry | undefined> {
  return repeatUntilWritten(async () => {
    const log = await readLog(receiptToken, context);
    const at = context.now();
    if (intent && (await findStoredResponse(intent, context))) return undefined;
    const action = decide(log, at);
    if (!action) return { log, at };
    const { to, note, kind, offer, channel } = action;
    const entry: LogEntry = {
      status: to,
      at: at.toISOString(),
      actor,
      note: storedNoteOf(note, context),
      kind,
      offer: offer && {
        ...offer,
        ...(offer.description !== undefined && {
          description: removePrivateLinks(offer.description, context.site),
        }),
      },
    };
    const holdPlan = await planHolds(log, entry, { at, channel }, context);
    const { fields } = holdPlan.log;
    const dueAt = findDueAtAfter({ ...log, fields }, entry, context.site.registry) ?? null;
    if (!(await write({ log, entry, holdPlan, origin, counts }, dueAt, intent, context))) {
      // A concurrent repetition of this action may have used up the budget.
      if (intent && (await findStoredResponse(intent, context))) return undefined;
      const rejection = await findBudgetRejection(counts, context);
      if (rejection) throw rejection;
      return 'retry';
    }
    waitListOf(context.database).changed(leadChanges, receiptToken, log.entries.length + 1);
    return { log: { ...holdPlan.log, dueAt }, at };
  });
}
