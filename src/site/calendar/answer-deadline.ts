import { toDateInTimeZone, toTimeOnDay } from './days.ts';
import { HOUR_MS, MINUTE_MS } from './durations.ts';
import { findNextOpening, hoursOn, type ServiceHours, toTimeOfDay } from './opening-hours.ts';

/** Time allowed after opening for an answer that would otherwise be due outside business hours. */
export const ANSWER_DELAY_AFTER_OPENING = { hours: 2 } as const;

/** Explains in schemas when an answer is due if its deadline would fall outside business hours. */
export const CLOSED_ANSWER_RULE = `If the service is closed then, the answer is due ${ANSWER_DELAY_AFTER_OPENING.hours} hours after it next opens, or when it closes that day if that is sooner`;

/** Returns two hours after a time, or closing time on that day if it is earlier. */
const addAnswerDelay = (
  time: number,
  { day, closes }: { day: string; closes: string },
  timeZone: string,
) =>
  Math.min(
    time + ANSWER_DELAY_AFTER_OPENING.hours * HOUR_MS,
    toTimeOnDay(timeZone, day, closes).getTime(),
  );

/**
 * Returns the time itself if the service is open then or has no hours; otherwise, two hours after
 * the next opening, or closing time if that is earlier.
 */
export function findAnswerableTime(service: ServiceHours, timeZone: string, time: Date): Date {
  const today = toDateInTimeZone(timeZone, time);
  const timeOfDay = toTimeOfDay(timeZone, time);
  const hoursToday = hoursOn(service, today);
  if (hoursToday && hoursToday.opens <= timeOfDay && timeOfDay <= hoursToday.closes) return time;
  const open = findNextOpening(service, today, timeOfDay);
  if (!open) return time;
  const opening = toTimeOnDay(timeZone, open.day, open.opens).getTime();
  return new Date(addAnswerDelay(opening, open, timeZone));
}

/**
 * Deadlines are rounded down to a multiple of this: “by 10:53” looks falsely precise, and a later
 * time would break the promise of “within 24 hours”.
 */
const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/** Rounds a deadline down to a quarter of an hour. */
const roundDownToQuarterHour = (time: Date): Date =>
  new Date(Math.floor(time.getTime() / QUARTER_HOUR_MS) * QUARTER_HOUR_MS);

/** With less time than this, the business could not answer. */
const MIN_ANSWER_MINUTES = 30;

/**
 * The latest time at which an answer is still useful for a request for a day (YYYY-MM-DD): two
 * hours after opening on that day or, if it is already open, two hours from now, but no later than
 * closing time. Undefined if the business is closed on that day, closes before it can answer, or
 * has no hours.
 */
export function findAnswerTimeForDay(
  service: ServiceHours,
  timeZone: string,
  day: string,
  now: Date,
): Date | undefined {
  const open = hoursOn(service, day);
  if (!open) return undefined;
  const startTime = Math.max(toTimeOnDay(timeZone, day, open.opens).getTime(), now.getTime());
  const due = addAnswerDelay(startTime, { day, closes: open.closes }, timeZone);
  return due - now.getTime() < MIN_ANSWER_MINUTES * MINUTE_MS ? undefined : new Date(due);
}

/**
 * Finds the first of the given days (YYYY-MM-DD) that is not over at `now`; undefined if there is
 * none.
 */
export const findFirstDayFrom = (
  days: readonly string[],
  timeZone: string,
  now: Date,
): string | undefined => {
  const today = toDateInTimeZone(timeZone, now);
  return days.filter((day) => day >= today).sort()[0];
};

/**
 * Computes when the answer to a request sent now is due: after the response time, never while the
 * service is closed, and in time for the first of the requested days (YYYY-MM-DD).
 */
export function findAnswerDeadline(
  service: ServiceHours,
  timeZone: string,
  { respondWithinHours, days }: { respondWithinHours: number; days: readonly string[] },
  now: Date,
): Date {
  const deadline = findAnswerableTime(
    service,
    timeZone,
    roundDownToQuarterHour(new Date(now.getTime() + respondWithinHours * HOUR_MS)),
  );
  const day = findFirstDayFrom(days, timeZone, now);
  const timeBeforeDay = day && findAnswerTimeForDay(service, timeZone, day, now);
  return timeBeforeDay && timeBeforeDay < deadline
    ? roundDownToQuarterHour(timeBeforeDay)
    : deadline;
}

/**
 * Whether, at `now`, a person would consider an answer that was due at `due` late. If the service
 * has no hours, the person sees only the day of the deadline, so the answer is late from the next
 * day on.
 */
export const isAnswerLate = (
  { hours }: ServiceHours,
  timeZone: string,
  due: Date,
  now: Date,
): boolean =>
  hours ? due <= now : toDateInTimeZone(timeZone, due) < toDateInTimeZone(timeZone, now);

/**
 * Finds the first of the requested days (YYYY-MM-DD) that is not over when the request is sent, if
 * the answer is due only after that day.
 */
export function findDayBeforeAnswer(
  days: readonly string[],
  timeZone: string,
  { sent, due }: Readonly<Record<'sent' | 'due', Date>>,
): string | undefined {
  const day = findFirstDayFrom(days, timeZone, sent);
  return day !== undefined && day < toDateInTimeZone(timeZone, due) ? day : undefined;
}

/**
 * Finds when the service opens (HH:MM) on the first of the requested days (YYYY-MM-DD), if the
 * request is sent before that opening but the answer is due only after it.
 */
export function findOpeningBeforeAnswer(
  service: ServiceHours,
  timeZone: string,
  days: readonly string[],
  { sent, due }: Readonly<Record<'sent' | 'due', Date>>,
): string | undefined {
  const day = findFirstDayFrom(days, timeZone, sent);
  const opens = day && hoursOn(service, day)?.opens;
  const opening = opens && toTimeOnDay(timeZone, day, opens);
  return opening && sent < opening && opening < due ? opens : undefined;
}
