import { and, desc, eq, gt, isNotNull, lte, sql, type SQL } from 'drizzle-orm';
import { budgetUses } from '../../../db/schema-budgets.ts';
import { holds } from '../../../db/schema-effects.ts';
import {
  type BudgetCount,
  callerNounOf,
  callerRemedyOf,
  createBudgetProblem,
  createSubjects,
  createUseCondition,
} from '../../operation/budgets.ts';
import type { Problem } from '../../operation/problem.ts';
import { countDaysBetween, type DayRange } from '../../site/calendar/days.ts';
import { findHoldEnd } from '../../site/calendar/hold-end.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import { budgetsOf, contactsOf, type EffectCall, listPersonCounts } from '../effects/effect.ts';
import { formatDaysFor } from '../submit/requested-days.ts';
import {
  countPeakUnconfirmedHolds,
  createOverlapCondition,
  findExpiryFor,
  type LiveHold,
  selectOverlappingHolds,
} from './live-holds.ts';

type HoldCall = EffectCall<'hold'>;

/** When an unconfirmed hold for the given days ends, ISO 8601; sooner without a contact. */
export function holdExpiryOf(hold: HoldCall, days: DayRange): string {
  const { effect, now, context } = hold;
  // A sandbox hold expires when a real hold would.
  const budgets = budgetsOf({ ...hold, input: { ...hold.input, sandbox: false } });
  const hours =
    contactsOf(hold).length || !budgets
      ? effect.hours
      : Math.min(effect.hours, effect.minutesWithoutContact / 60);
  return findHoldEnd(context.site.registry.network.timeZone, days, hours, now).toISOString();
}

const WITHDRAWAL_ADVICE =
  'To make room now, withdraw a request that you no longer need: on its receipt page, or with {"withdraw": true} to /api/lead/{receiptToken}/messages.';

/** Budgets for a hold: per contact and per caller. */
export const readHoldCounts = (hold: HoldCall, until: string): Promise<BudgetCount[]> =>
  listPersonCounts(
    hold,
    {
      budget: 'holds',
      noun: 'unconfirmed hold',
      period: 'at a time',
      until,
      remedy: WITHDRAWAL_ADVICE,
    },
    { contact: 'holdsPerContact', caller: 'holdsPerAddress' },
  );

/** A limit for one caller: a condition for the write, and the problem if it is not met. */
interface CallerLimit {
  condition: SQL;
  findRejection: () => Promise<Problem | undefined>;
}

/** The caller whose unconfirmed holds are limited; undefined if the caller has no limit. */
const limitedCallerOf = async (hold: HoldCall): Promise<string | undefined> =>
  budgetsOf(hold)?.holdsPerAddress
    ? (await createSubjects(hold.context)).callerOf(hold.call)
    : undefined;

/**
 * Limit on the total days of one item in a caller's unconfirmed holds: the maximum length of a
 * single hold. Without this limit, a few long holds in a row would block an item for months. Undefined
 * if the caller has no limit.
 */
export async function limitItemDays(
  hold: HoldCall,
  item: string,
  days: DayRange,
): Promise<CallerLimit | undefined> {
  const { call, context, effect, now } = hold;
  const caller = await limitedCallerOf(hold);
  if (caller === undefined) return undefined;
  const { longestDays, catalog } = effect;
  const dayCount = sql<number>`julianday(${holds.toDay}) - julianday(${holds.fromDay}) + 1`;
  const spareDays = longestDays - countDaysBetween(days) - 1;
  const isCounted = and(
    createUseCondition({ budget: 'holds', subject: caller }, now.toISOString()),
    eq(holds.catalog, catalog),
    eq(holds.item, item),
    eq(holds.offer, ''),
  );
  return {
    condition: sql`(select coalesce(sum(${dayCount}), 0) from ${budgetUses} join ${holds} on ${eq(holds.lead, budgetUses.row)} where ${isCounted}) <= ${spareDays}`,
    async findRejection() {
      const uses = await context.database.writer
        .select({ until: budgetUses.until, dayCount })
        .from(budgetUses)
        .innerJoin(holds, eq(holds.lead, budgetUses.row))
        .where(isCounted)
        .orderBy(desc(budgetUses.until));
      let remaining = spareDays;
      // Once this use expires, the remaining days are within the limit.
      const next = uses.find((use) => {
        remaining -= use.dayCount;
        return remaining < 0;
      });
      return (
        next &&
        createBudgetProblem(
          {
            limit: `at most ${formatQuantity(longestDays, 'day')} of one item in unconfirmed holds from one ${callerNounOf(call)} at a time`,
            remedy: callerRemedyOf(call, WITHDRAWAL_ADVICE),
          },
          next.until,
          now,
        )
      );
    },
  };
}

