import type { OpeningHours } from '../../registry/schemas/opening-hours.ts';
import { defineDateFormat, fullDay, longDay } from '../words/formats.ts';
import {
  addDays,
  type DayRange,
  includesDay,
  isYearly,
  toDateInTimeZone,
  toDateWithYear,
} from './days.ts';
import { toWallTime } from './wall-time.ts';
import { formatWeekday, formatWeekdays, weekdays, type Weekday } from './week.ts';
import { fill } from '../../text/fill.ts';
import { clock as clockTexts, openingHours as text } from '../../text/index.ts';

/** A day on which a service is closed despite its weekly hours. */
export interface ClosedDay {
  /** YYYY-MM-DD, or MM-DD for a day that recurs every year. */
  date: string;
  name?: string | undefined;
}

/** The hours of a service, and what it offers after hours. A service without hours never closes. */
export interface ServiceHours {
  hours?: OpeningHours | undefined;
  closedDays?: readonly ClosedDay[] | undefined;
  afterHours?: string | undefined;
}

/** Formats a time (HH:MM) for people, for example, “7 am”, “noon” or “5:30 pm”. */
export function formatTimeOfDay(time: string): string {
  if (time === '12:00') return clockTexts.noon;
  if (time === '00:00') return clockTexts.midnight;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minuteSuffix = minute ? `:${String(minute).padStart(2, '0')}` : '';
  return fill(hour < 12 ? clockTexts.am : clockTexts.pm, {
    time: `${hour % 12 || 12}${minuteSuffix}`,
  });
}

const hoursOf = (hours: OpeningHours, day: Weekday) => hours.find(({ days }) => days.includes(day));

const weekdayOf = (date: string): Weekday =>
  weekdays[(new Date(date).getUTCDay() + 6) % weekdays.length]!;

type DayHours = Pick<OpeningHours[number], 'opens' | 'closes'>;

const weeklyHoursOn = (hours: OpeningHours, date: string): DayHours | undefined =>
  hoursOf(hours, weekdayOf(date));

/** Finds the entry in a service’s closed days for a date (YYYY-MM-DD), if any. */
const closedDayOn = ({ closedDays = [] }: ServiceHours, day: string): ClosedDay | undefined =>
  closedDays.find(({ date }) => includesDay(date, day));

/** Opening and closing times (HH:MM) on a date, YYYY-MM-DD; undefined if closed. */
export const hoursOn = (service: ServiceHours, date: string): DayHours | undefined =>
  service.hours && !closedDayOn(service, date) ? weeklyHoursOn(service.hours, date) : undefined;

/**
 * True if a service with hours is closed on a date (YYYY-MM-DD). A service that is also available
 * after hours is never closed.
 */
export const isClosedOn = (service: ServiceHours, date: string): boolean =>
  service.hours !== undefined && service.afterHours === undefined && !hoursOn(service, date);

/** Finds the next day with opening hours, starting with a date (YYYY-MM-DD) itself. */
function findOpenDay(
  service: ServiceHours,
  from: string,
): (DayHours & { day: string }) | undefined {
  // A closed day that recurs every year falls on a given weekday at most once in five years.
  const days = weekdays.length * ((service.closedDays?.length ?? 0) + 1);
  for (let ahead = 0; ahead < days; ahead++) {
    const day = addDays(from, ahead);
    const open = hoursOn(service, day);
    if (open) return { day, ...open };
  }
  return undefined;
}

/** Finds the next opening of the service after a time of day (HH:MM) on a day. */
export function findNextOpening(service: ServiceHours, today: string, timeOfDay: string) {
  const hoursToday = hoursOn(service, today);
  const opensToday = hoursToday && timeOfDay < hoursToday.opens;
  return findOpenDay(service, opensToday ? today : addDays(today, 1));
}

/** A row in the table of business hours, such as “Monday to Saturday” and “7 am to 7 pm”. */
export interface HoursRow {
  days: string;
  hours: string;
}

