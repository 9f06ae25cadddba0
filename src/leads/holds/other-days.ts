import { isCalendarDate } from '../../fields/kinds/date.ts';
import type { Context } from '../../operation/context.ts';
import { addDays, type DayRange } from '../../site/calendar/days.ts';
import { findSubsite } from '../../site/registry.ts';
import { formatPlannedDays } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { customerForm } from '../../text/index.ts';
import type { LeadState } from '../status/lead-status.ts';
import { type FreeDaysCalendar, findHold, readFreeDays } from './free-days.ts';

/** The available days of a held item, for a person who may ask for different days. */
export interface OtherDays {
  calendar: FreeDaysCalendar;
  /** Whether the person is choosing days. */
  isChoosing: boolean;
  /** The chosen days if they are available and differ from the held days. */
  desiredDays?: DayRange | undefined;
}

const DAYS_BEFORE_HOLD = 14;

/**
 * Reads the available days of the item that a lead holds, with the query parameters of
 * `readFreeDays`. Undefined if the lead holds nothing that can still change, or the catalog lacks
 * the item.
 */
export async function readOtherDays(
  { subsite: name, action, hold, offer, next, receiptToken }: LeadState,
  query: URLSearchParams,
  context: Context,
): Promise<OtherDays | undefined> {
  const { registry } = context.site;
  const subsite = findSubsite(registry, name);
  if (!subsite || hold?.expiresAt === undefined || offer || !next.includes('reply'))
    return undefined;
  const { item } = hold;
  const found = findHold(registry, subsite);
  if (found?.action.verb !== action || !found.items.some(({ id }) => id === item)) return undefined;
  const isChoosing = ['from', 'start'].some((key) => query.has(key));
  const { from, to } = hold;
  const shown = isChoosing
    ? query
    : new URLSearchParams({ from, to, start: addDays(from, -DAYS_BEFORE_HOLD) });
  const calendar = await readFreeDays({ subsite: name, item }, shown, context, receiptToken);
  const { chosen } = calendar;
  const areOtherDays =
    chosen.isFree && chosen.from && chosen.to && !(chosen.from === from && chosen.to === to);
  return {
    calendar,
    isChoosing,
    ...(areOtherDays && { desiredDays: { from: chosen.from!, to: chosen.to! } }),
  };
}

/** Reads the first and the last desired day from a query; undefined unless it has both. */
export function parseDesiredDays(query: URLSearchParams): DayRange | undefined {
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '';
  return isCalendarDate(from) && isCalendarDate(to) ? { from, to } : undefined;
}

const formatDesiredDays = (days: DayRange): string =>
  fill(customerForm.otherDays, { days: formatPlannedDays(days) });

/**
 * The text that the person typed, in which the sentence about the desired days replaces the one
 * about earlier choices, unless they have edited it.
 */
export function replaceDesiredDays(
  text: string,
  earlier: DayRange | undefined,
  desiredDays: DayRange | undefined,
): string {
  const earlierText = earlier && formatDesiredDays(earlier);
  const typedText = text
    .split('\n')
    .filter((line) => line.trim() !== earlierText)
    .join('\n');
  return [typedText, desiredDays && formatDesiredDays(desiredDays)].filter(Boolean).join('\n');
}
