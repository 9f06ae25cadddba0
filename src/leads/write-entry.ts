import { and, eq, sql, type SQL } from 'drizzle-orm';
import { a2aPushConfigs, a2aTasks } from '../../db/schema-a2a.ts';
import { callbacks, deliveries } from '../../db/schema-deliveries.ts';
import { leadHistory, leads, offers, outbox } from '../../db/schema.ts';
import type { Context } from '../operation/context.ts';
import { normalizeText } from '../operation/normalize-text.ts';
import { nextActionsOf, type Offer, findOfferedHold } from './conversation/conversation.ts';
import { CALLBACK_CHANNEL, PUSH_CHANNEL } from './deliveries/channel.ts';
import {
  type LeadLog,
  readLog,
  revisionOf,
  conversationOf,
  withEntry,
  withHoldUntil,
} from './lead-log.ts';
import {
  type Intent,
  isKeyUnused,
  findStoredResponse,
  storeResponseIf,
} from '../operation/idempotency.ts';
import { isLate, isUnaddressed, SETTLED_OUTCOME } from './deliveries/late-deliveries.ts';
import { isAgreed, type Actor, type LeadStatus, releasesHold } from './lead-states.ts';
import { leadChanges } from './status/follow-lead.ts';
import {
  createHoldChanges,
  canKeepHold,
  computeExtendedHoldExpiry,
  isItemFree,
} from './holds/hold-changes.ts';
import { withOfferedHold } from './holds/log-with-hold.ts';
import { createOfferedHoldChanges, planOfferedHold } from './holds/offered-hold.ts';
import type { CallChannel } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import { waitListOf } from '../operation/waits.ts';
import { addDaysToTime } from '../operation/time-arithmetic.ts';
import { findDueTimeAfter, isPlainAcknowledgment } from './status/promised-answer.ts';
import { insertWhere } from '../operation/statements.ts';
import { countCodePoints } from '../fields/text-length.ts';

/** Additional writes for a change: column values for the lead's row, and SQL statements. */
export interface AdditionalWrites {
  values?: Partial<typeof leads.$inferInsert>;
  /** Returns statements for the same batch, given the condition that the lead has the new state. */
  rows?: (changedCondition: SQL) => readonly SQL[];
}

/** An action on a lead, to be written as a history entry. */
interface NewEntry {
  /** The resulting state, which may be unchanged. */
  to: LeadStatus;
  /** Message to the other side. */
  note?: string | undefined;
  offer?: Offer | undefined;
  /** The channel of the call, which determines how a rejection is worded. */
  channel?: CallChannel | undefined;
}

/** Who acts on a lead, and how to choose the action based on the current state. */
interface EntryPlan {
  /** Token of the lead. */
  lead: string;
  actor: Actor;
  /**
   * Chooses the action; called again after a concurrent write. @throws {Problem} when the action is
   * not allowed
   */
  decide: (log: LeadLog, time: Date) => NewEntry;
  /** The caller's idempotency key; the entry is written only once per key. */
  intent?: Intent | undefined;
}

/** Result of writing an entry. */
interface WrittenEntry {
  /** The lead including the entry. */
  log: LeadLog;
  at: Date;
}

/** Maximum length of a note, in Unicode code points. */
export const MAX_NOTE_LENGTH = 4_000;

/** States that count as an answer from the provider. */
const PROVIDER_ANSWER_STATES = new Set<LeadStatus>([
  'acknowledged',
  'needs_info',
  'quoted',
  'confirmed',
  'declined',
]);

/** Maximum number of retries after a concurrent change. */
const MAX_ATTEMPTS = 50;

