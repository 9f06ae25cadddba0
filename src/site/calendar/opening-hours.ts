import type { OpeningHours } from '../../registry/opening-hours.ts';
import { getDateFormat } from '../words/formats.ts';
import { addDays, toDateInTimeZone, toTimeOnDay } from './days.ts';
import { weekdays, type Weekday } from './week.ts';

/** Hours shown for a day without an entry. */
const CLOSED_TEXT = 'Closed';

/** Formats a time (HH:MM) for people, for example, “7 am” or “5:30 pm”. */
export function formatClock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minuteSuffix = minute ? `:${String(minute).padStart(2, '0')}` : '';
  return `${hour % 12 || 12}${minuteSuffix} ${hour < 12 ? 'am' : 'pm'}`;
}

const hoursOf = (hours: OpeningHours, day: Weekday) => hours.find(({ days }) => days.includes(day));

/** Opening and closing times (HH:MM) on a date, YYYY-MM-DD; undefined if closed. */
export const hoursOn = (
  hours: OpeningHours,
  date: string,
): Pick<OpeningHours[number], 'opens' | 'closes'> | undefined =>
  hoursOf(hours, weekdays[(new Date(date).getUTCDay() + 6) % weekdays.length]!);

/** A row in the table of business hours, such as “Monday to Saturday” and “7 am to 7 pm”. */
export interface HoursRow {
  days: string;
  hours: string;
}

/** The week’s hours, starting on Monday; consecutive days with the same hours share a row. */
export function listHoursRows(hours: OpeningHours): HoursRow[] {
  const rows: { first: Weekday; last: Weekday; hours: string }[] = [];
  for (const day of weekdays) {
    const found = hoursOf(hours, day);
    const text = found
      ? `${formatClock(found.opens)} to ${formatClock(found.closes)}`
      : CLOSED_TEXT;
    const row = rows.at(-1);
    if (row?.hours === text) row.last = day;
    else rows.push({ first: day, last: day, hours: text });
  }
  return rows.map(({ first, last, hours: text }) => ({
    days:
      first === last
        ? first
        : first === 'Monday' && last === 'Sunday'
          ? 'Every day'
          : `${first} ${weekdays.indexOf(last) - weekdays.indexOf(first) === 1 ? 'and' : 'to'} ${last}`,
    hours: text,
  }));
}

/**
 * The week in one line, such as “Monday to Saturday 7 am to 7 pm; Sunday closed”, followed by what
 * is available after hours.
 */
export const formatHours = (hours: OpeningHours, afterHours?: string): string =>
  [
    ...listHoursRows(hours).map(
      (row) => `${row.days} ${row.hours === CLOSED_TEXT ? 'closed' : row.hours}`,
    ),
    ...(afterHours ? [afterHours] : []),
  ].join('; ');

/** Weekday and time (HH:MM) in a time zone. */
function toLocalTime(now: Date, timeZone: string): { day: Weekday; time: string } {
  const parts = getDateFormat({
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)!.value;
  return { day: part('weekday') as Weekday, time: `${part('hour')}:${part('minute')}` };
}

/** The hours of a service, and what it offers after hours. */
export interface ServiceHours {
  hours?: OpeningHours | undefined;
  afterHours?: string | undefined;
}

/**
 * The first day (YYYY-MM-DD) that can still be booked: today until closing time, and then the next
 * day with business hours. Always today if the service has no hours or also works after hours.
 */
export function findFirstBookableDay(
  { hours, afterHours }: ServiceHours,
  timeZone: string,
  now: Date,
): string {
  const today = toDateInTimeZone(timeZone, now);
  if (!hours || afterHours !== undefined) return today;
  const { time } = toLocalTime(now, timeZone);
  const days = Array.from({ length: weekdays.length + 1 }, (_, ahead) => addDays(today, ahead));
  const isBookable = (day: string) => {
    const closes = hoursOn(hours, day)?.closes;
    return closes !== undefined && (day > today || time < closes);
  };
  return days.find(isBookable) ?? today;
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return 60 * hours + minutes;
};

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_DAY = 1_440;

/** Time allowed after opening for an answer whose deadline falls outside business hours. */
export const ANSWER_DELAY_AFTER_OPENING = { hours: 2 } as const;

/**
 * Returns the time if the business is open then; otherwise, two hours after the next opening, or
 * closing time if that is earlier.
 */
export function findAnswerableTime(hours: OpeningHours, timeZone: string, time: Date): Date {
  const { day, time: clock } = toLocalTime(time, timeZone);
  const from = weekdays.indexOf(day);
  for (let ahead = 0; ahead <= weekdays.length; ahead++) {
    const open = hoursOf(hours, weekdays[(from + ahead) % weekdays.length]!);
    if (!open || (ahead === 0 && clock > open.closes)) continue;
    if (ahead === 0 && clock >= open.opens) return time;
    const due = Math.min(
      minutesOf(open.opens) + 60 * ANSWER_DELAY_AFTER_OPENING.hours,
      minutesOf(open.closes),
    );
    const found = new Date(
      time.getTime() + (ahead * MINUTES_PER_DAY + due - minutesOf(clock)) * MS_PER_MINUTE,
    );
    // Daylight saving time may begin or end in between.
    const shown = minutesOf(toLocalTime(found, timeZone).time);
    return new Date(found.getTime() + (due - shown) * MS_PER_MINUTE);
  }
  return time;
}

/** Below this, a promise would leave the business no time to answer. */
const MIN_ANSWER_MINUTES = 30;

/**
 * The time by which an answer still helps for a day (YYYY-MM-DD): two hours after opening on that
 * day or, on the day itself, two hours from now, and closing time at the latest. Undefined if the
 * business is closed on that day, or closes before it can answer.
 */
export function findAnswerTimeForDay(
  hours: OpeningHours,
  timeZone: string,
  day: string,
  now: Date,
): Date | undefined {
  const open = hoursOn(hours, day);
  if (!open) return undefined;
  const startTime = Math.max(toTimeOnDay(timeZone, day, open.opens).getTime(), now.getTime());
  const due = Math.min(
    startTime + 60 * ANSWER_DELAY_AFTER_OPENING.hours * MS_PER_MINUTE,
    toTimeOnDay(timeZone, day, open.closes).getTime(),
  );
  return due - now.getTime() < MIN_ANSWER_MINUTES * MS_PER_MINUTE ? undefined : new Date(due);
}

/**
 * Describes whether the business is open and when it next opens or closes, as in “Open now, until 7
 * pm”. `afterHours` describes what is available while it is closed.
 */
export function describeOpenState(
  hours: OpeningHours,
  timeZone: string,
  now: Date,
  afterHours?: string,
): { open: boolean; text: string } {
  const closed = (opens?: string) => ({
    open: false,
    text: [
      opens ? `Closed now, opens ${opens}` : CLOSED_TEXT,
      ...(afterHours ? [afterHours] : []),
    ].join('; '),
  });
  const { day, time } = toLocalTime(now, timeZone);
  const today = hoursOf(hours, day);
  if (today && today.opens <= time && time < today.closes)
    return { open: true, text: `Open now, until ${formatClock(today.closes)}` };
  if (today && time < today.opens) return closed(`today at ${formatClock(today.opens)}`);
  const from = weekdays.indexOf(day);
  for (let ahead = 1; ahead <= weekdays.length; ahead++) {
    const next = weekdays[(from + ahead) % weekdays.length]!;
    const found = hoursOf(hours, next);
    if (found) return closed(`${ahead === 1 ? 'tomorrow' : next} at ${formatClock(found.opens)}`);
  }
  return closed();
}
