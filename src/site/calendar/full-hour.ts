import { HOUR_MS, MINUTE_MS } from './durations.ts';
import { toClock } from './opening-hours.ts';

/** The next full hour in a time zone, or the time itself if it is one. */
export function roundUpToHour(timeZone: string, time: Date): Date {
  const minutes = Number(toClock(timeZone, time).slice(3));
  const sinceHour = minutes * MINUTE_MS + (time.getTime() % MINUTE_MS);
  return new Date(time.getTime() + (sinceHour === 0 ? 0 : HOUR_MS - sinceHour));
}
