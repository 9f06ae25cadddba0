import { describeInvalidDate, isCalendarDate } from '../../fields/kinds/date.ts';
import type { Context } from '../../operation/context.ts';
import type { InputFault } from '../../operation/problem.ts';
import {
  createMissingNameFault,
  createNameFault,
  throwIfAnyFaults,
} from '../../operation/validate.ts';
import type { HoldEffect } from '../../registry/schemas/action.ts';
import type { Item } from '../../registry/schemas/catalog.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { addDays, type DayRange, pickEarlierDay } from '../../site/calendar/days.ts';
import { findHoldAction } from '../../site/hold-action.ts';
import { memberOf } from '../../site/json-object.ts';
import { suggestNearest } from '../../site/corrections/similar-names.ts';
import type { Registry } from '../../site/registry.ts';
import { computeHoldDays, DAYS_PER_CALENDAR, findHold, isDayWithin } from './free-days.ts';

/** Maximum number of days in a response. */
export const MAX_DAYS = 92;

export interface FreeDaysQuery {
  subsite: Subsite;
  item: Item;
  days: DayRange;
  /** Whether the caller chose both days. */
  areDaysChosen: boolean;
}

export const listHoldSubsites = (registry: Registry) => registry.subsites.filter(findHoldAction);

/** What is wrong with a day in the query. */
function describeDayFault(
  value: unknown,
  min: string,
  tooEarlyMessage: string,
  tooLateMessage: string,
): string {
  if (typeof value !== 'string') return 'It was sent more than once.';
  if (!isCalendarDate(value)) return describeInvalidDate(value);
  return value < min ? tooEarlyMessage : tooLateMessage;
}

/** The days that a query parameter accepts, and why it rejects earlier and later days. */
interface DayRule {
  min: string;
  max: string;
  tooEarlyMessage: string;
  tooLateMessage: string;
}

/** Reads a day from the query; if the rule rejects it, adds a fault and returns undefined. */
function parseDay(
  query: unknown,
  name: 'from' | 'to',
  { min, max, tooEarlyMessage, tooLateMessage }: DayRule,
  errors: InputFault[],
): string | undefined {
  const value = memberOf(query, name);
  if (value === undefined || isDayWithin(value, min, max)) return value;
  errors.push({
    pointer: `/${name}`,
    message: `${describeDayFault(value, min, tooEarlyMessage, tooLateMessage)} Send one day from ${min} to ${max}.`,
    min,
    max,
  });
  return undefined;
}

/** Reads the days from the query; invalid days become faults. */
export function parseDays(
  value: unknown,
  { subsite, effect }: Pick<FreeDaysQuery, 'subsite'> & { effect: HoldEffect },
  context: Context,
  errors: InputFault[],
): Pick<FreeDaysQuery, 'days' | 'areDaysChosen'> {
  const { first, latestStart, last } = computeHoldDays(subsite, effect, context);
  const chosenFrom = parseDay(
    value,
    'from',
    {
      min: first,
      max: latestStart,
      tooEarlyMessage: 'No hold can begin on that day anymore.',
      tooLateMessage: `Holds can begin at most ${effect.furthestDays} days ahead.`,
    },
    errors,
  );
  const from = chosenFrom ?? first;
  const limitTo = (count: number) => pickEarlierDay(addDays(from, count - 1), last);
  const hasInvalidFrom = chosenFrom === undefined && memberOf(value, 'from') !== undefined;
  const sentLastDay = memberOf(value, 'to');
  const chosenTo = hasInvalidFrom
    ? undefined
    : parseDay(
        value,
        'to',
        {
          min: from,
          max: limitTo(MAX_DAYS),
          tooEarlyMessage:
            chosenFrom === undefined
              ? 'No hold can end on that day anymore.'
              : 'That day is before from.',
          tooLateMessage: `A response has at most ${MAX_DAYS} days, and no hold can end later than ${last}.`,
        },
        errors,
      );
  // The limits for the last day depend on the first.
  if (hasInvalidFrom && typeof sentLastDay === 'string' && !isCalendarDate(sentLastDay))
    errors.push({ pointer: '/to', message: describeInvalidDate(sentLastDay) });
  return {
    days: { from, to: chosenTo ?? limitTo(DAYS_PER_CALENDAR) },
    areDaysChosen: chosenFrom !== undefined && chosenTo !== undefined,
  };
}

/** Parses a query for the available days of an item. @throws {Problem} invalid_input */
export function parseFreeDaysQuery(value: unknown, context: Context): FreeDaysQuery {
  const { registry } = context.site;
  const errors: InputFault[] = [];
  const rejectName = (name: string, rule: string, allowed: string[]) => {
    const sent = memberOf(value, name);
    const guess = suggestNearest(sent, allowed);
    errors.push(createNameFault(sent, `/${name}`, rule, { allowed, guess }));
  };
  const subsites = listHoldSubsites(registry);
  const names = subsites.map(({ name }) => name);
  const subsite = subsites.find(({ name }) => name === memberOf(value, 'subsite'));
  if (!subsite) rejectName('subsite', 'Send the name of a subsite whose items can be held.', names);
  if (!subsite && memberOf(value, 'item') === undefined)
    errors.push(createMissingNameFault('/item', 'Send the ID of an item that can be held.'));
  throwIfAnyFaults(errors);
  const { effect, items } = findHold(registry, subsite!)!;
  const ids = items.map(({ id }) => id);
  const item = items.find(({ id }) => id === memberOf(value, 'item'));
  if (!item) rejectName('item', 'Send the ID of an item that can be held.', ids);
  const days = parseDays(value, { subsite: subsite!, effect }, context, errors);
  throwIfAnyFaults(errors);
  return { subsite: subsite!, item: item!, ...days };
}