/**
 * True if the catalog has fewer than `limit` unconfirmed holds on each day; counts only those that
 * meet `isCounted`, if present. Checks only the first day and the days when holds start, because
 * the maximum occurs on one of them.
 */
export function isBelowLimit(
  limit: number,
  catalog: string,
  days: DayRange,
  now: Date,
  isCounted?: SQL,
): SQL {
  const isUnconfirmed = and(
    createOverlapCondition(catalog, days, now),
    isNotNull(holds.expiresAt),
    isCounted,
  );
  const startDays = sql`select ${days.from} as day union select ${holds.fromDay} from ${holds} where ${and(isUnconfirmed, gt(holds.fromDay, days.from))}`;
  const unconfirmedCount = sql`select count(*) from ${holds} where ${and(isUnconfirmed, lte(holds.fromDay, sql`begins.day`))} and ${holds.toDay} >= begins.day`;
  return sql`not exists (select 1 from (${startDays}) as begins where (${unconfirmedCount}) >= ${limit})`;
}

/**
 * Limit for a caller's unconfirmed holds on one day: half of the limit for all callers together,
 * rounded up, so that one caller cannot block the catalog but can still hold two of a small number
 * of items for the same days. Undefined if the caller has no limit.
 */
export async function limitCallerShare(
  hold: HoldCall,
  maxUnconfirmed: number | undefined,
  days: DayRange,
): Promise<CallerLimit | undefined> {
  const { call, context, effect, now } = hold;
  const caller = await limitedCallerOf(hold);
  if (maxUnconfirmed === undefined || caller === undefined) return undefined;
  const { catalog } = effect;
  const limit = Math.ceil(maxUnconfirmed / 2);
  const isActiveUse = createUseCondition({ budget: 'holds', subject: caller }, now.toISOString());
  const isOfCaller = sql`${holds.offer} = '' and ${holds.lead} in (select ${budgetUses.row} from ${budgetUses} where ${isActiveUse})`;
  return {
    condition: isBelowLimit(limit, catalog, days, now, isOfCaller),
    async findRejection() {
      const liveHolds = await selectOverlappingHolds(
        catalog,
        days,
        now,
        context.database.writer,
        isOfCaller,
      );
      const isWithinLimit = (remaining: readonly LiveHold[]) =>
        countPeakUnconfirmedHolds(days, remaining) < limit;
      if (isWithinLimit(liveHolds)) return undefined;
      const refillsAt = findExpiryFor(isWithinLimit, liveHolds)!;
      return createBudgetProblem(
        {
          limit: `at most ${formatQuantity(limit, 'item')} in unconfirmed holds from one ${callerNounOf(call)} on one day, and that limit is reached ${countDaysBetween(days) ? 'on a day ' : ''}${formatDaysFor(call.channel, days)}`,
          remedy: callerRemedyOf(
            call,
            `Choose other days, or wait until one of these holds is confirmed. ${WITHDRAWAL_ADVICE}`,
          ),
        },
        refillsAt,
        now,
      );
    },
  };
}
