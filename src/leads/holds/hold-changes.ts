import { and, eq, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { holds } from '../../../db/schema-effects.ts';
import { leads } from '../../../db/schema.ts';
import { extendUses, releaseUses } from '../../operation/budgets.ts';
import type { Context } from '../../operation/context.ts';
import type { CallChannel } from '../../operation/operation.ts';
import { Problem } from '../../operation/problem.ts';
import { pickEarlierTime } from '../../operation/time-arithmetic.ts';
import { endOfDay } from '../../site/calendar/days.ts';
import type { Registry } from '../../site/registry.ts';
import { findOfferedHold, nextActionsOf } from '../conversation/conversation.ts';
import {
  conversationOf,
  isAcceptance,
  type LeadLog,
  type LogEntry,
  type LogHold,
  withEntry,
} from '../lead-log.ts';
import { computeAnswerDeadline } from '../status/promised-answer.ts';
import { selectFreeUnit } from './live-holds.ts';
import { holdEffectOf, withOfferedHold } from './log-with-hold.ts';
import { createOfferedHoldChanges, itemOf, planOfferedHold } from './offered-hold.ts';

/** How a lead keeps or regains its hold, or gets the hold of an offer. */
interface HoldClaim {
  /** True if the hold is live, or a unit of the item is available on its days. */
  isPossible: SQL;
  /** Returns the statement that moves an expired hold to an available unit. */
  move: (written: SQL) => SQL;
}

/**
 * Plans how a lead claims its hold, or the hold of its `offer`. Other leads may have taken the
 * units since the hold expired. Undefined if the lead holds nothing.
 */
function planHoldClaim(
  log: LeadLog,
  offer: string,
  time: Date,
  registry: Registry,
): HoldClaim | undefined {
  const { receiptToken, hold } = log;
  if (!hold) return undefined;
  const effect = holdEffectOf(log, registry);
  // An action that no longer holds items has no available units.
  const freeUnit = effect
    ? selectFreeUnit(
        effect.catalog,
        itemOf(effect, hold, registry) ?? { id: hold.item },
        hold,
        time,
        receiptToken,
      )
    : sql`null`;
  const isExpired = sql`${and(eq(holds.lead, receiptToken), eq(holds.offer, offer), isNull(holds.releasedAt), lte(holds.expiresAt, time.toISOString()))}`;
  return {
    isPossible: sql`(not exists (select 1 from ${holds} where ${isExpired}) or ${freeUnit} is not null)`,
    move: (written) =>
      sql`update ${holds} set unit = ${freeUnit} where ${isExpired} and ${written}`,
  };
}

async function canClaimHold(
  receiptToken: string,
  { isPossible }: HoldClaim,
  { database: { writer } }: Context,
): Promise<boolean> {
  const [row] = await writer
    .select({ possible: isPossible })
    .from(leads)
    .where(eq(leads.token, receiptToken));
  return Boolean(row?.possible);
}

/**
 * A lead with its hold extended by an entry: until the offer expires or, after acceptance, until
 * the provider's confirmation is due, and at least as long as the `previousHold`, which an accepted
 * offer may have replaced. The lead is unchanged if the entry does not extend the hold, as when
 * an offer has its own hold.
 */
function withExtendedHold(
  log: LeadLog,
  { status, offer }: LogEntry,
  time: Date,
  previousHold: LogHold | undefined,
  registry: Registry,
): LeadLog {
  const { hold } = log;
  const deadline =
    status === 'accepted' && log.status !== 'accepted'
      ? [computeAnswerDeadline(registry, log, time), previousHold?.expiresAt ?? ''].sort().at(-1)
      : offer && !findOfferedHold(offer)
        ? offer.expiresAt
        : undefined;
  if (deadline === undefined || !hold?.expiresAt) return log;
  const endOfLastDay = endOfDay(registry.network.timeZone, hold.to).toISOString();
  const expiresAt = pickEarlierTime(deadline, endOfLastDay);
  return hold.expiresAt >= expiresAt ? log : { ...log, hold: { ...hold, expiresAt } };
}

/** The statements that update a lead's own hold after an entry, if the entry was `written`. */
function createOwnHoldChanges({ receiptToken, hold }: LeadLog, now: string, written: SQL): SQL[] {
  const isHeldByLead = sql`${eq(holds.lead, receiptToken)} and offer = '' and released_at is null and ${written}`;
  if (!hold)
    return [
      sql`update ${holds} set released_at = ${now} where ${isHeldByLead}`,
      releaseUses('holds', receiptToken, written),
    ];
  return [
    sql`update ${holds} set expires_at = ${hold.expiresAt} where ${isHeldByLead}`,
    hold.expiresAt === null
      ? releaseUses('holds', receiptToken, written)
      : extendUses('holds', receiptToken, hold.expiresAt, written),
  ];
}

/** How a new entry changes the holds of a lead. */
export interface HoldPlan {
  /** The lead including the entry, with its new hold. */
  log: LeadLog;
  /** Conditions for writing the entry. */
  guards: readonly (SQL | undefined)[];
  /** Returns the statements for the holds, which apply if the entry was `written`. */
  rows: (written: SQL) => readonly SQL[];
}

/**
 * Plans the holds of a lead after a new entry: the hold of an accepted offer replaces the lead's,
 * an acceptance or an offer extends it, and an offer can place its own hold.
 * @throws {Problem} conflict when another request holds the item
 */
export async function planHolds(
  log: LeadLog,
  entry: LogEntry,
  { at: time, channel }: { at: Date; channel: CallChannel | undefined },
  context: Context,
): Promise<HoldPlan> {
  const { registry } = context.site;
  const { receiptToken } = log;
  const { status, at: now, actor, offer } = entry;
  const newPlacement = planOfferedHold(log, offer, { at: time, channel }, context);
  const rejection = await newPlacement?.rejection();
  if (rejection) throw rejection;

  const conversation = conversationOf(log);
  const logWithAcceptedHold = isAcceptance(entry) ? withOfferedHold(log, time, registry) : log;
  const isReplaced = logWithAcceptedHold !== log;
  const acceptedOfferId = isReplaced ? (conversation.offer?.offerId ?? '') : '';
  const logWithExtendedHold = withExtendedHold(
    logWithAcceptedHold,
    entry,
    time,
    log.hold,
    registry,
  );
  const needsHold = status === 'confirmed' || logWithExtendedHold !== log;
  const claim = needsHold
    ? planHoldClaim(logWithAcceptedHold, acceptedOfferId, time, registry)
    : undefined;
  if (claim && !(await canClaimHold(receiptToken, claim, context)))
    throw new Problem(
      'conflict',
      `The hold for this request has expired, and somebody else has the item on these days. ${actor === 'person' ? 'Reply to agree on other days.' : 'Decline the lead, or agree on other days.'}`,
      actor === 'person' ? { next: nextActionsOf(conversation, time) } : {},
    );

  const updatedLog = withEntry(logWithExtendedHold, entry);
  const endsOffer = offer !== undefined || status !== log.status;
  const endsOfferedHold = endsOffer && conversation.offer && findOfferedHold(conversation.offer);
  const changesOwnHold =
    log.hold && (isReplaced || log.hold.expiresAt !== updatedLog.hold?.expiresAt);
  return {
    log: updatedLog,
    guards: [claim?.isPossible, newPlacement && sql`${newPlacement.unit} is not null`],
    rows: (written) => [
      ...(claim ? [claim.move(written)] : []),
      ...(endsOfferedHold ? createOfferedHoldChanges(receiptToken, acceptedOfferId, written) : []),
      ...(newPlacement ? [newPlacement.place(written)] : []),
      ...(changesOwnHold ? createOwnHoldChanges(updatedLog, now, written) : []),
    ],
  };
}
