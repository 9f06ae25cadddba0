import { fill } from '../../text/fill.ts';
import { openingHours } from '../../text/index.ts';
import { defineDateFormat } from '../words/formats.ts';

/** Days of the week in order, by their schema.org names. */
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export type Weekday = (typeof weekdays)[number];

const weekdayFormat = defineDateFormat({ weekday: 'long' });

/** Formats a weekday for people, in the language of the pages. */
export const formatWeekday = (day: Weekday): string =>
  // January 1, 2024, was a Monday.
  weekdayFormat().format(Date.UTC(2024, 0, 1 + weekdays.indexOf(day)));

/** Formats one weekday, or a range of weekdays, in words. */
export function formatWeekdays(firstDay: Weekday, lastDay: Weekday): string {
  if (firstDay === 'Monday' && lastDay === 'Sunday') return openingHours.everyDay;
  const [first, last] = [formatWeekday(firstDay), formatWeekday(lastDay)];
  if (firstDay === lastDay) return first;
  const isPair = weekdays.indexOf(lastDay) - weekdays.indexOf(firstDay) === 1;
  return fill(isPair ? openingHours.twoDays : openingHours.days, { first, last });
}