/** Lists the week’s hours, starting on Monday; consecutive days with the same hours share a row. */
export function listHoursRows(hours: OpeningHours): HoursRow[] {
  const rows: { first: Weekday; last: Weekday; hours: string }[] = [];
  for (const day of weekdays) {
    const found = hoursOf(hours, day);
    const hoursText = found
      ? fill(text.hours, {
          opens: formatTimeOfDay(found.opens),
          closes: formatTimeOfDay(found.closes),
        })
      : text.closed;
    const row = rows.at(-1);
    if (row?.hours === hoursText) row.last = day;
    else rows.push({ first: day, last: day, hours: hoursText });
  }
  return rows.map(({ first, last, hours: hoursText }) => ({
    days: formatWeekdays(first, last),
    hours: hoursText,
  }));
}

/** Formats the week’s hours on one line, as in “Monday to Saturday 7 am to 7 pm; Sunday closed”. */
export const formatHours = (hours: OpeningHours, afterHours?: string): string =>
  [
    ...listHoursRows(hours).map((row) =>
      fill(row.hours === text.closed ? text.closedRow : text.row, row),
    ),
    ...(afterHours ? [afterHours] : []),
  ].join('; ');

const monthDay = defineDateFormat({ month: 'long', day: 'numeric' });
const weekdayAndDay = defineDateFormat({ weekday: 'long', month: 'long', day: 'numeric' });

const withName = (day: string, { name }: ClosedDay): string =>
  name ? fill(text.namedDay, { day, name }) : day;

/**
 * Formats closed days in words, such as “November 26, 2026 (Thanksgiving)”. With a day
 * (YYYY-MM-DD), gives the next date of each from that day on, in order and without past days;
 * without one, days that recur every year come first.
 */
export const listClosedDays = (closedDays: readonly ClosedDay[], from?: string): string[] =>
  closedDays
    .map((day) => ({
      ...day,
      date: from === undefined ? day.date : listClosedDates([day], from)[0],
    }))
    .filter((day): day is ClosedDay => day.date !== undefined)
    .toSorted((one, other) => (one.date < other.date ? -1 : 1))
    .map((day) =>
      withName(
        (isYearly(day.date) ? monthDay : longDay)().format(new Date(toDateWithYear(day.date))),
        day,
      ),
    );

/** Formats closed days on one line, in the same order as {@link listClosedDays}. */
export const formatClosedDays = (closedDays: readonly ClosedDay[], from?: string): string =>
  listClosedDays(closedDays, from).join(', ');

/**
 * The dates (YYYY-MM-DD) on which a service is closed, in order, from a day through the end of the
 * next year, or of the last year in the list if that is later. Does not depend on the current date.
 */
export function listClosedDates(closedDays: readonly ClosedDay[], from: string): string[] {
  const firstYear = Number(from.slice(0, 4));
  const dates = closedDays.map(({ date }) => date);
  const singleDates = dates.filter((date) => !isYearly(date));
  const lastYear = Math.max(firstYear + 1, ...singleDates.map((date) => Number(date.slice(0, 4))));
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, offset) => firstYear + offset);
  const yearlyDates = dates
    .filter(isYearly)
    .flatMap((date) => years.map((year) => `${year}-${date}`))
    // February 29 exists only in leap years.
    .filter((date) => addDays(date, 0) === date);
  return [...new Set([...singleDates, ...yearlyDates])].filter((date) => date >= from).sort();
}

/**
 * Lists the closed days in a range in words, such as “Thursday, November 26 (Thanksgiving)”,
 * without days on which the service is closed every week. Days in later years include the year.
 */
export function listClosedDaysBetween(service: ServiceHours, { from, to }: DayRange): string[] {
  const { hours, closedDays = [] } = service;
  return listClosedDates(closedDays, from)
    .filter((day) => day <= to && hours && weeklyHoursOn(hours, day))
    .map((day) =>
      withName(
        (day.slice(0, 4) === from.slice(0, 4) ? weekdayAndDay : fullDay)().format(new Date(day)),
        closedDayOn(service, day)!,
      ),
    );
}

/** Number of days in advance for which pages announce a closed day. */
const ANNOUNCED_DAYS = 14;

/** Lists in words the closed days from today through the next two weeks. */
export function listUpcomingClosedDays(
  service: ServiceHours,
  timeZone: string,
  now: Date,
): string[] {
  const from = toDateInTimeZone(timeZone, now);
  return listClosedDaysBetween(service, { from, to: addDays(from, ANNOUNCED_DAYS) });
}

