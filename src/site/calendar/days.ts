import { DAY_MS } from './durations.ts';
import { offsetAt, toWallTime } from './wall-time.ts';

/** A range of days, YYYY-MM-DD, including the first and last. */
export interface DayRange {
  from: string;
  to: string;
}

/** Adds a number of days to a date, YYYY-MM-DD; returns 9999-12-31 for any later date. */
export const addDays = (day: string, count: number): string =>
  new Date(Math.min(Date.parse(day) + count * DAY_MS, Date.UTC(9999, 11, 31)))
    .toISOString()
    .slice(0, 10);

/** True for a day that recurs every year, MM-DD, rather than a date. */
export const isYearly = (day: string): boolean => day.length < 10;

/** True if an entry (YYYY-MM-DD, or MM-DD for every year) includes a day. */
export const includesDay = (entry: string, day: string): boolean =>
  entry === day || entry === day.slice(5);

/**
 * Converts a day that recurs every year, MM-DD, to a date in a leap year; a date, YYYY-MM-DD, is
 * unchanged.
 */
export const toDateWithYear = (date: string): string => date.padStart(10, '2000-');

/** Number of days from the first to the last day of a range; 0 if they are the same. */
export const countDaysBetween = ({ from, to }: DayRange): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** Lists every day of a range, in order; empty if the last day is before the first. */
export const listDays = ({ from, to }: DayRange): string[] =>
  Array.from({ length: Math.max(0, countDaysBetween({ from, to }) + 1) }, (_, offset) =>
    addDays(from, offset),
  );

export const pickEarlierDay = (one: string, other: string): string => (one < other ? one : other);

/** Formats a range as the value of a checkbox. */
export const checkedDaysOf = ({ from, to }: DayRange): string => `${from}/${to}`;

/** Formats a range in words: `on 2027-05-01`, `from 2027-05-01 to 2027-05-03`. */
export const formatDayRange = ({ from, to }: DayRange): string =>
  from === to ? `on ${from}` : `from ${from} to ${to}`;

/** The date (YYYY-MM-DD) at a given time in a time zone. */
export const toDateInTimeZone = (timeZone: string, now: Date): string =>
  toWallTime(timeZone, now).slice(0, 10);

/** Converts a local time (HH:MM) on a day (YYYY-MM-DD) in a time zone to a `Date`. */
export function toTimeOnDay(timeZone: string, day: string, timeOfDay = '00:00'): Date {
  const wallTime = Date.parse(`${day}T${timeOfDay}:00Z`);
  const guess = wallTime - offsetAt(timeZone, wallTime);
  // Daylight saving time may start or end between the two.
  return new Date(wallTime - offsetAt(timeZone, guess));
}

/** The end of a day (YYYY-MM-DD) in a time zone: midnight at the start of the next day. */
export const endOfDay = (timeZone: string, day: string): Date =>
  toTimeOnDay(timeZone, addDays(day, 1));
