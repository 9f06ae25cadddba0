import { isCalendarDate } from '../fields/kinds/date.ts';
import { softwareLocale } from '../language.ts';
import { endOfDay, toDateInTimeZone, toTimeOnDay } from '../site/calendar/days.ts';
import type { Site } from '../site/site.ts';
import { defineDateFormat } from '../site/words/formats.ts';

/** A time needs an offset, because the machine may be in a different time zone than the network. */
const TIME_PATTERN = /^(\d{4}-\d{2}-\d{2})T.*(?:Z|[+-]\d{2}:\d{2})$/;

/** The accepted forms of a date or time, for messages. */
export const DATE_RULE =
  'a date such as 2027-01-31, or a time with its offset such as 2027-01-31T10:00-05:00';

/** Whether text is a date that exists, or a time with an offset on an existing date (ISO 8601). */
export function isDateTime(text: string): boolean {
  const day = TIME_PATTERN.exec(text)?.[1] ?? text;
  return isCalendarDate(day) && !Number.isNaN(Date.parse(text));
}

/**
 * The instant of a date or time; a date is the start or end of its day in the network's time zone.
 */
export function toInstant(text: string, site: Site, edge: 'start' | 'end' = 'start'): Date {
  if (!isCalendarDate(text)) return new Date(text);
  const { timeZone } = site.registry.network;
  return edge === 'start' ? toTimeOnDay(timeZone, text) : endOfDay(timeZone, text);
}

const clock = defineDateFormat(
  { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' },
  softwareLocale,
);

/**
 * Formats a time (ISO 8601) so that it sorts as text within a time zone, such as “2027-01-31 15:04
 * EST”.
 */
export const formatTimestamp = (iso: string, timeZone: string): string => {
  const time = new Date(iso);
  return `${toDateInTimeZone(timeZone, time)} ${clock(timeZone).format(time)}`;
};