/** The time (HH:MM) in a time zone. */
export const toTimeOfDay = (timeZone: string, now: Date): string =>
  toWallTime(timeZone, now).slice(11, 16);

/**
 * The first day (YYYY-MM-DD) that can still be booked: today until closing time; after that, the
 * next day with business hours. Always today if the service has no hours or is also available after
 * hours.
 */
export function findFirstBookableDay(service: ServiceHours, timeZone: string, now: Date): string {
  const today = toDateInTimeZone(timeZone, now);
  if (!service.hours || service.afterHours !== undefined) return today;
  const closes = hoursOn(service, today)?.closes;
  return closes !== undefined && toTimeOfDay(timeZone, now) < closes
    ? today
    : (findOpenDay(service, addDays(today, 1))?.day ?? today);
}

/**
 * Formats the day of the next opening: “today”, “tomorrow”, “Friday” or, a week or more ahead, a
 * date.
 */
function formatOpeningDay(day: string, today: string): string {
  if (day === today) return text.today;
  if (day === addDays(today, 1)) return text.tomorrow;
  return day >= addDays(today, weekdays.length)
    ? weekdayAndDay().format(new Date(day))
    : formatWeekday(weekdayOf(day));
}

/** When the business closes (HH:MM); undefined if it is not open. */
function findClosingTime(service: ServiceHours, timeZone: string, now: Date): string | undefined {
  const time = toTimeOfDay(timeZone, now);
  const hours = hoursOn(service, toDateInTimeZone(timeZone, now));
  return hours && hours.opens <= time && time < hours.closes ? hours.closes : undefined;
}

/** Adds what is available after hours to a description of the business’s state. */
const addAfterHours = (state: string, { afterHours }: ServiceHours): string =>
  [state, ...(afterHours ? [afterHours] : [])].join('; ');

/**
 * Describes when a closed business is closed, as in “today (Thanksgiving)”, and when it next opens.
 */
function describeClosedTime(
  service: ServiceHours,
  timeZone: string,
  now: Date,
): { closed: string; opening: string | undefined } {
  const today = toDateInTimeZone(timeZone, now);
  const entry = closedDayOn(service, today);
  const next = findNextOpening(service, today, toTimeOfDay(timeZone, now));
  return {
    closed: entry ? withName(text.today, entry) : text.now,
    opening:
      next &&
      fill(text.opening, {
        day: formatOpeningDay(next.day, today),
        time: formatTimeOfDay(next.opens),
      }),
  };
}

/**
 * Describes whether the business is open and when it next opens or closes, as in “Open now, until 7
 * pm”, and what is available while it is closed. Undefined if it has no hours.
 */
export function describeOpenState(
  service: ServiceHours,
  timeZone: string,
  now: Date,
): { open: boolean; text: string } | undefined {
  if (!service.hours) return undefined;
  const closes = findClosingTime(service, timeZone, now);
  if (closes !== undefined)
    return { open: true, text: fill(text.openUntil, { time: formatTimeOfDay(closes) }) };
  const { closed, opening } = describeClosedTime(service, timeZone, now);
  const state = opening === undefined ? text.closed : fill(text.closedUntil, { closed, opening });
  return { open: false, text: addAfterHours(state, service) };
}

/**
 * Describes when a closed business next opens, as in “is closed now and opens tomorrow at 7 am”;
 * undefined while it is open or if it has no hours.
 */
export function describeClosing(
  service: ServiceHours,
  timeZone: string,
  now: Date,
): string | undefined {
  if (!service.hours || findClosingTime(service, timeZone, now) !== undefined) return undefined;
  const { closed, opening } = describeClosedTime(service, timeZone, now);
  return opening === undefined ? text.isClosed : fill(text.isClosedUntil, { closed, opening });
}

/**
 * Like {@link describeOpenState}, but includes what is available after hours even while the
 * business is open.
 */
export function describeOpeningNow(
  service: ServiceHours,
  timeZone: string,
  now: Date,
): string | undefined {
  const state = describeOpenState(service, timeZone, now);
  return state?.open && service.afterHours ? `${state.text}; ${service.afterHours}` : state?.text;
}
