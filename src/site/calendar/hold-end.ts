import { type DayRange, endOfDay, toDateInTimeZone } from './days.ts';
import { HOUR_MS } from './durations.ts';

/** Minimum duration, in hours, of a hold that does not end partway through one of its days. */
export const WHOLE_DAY_HOURS = 24;

/**
 * Computes when an unconfirmed hold that starts now ends: after the hours in the record, but no
 * later than the end of its last day, if the days are known. If a hold of 24 hours or more would
 * end during one of its days, it lasts until that day ends, because the person may be using the
 * item by then.
 */
export function findHoldEnd(
  timeZone: string,
  days: DayRange | undefined,
  hours: number,
  now: Date,
): Date {
  const end = new Date(now.getTime() + hours * HOUR_MS);
  if (!days) return end;
  const lastMoment = endOfDay(timeZone, days.to);
  if (end >= lastMoment) return lastMoment;
  const day = toDateInTimeZone(timeZone, end);
  return hours >= WHOLE_DAY_HOURS && day >= days.from ? endOfDay(timeZone, day) : end;
}
