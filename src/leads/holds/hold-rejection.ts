import type { Item } from '../../registry/schemas/catalog.ts';
import type { HoldEffect } from '../../registry/schemas/action.ts';
import { createBudgetProblem } from '../../operation/budgets.ts';
import { type InputError, Problem } from '../../operation/problem.ts';
import { toDateInTimeZone, type DayRange } from '../../site/calendar/days.ts';
import { findFirstBookableDay, type ServiceHours } from '../../site/calendar/opening-hours.ts';
import { computeFurthestDay, formatDayFor, formatDaysFor } from '../submit/requested-days.ts';
import type { Context } from '../../operation/context.ts';
import type { CallChannel } from '../../operation/operation.ts';
import { itemsOf } from '../../site/registry.ts';
import {
  belongsToAnotherLead,
  selectOverlappingHolds,
  findExpiryFor,
  findNearestDays,
  countAvailableUnits,
} from './live-holds.ts';

/** The latest day on which any hold can end. */
const LAST_DAY = '9999-12-31';

/** Advice for a program that resubmitted its request as a new one. */
const OWN_HOLD_ADVICE =
  'If an earlier request of yours holds it, follow that one; a retry needs the same idempotency key.';

/** Advice for a program that treats the errors as a list of values to change. */
const ONE_CHANGE_ADVICE = 'Change either the item or the days, not both.';

interface RequestedHold {
  service: ServiceHours | undefined;
  effect: HoldEffect;
  item: Item;
  days: DayRange;
  maxUnconfirmed?: number | undefined;
  /**
   * Where the item and the days are in the caller's body; `to` is absent if the body has no last
   * day.
   */
  pointers: { item: string; from: string; to?: string | undefined };
  channel: CallChannel | undefined;
  now: Date;
  /** Token of the lead that may already hold the item. */
  receiptToken?: string | undefined;
}

/**
 * Errors that suggest other dates for an item, with the first and last day of each range. The
 * messages say which days belong together, because `allowed` lists them separately.
 */
function createDayErrors(
  others: readonly DayRange[],
  otherDaysText: string,
  { pointers, channel }: Pick<RequestedHold, 'pointers' | 'channel'>,
): InputError[] {
  const formatDay = (day: string) => formatDayFor(channel, day);
  const startDays = others.map(({ from }) => from);
  if (!others.length) return [];
  const pairAdvice = channel === 'form' ? '' : ', with the last day of the same period';
  const first = {
    pointer: pointers.from,
    message: `To keep this item, choose ${startDays.map(formatDay).join(' or ')}${pointers.to === undefined ? '' : pairAdvice}. ${otherDaysText}`,
    allowed: startDays,
  };
  if (pointers.to === undefined) return [first];
  const describeLastDay = ({ from, to }: DayRange) =>
    `If the first day is ${formatDay(from)}, choose ${from === to ? 'it here too' : formatDay(to)}.`;
  return [
    first,
    {
      pointer: pointers.to,
      message: others.map(describeLastDay).join(' '),
      allowed: others.map(({ to }) => to),
    },
  ];
}

/**
 * The problem for a hold that is not possible, with alternatives: `conflict` if all units of the
 * item are taken, `budget_exceeded` if unconfirmed holds have used up their share of the catalog.
 * Undefined if the hold is possible.
 */
export async function explainUnitRejection(
  requestedHold: RequestedHold,
  context: Context,
): Promise<Problem | undefined> {
  const { service, effect, item, days, maxUnconfirmed, pointers, channel, now, receiptToken } =
    requestedHold;
  const items = itemsOf(context.site.registry, effect.catalog);
  const { timeZone } = context.site.registry.network;
  const today = toDateInTimeZone(timeZone, now);
  const liveHolds = await selectOverlappingHolds(
    effect.catalog,
    { from: today, to: LAST_DAY },
    now,
    context.database.writer,
    belongsToAnotherLead(receiptToken),
  );
  const occupancy = { liveHolds, maxUnconfirmed };
  if (countAvailableUnits(item, days, occupancy) > 0) return undefined;
  const until = computeFurthestDay(effect, { context, now });
  const first = findFirstBookableDay(service ?? {}, timeZone, now);
  const others = findNearestDays(item, days, { first, until }, occupancy);
  const nameOf = ({ id, title }: Item) => (channel === 'form' ? title : id);
  const formatDays = (range: DayRange) => formatDaysFor(channel, range);
  const otherDaysText = others.length
    ? `${nameOf(item)} is free ${others.map(formatDays).join(' or ')}.`
    : '';
  const errors = createDayErrors(others, otherDaysText, requestedHold);
  const period = formatDays(days);
  const refillsAt = findExpiryFor(
    (remaining) => countAvailableUnits(item, days, { liveHolds: remaining, maxUnconfirmed }) > 0,
    liveHolds,
  );
  if (
    countAvailableUnits(item, days, { liveHolds }) > 0 &&
    maxUnconfirmed !== undefined &&
    refillsAt
  )
    return createBudgetProblem(
      {
        limit: `at most ${maxUnconfirmed} of all items can be held without confirmation on one day, and that limit is reached ${period}`,
        remedy: `${otherDaysText || 'Choose other days.'} A place becomes free when one of these holds is confirmed, is withdrawn or expires.`,
        errors,
      },
      refillsAt,
      now,
    );
  const freeItems = items.filter((other) => countAvailableUnits(other, days, occupancy) > 0);
  const alternatives = freeItems.length
    ? `Free ${period}: ${freeItems.map(nameOf).join(', ')}.`
    : `Nothing else can be held ${period}.`;
  const oneChangeAdvice =
    channel !== 'form' && freeItems.length && others.length ? [ONE_CHANGE_ADVICE] : [];
  return new Problem(
    'conflict',
    [
      `${nameOf(item)} is not free ${period}. ${alternatives} ${otherDaysText || 'Or choose other days.'}`,
      ...oneChangeAdvice,
      ...(channel === undefined || channel === 'form' ? [] : [OWN_HOLD_ADVICE]),
    ].join(' '),
    {
      errors: [
        {
          pointer: pointers.item,
          message: [
            'It is taken on one or more of these days.',
            alternatives,
            ...oneChangeAdvice,
          ].join(' '),
          allowed: freeItems.map(({ id }) => id),
        },
        ...errors,
      ],
    },
  );
}
