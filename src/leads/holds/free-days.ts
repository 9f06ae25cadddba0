import { isCalendarDate } from '../../fields/kinds/date.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import type { Action, HoldEffect } from '../../registry/schemas/action.ts';
import type { Item } from '../../registry/schemas/catalog.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { findHoldAction } from '../../site/hold-action.ts';
import { findSubsite, itemsOf, type Registry } from '../../site/registry.ts';
import {
  type RentalCalendar,
  computeRentalTotal,
  rentalTermsOf,
} from '../../site/prices/rental.ts';
import {
  type DayRange,
  addDays,
  listDays,
  pickEarlierDay,
  toDateInTimeZone,
} from '../../site/calendar/days.ts';
import {
  findFirstBookableDay,
  formatTimeOfDay,
  hoursOn,
  isClosedOn,
} from '../../site/calendar/opening-hours.ts';
import { formatPlannedDay } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { formOutcome } from '../../text/index.ts';
import { readAvailableUnits } from './live-holds.ts';

/** Number of days in a calendar: six weeks. */
export const DAYS_PER_CALENDAR = 42;

/** Calendar of an item, with the action that holds the item. */
export interface FreeDaysCalendar extends RentalCalendar {
  subsite: string;
  verb: string;
}

/** The first action of a subsite that holds items, with these items; undefined if there is none. */
export function findHold(
  registry: Registry,
  subsite: Subsite,
): { action: Action; effect: HoldEffect; items: readonly Item[] } | undefined {
  const hold = findHoldAction(subsite);
  return hold && { ...hold, items: itemsOf(registry, hold.effect.catalog) };
}

/** Whether a value is a day from `min` to `max`. */
export const isDayWithin = (value: unknown, min: string, max: string): value is string =>
  typeof value === 'string' && isCalendarDate(value) && min <= value && value <= max;

/** The days of a hold: when it can begin, and the last day that it can include. */
export function computeHoldDays(
  subsite: Subsite,
  { furthestDays, longestDays }: HoldEffect,
  { site: { registry }, now }: Pick<Context, 'site' | 'now'>,
): { today: string; first: string; latestStart: string; last: string } {
  const { timeZone } = registry.network;
  const today = toDateInTimeZone(timeZone, now());
  const latestStart = addDays(today, furthestDays);
  return {
    today,
    first: findFirstBookableDay(subsite, timeZone, now()),
    latestStart,
    last: addDays(latestStart, longestDays - 1),
  };
}

/**
 * Why a typed day cannot be chosen, in the words of the submitted form's error; undefined if it can
 * be chosen, or if the first day is missing.
 */
function describeDayFault(
  query: URLSearchParams,
  effect: HoldEffect,
  { today, first, latestStart }: ReturnType<typeof computeHoldDays>,
): string | undefined {
  const [from, to] = ['from', 'to']
    .map((name) => query.get(name) ?? '')
    .map((day) => (isCalendarDate(day) ? day : undefined));
  const early = [from, to].filter((day) => day !== undefined && day < first);
  if (early.length)
    return fill(early.some((day) => day! < today) ? formOutcome.notPast : formOutcome.closed, {
      day: formatPlannedDay(first),
    });
  if (from === undefined) return undefined;
  if (from > latestStart)
    return fill(formOutcome.distantHold, {
      day: formatPlannedDay(latestStart),
      days: effect.furthestDays,
    });
  const latestEnd = addDays(from, effect.longestDays - 1);
  return to !== undefined && to > latestEnd
    ? fill(formOutcome.longHold, { day: formatPlannedDay(latestEnd), days: effect.longestDays })
    : undefined;
}

/**
 * Reads the available days of an item, and the total for the chosen days. Query parameters: `from`
 * and `to` are the chosen days; `start` is the first day shown. Days that cannot be chosen appear
 * only in `chosen.fault`. The calendar shows how many units are available, never who holds them. If
 * a receipt token is given, the days of that lead's own hold count as available.
 * @throws {Problem} not_found when no item with this name can be held
 */
export async function readFreeDays(
  names: { subsite: string; item: string },
  query: URLSearchParams,
  context: Context,
  receiptToken?: string,
): Promise<FreeDaysCalendar> {
  const { registry } = context.site;
  const subsite = findSubsite(registry, names.subsite);
  const hold = subsite && findHold(registry, subsite);
  const item = hold?.items.find(({ id }) => id === names.item);
  if (!hold || !item)
    throw new Problem(
      'not_found',
      'No item with this name can be held. Choose one of the listed items.',
    );
  const { action, effect } = hold;
  const holdDays = computeHoldDays(subsite, effect, context);
  const { today, first: firstDay, latestStart: latestDay, last } = holdDays;
  const parseDayInRange = (day: string | null, min: string, max: string) =>
    isDayWithin(day, min, max) ? day : undefined;
  const from = parseDayInRange(query.get('from'), firstDay, latestDay);
  const to = from && parseDayInRange(query.get('to'), from, addDays(from, effect.longestDays - 1));
  const start = parseDayInRange(query.get('start'), firstDay, latestDay) ?? firstDay;
  const shownDays = listDays({
    from: start,
    to: pickEarlierDay(addDays(start, DAYS_PER_CALENDAR - 1), last),
  });
  const chosenDays: DayRange | undefined = from && to ? { from, to } : undefined;
  const availableUnits = await readAvailableUnits(
    hold,
    item,
    [...shownDays.map((day) => ({ from: day, to: day })), ...(chosenDays ? [chosenDays] : [])],
    context,
    receiptToken,
  );
  const closes = from === today ? hoursOn(subsite, today)?.closes : undefined;
  const earlierStart = addDays(start, -DAYS_PER_CALENDAR);
  const laterStart = addDays(start, DAYS_PER_CALENDAR);
  return {
    subsite: subsite.name,
    verb: action.verb,
    item,
    days: shownDays.map((day, index) => ({
      day,
      free: availableUnits[index] ?? 0,
      isClosed: isClosedOn(subsite, day),
    })),
    chosen: {
      from,
      to,
      fault: describeDayFault(query, effect, holdDays),
      ...(chosenDays && {
        isFree: (availableUnits.at(-1) ?? 0) > 0,
        total: computeRentalTotal(rentalTermsOf(effect, action), item, chosenDays),
      }),
    },
    closedDays: [...new Set([from, to])].filter(
      (day): day is string => day !== undefined && isClosedOn(subsite, day),
    ),
    closingTimeToday: closes && formatTimeOfDay(closes),
    earlierStart:
      start > firstDay ? (earlierStart < firstDay ? firstDay : earlierStart) : undefined,
    laterStart: laterStart <= latestDay ? laterStart : undefined,
  };
}