/** An offer row that belongs to the newest entry of a lead. */
const createOfferRow = (
  { token: lead, hold: held }: LeadLog,
  { offerId, amount, currency, description, expiresAt, confirmOnAccept, ...hold }: Offer,
) => ({
  entry: sql`last_insert_rowid()`,
  id: offerId,
  lead,
  amount,
  currency,
  description: description ?? null,
  expiresAt,
  confirmOnAccept,
  item: hold.item ?? null,
  itemTitle: hold.itemTitle ?? null,
  fromDay: hold.from ?? null,
  toDay: hold.to ?? null,
  heldItem: (hold.item && held?.item) ?? null,
  heldFrom: (hold.item && held?.from) ?? null,
  heldTo: (hold.item && held?.to) ?? null,
});

/** Statements that plan an event's delivery by callback and A2A push. */
function createProgramDeliveries({
  id,
  lead,
  createdAt,
}: {
  id: string;
  lead: string;
  createdAt: string;
}): SQL[] {
  const delivery = { event: id, lead, createdAt, attempts: 0, dueAt: createdAt };
  const hasCallback = sql`exists (select 1 from ${callbacks} where ${eq(callbacks.lead, lead)})`;
  const isStored = sql`exists (select 1 from ${outbox} where ${eq(outbox.id, id)})`;
  const leadTasks = sql`select ${a2aTasks.id} from ${a2aTasks} where ${eq(a2aTasks.lead, lead)}`;
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
 * Cancels undelivered provider notifications about a lead when the provider or the operator changes
 * it, because they already know about it.
 */
const settleLateDeliveries = (lead: string, condition: SQL): SQL =>
  sql`update ${deliveries} set outcome = ${SETTLED_OUTCOME} where ${eq(deliveries.lead, lead)} and ${isLate} and ${isUnaddressed} and ${condition}`;

/** Data stored with an idempotency key to rebuild the original response from the log. */
export interface StatusSnapshot {
  revision: number;
  /** ISO 8601. */
  at: string;
  hold: LeadLog['hold'];
}

/**
 * Atomically writes an action on a lead: state, history, offer, event, hold and idempotency key.
 * After a concurrent write, chooses the action again based on the changed lead. Returns undefined
 * if the action was already carried out.
 * @throws {Problem} unknown_receipt; gone when it was erased; invalid_input when the note is too
 * long; conflict when another request holds the item; unavailable when too many changes arrive at
 * once
 * @throws {DatabaseUnavailableError}
 */
export async function writeEntry(
  { lead, actor, decide, intent }: EntryPlan,
  context: Context,
  additionalWrites: AdditionalWrites = {},
): Promise<WrittenEntry | undefined> {
  const {
    database: { writer },
    tokens,
  } = context;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const log = await readLog(lead, context);
    const time = context.now();
    const now = time.toISOString();
    if (intent && (await findStoredResponse(intent, context))) return undefined;
    const { to, note: text, offer, channel } = decide(log, time);
    const note = normalizeText(text ?? '').trim() || null;
    if (note && countCodePoints(note) > MAX_NOTE_LENGTH)
      throw new Problem(
        'invalid_input',
        `Enter a note of at most ${MAX_NOTE_LENGTH.toLocaleString('en')} characters.`,
      );
    const from = log.status;
    const revision = log.entries.length;
    const accepts = actor === 'person' && isAgreed(to);
    const logWithAcceptedHold = accepts ? withOfferedHold(log, time, context.site.registry) : log;
    const newestOffer = conversationOf(log).offer;
    const acceptedOfferId = logWithAcceptedHold === log ? '' : (newestOffer?.offerId ?? '');
    const logWithExtendedHold = withHoldUntil(
      logWithAcceptedHold,
      computeExtendedHoldExpiry(logWithAcceptedHold, { to, offer }, time, context),
    );
    const holdPlacement = planOfferedHold(log, offer, { at: time, channel }, context);
    const rejection = await holdPlacement?.rejection();
    if (rejection) throw rejection;
    const entry = { status: to, at: now, actor, note, offer };
    const dueAt = findDueTimeAfter(log, entry, context.site.registry) ?? null;
    const updatedLog = { ...withEntry(logWithExtendedHold, entry), dueAt };
    const needsHold = to === 'confirmed' || logWithExtendedHold !== log;
    if (needsHold && log.hold && !(await isItemFree(lead, acceptedOfferId, now, context)))
      throw new Problem(
        'conflict',
        `The hold for this request has expired, and somebody else has the item on these days. ${actor === 'person' ? 'Reply to agree on other days.' : 'Decline the lead, or agree on other days.'}`,
        actor === 'person' ? { next: nextActionsOf(conversationOf(log), time) } : {},
      );
    const guards = and(
      eq(revisionOf(lead), revision),
      needsHold ? canKeepHold(lead, acceptedOfferId, now) : undefined,
      holdPlacement && sql`${holdPlacement.unit} is not null`,
      intent && isKeyUnused(intent, time),
    );
    const changedCondition = sql`exists (select 1 from ${leads} where ${and(eq(leads.token, lead), eq(leads.status, to))})`;
    // The operator acts for the provider.
    const isAnswer =
      PROVIDER_ANSWER_STATES.has(to) &&
      (actor === 'provider' || actor === 'operator') &&
      !isPlainAcknowledgment(from, entry);
    const elapsedMs = Math.max(0, time.getTime() - Date.parse(log.createdAt));
    // Each statement depends on the previous one, so the batch executes all or none of them.
    const wasPreviousWritten = sql`changes() > 0`;
    const event = {
      id: tokens.event(time),
      kind: 'lead.changed',
      lead,
      payload: { from, to, by: actor, revision: revision + 1 },
      createdAt: now,
      dueAt: now,
    };
    const isStored = sql`exists (select 1 from ${outbox} where ${eq(outbox.id, event.id)})`;
    const endsOffer =
      newestOffer && findOfferedHold(newestOffer) && (offer !== undefined || to !== log.status);
    const snapshot: StatusSnapshot = { revision: revision + 1, at: now, hold: updatedLog.hold };
    const [first] = await writer.batch([
      writer
        .update(leads)
        .set({
          status: to,
          updatedAt: now,
          dueAt: updatedLog.dueAt,
          eraseAt: addDaysToTime(time, log.retentionDays),
          ...(isAnswer && { answeredMs: sql`coalesce(${leads.answeredMs}, ${elapsedMs})` }),
          ...(logWithAcceptedHold !== log && { fields: { ...logWithAcceptedHold.fields } }),
          ...additionalWrites.values,
        })
        .where(and(eq(leads.token, lead), eq(leads.status, from), guards)),
      ...[
        insertWhere(leadHistory, { lead, status: to, at: now, actor, note }, wasPreviousWritten),
        ...(offer ? [insertWhere(offers, createOfferRow(log, offer), wasPreviousWritten)] : []),
        insertWhere(outbox, event, wasPreviousWritten),
        ...(intent ? [storeResponseIf(intent, lead, snapshot, time, wasPreviousWritten)] : []),
        ...(endsOffer ? createOfferedHoldChanges(lead, acceptedOfferId, isStored) : []),
        ...(holdPlacement ? [holdPlacement.place(isStored)] : []),
        ...createHoldChanges(log.hold, updatedLog.hold, {
          lead,
          now,
          written: isStored,
          isReplaced: logWithAcceptedHold !== log,
        }),
        ...(actor === 'person' && !releasesHold(to)
          ? []
          : [settleLateDeliveries(lead, changedCondition)]),
        ...(additionalWrites.rows?.(changedCondition) ?? []),
        ...(to === 'erased' ? [] : createProgramDeliveries(event)),
      ].map((row) => writer.run(row)),
    ]);
    if (first.rowsAffected > 0) {
      waitListOf(context.database).changed(leadChanges, lead, revision + 1);
      return { log: updatedLog, at: time };
    }
  }
  throw new Problem(
    'unavailable',
    'Too many changes to this request arrived at once. Try again in a moment.',
    { headers: { 'retry-after': '1' } },
  );
}
