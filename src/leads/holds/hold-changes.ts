import { and, eq, gte, lte, ne, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { holds } from '../../../db/schema-effects.ts';
import { leads } from '../../../db/schema.ts';
import { extendUses, releaseUses } from '../../operation/budgets.ts';
import type { Context } from '../../operation/context.ts';
import { type Offer, findOfferedHold } from '../conversation/conversation.ts';
import type { LeadLog, LogHold } from '../lead-log.ts';
import type { LeadStatus } from '../lead-states.ts';
import { pickEarlierTime } from '../../operation/time-arithmetic.ts';
import { endOfDay } from '../../site/calendar/days.ts';
import { computeAnswerDeadline } from '../status/receipt.ts';
import { isLive } from './live-holds.ts';

/**
 * True if a lead can keep or regain its hold, or get the hold of its `offer`, because nobody else
 * holds the unit on these days.
 */
export function canKeepHold(lead: string, offer: string, now: string): SQL {
  const other = alias(holds, 'other');
  const isOverlapping = and(
    eq(other.catalog, holds.catalog),
    eq(other.item, holds.item),
    eq(other.unit, holds.unit),
    lte(other.fromDay, holds.toDay),
    gte(other.toDay, holds.fromDay),
  );
  const isTaken = sql`exists (select 1 from ${holds} as ${sql.identifier('other')} where ${and(ne(other.lead, holds.lead), isOverlapping, isLive(other, now))})`;
  return sql`not exists (select 1 from ${holds} where ${and(eq(holds.lead, lead), eq(holds.offer, offer), isTaken)})`;
}

/**
 * Whether the item in a lead's hold, or in its offer's hold, is still free, even if the hold has
 * expired.
 */
export async function isItemFree(
  lead: string,
  offer: string,
  now: string,
  { database: { writer } }: Context,
): Promise<boolean> {
  const [row] = await writer
    .select({ free: canKeepHold(lead, offer, now) })
    .from(leads)
    .where(eq(leads.token, lead));
  return Boolean(row?.free);
}

/**
 * When the lead's hold ends after an entry extends it, ISO 8601: when the offer expires or, after
 * acceptance, when the provider's confirmation is due. Undefined if the entry does not change the
 * hold, such as an offer with a hold of its own.
 */
export function computeExtendedHoldExpiry(
  log: LeadLog,
  { to, offer }: { to: LeadStatus; offer?: Offer | undefined },
  time: Date,
  { site: { registry } }: Context,
): string | undefined {
  const until =
    to === 'accepted' && log.status !== 'accepted'
      ? computeAnswerDeadline(registry, log, time)
      : offer && !findOfferedHold(offer)
        ? offer.expiresAt
        : undefined;
  if (until === undefined || !log.hold) return until;
  return pickEarlierTime(until, endOfDay(registry.network.timeZone, log.hold.to).toISOString());
}

/**
 * The statements that update a lead's hold for a new state, if its entry was `written`.
 * `isReplaced` is true if the hold of an accepted offer has replaced the lead's hold.
 */
export function createHoldChanges(
  before: LogHold | undefined,
  after: LogHold | undefined,
  {
    lead,
    now,
    written,
    isReplaced,
  }: { lead: string; now: string; written: SQL; isReplaced: boolean },
): SQL[] {
  if (!before || (before.expiresAt === after?.expiresAt && !isReplaced)) return [];
  const isHeldByLead = sql`${eq(holds.lead, lead)} and offer = '' and released_at is null and ${written}`;
  if (!after)
    return [
      sql`update ${holds} set released_at = ${now} where ${isHeldByLead}`,
      releaseUses('holds', lead, written),
    ];
  return [
    sql`update ${holds} set expires_at = ${after.expiresAt} where ${isHeldByLead}`,
    after.expiresAt === null
      ? releaseUses('holds', lead, written)
      : extendUses('holds', lead, after.expiresAt, written),
  ];
}
