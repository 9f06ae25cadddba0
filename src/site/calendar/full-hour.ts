import { HOUR_MS, MINUTE_MS } from './durations.ts';
import { toTimeOfDay } from './opening-hours.ts';

/** The next full hour in a time zone, or the time itself if it is on the hour. */
export function roundUpToHour(timeZone: string, time: Date): Date {
  const minutes = Number(toTimeOfDay(timeZone, time).slice(3));
  const msSinceHour = minutes * MINUTE_MS + (time.getTime() % MINUTE_MS);
  return new Date(time.getTime() + (msSinceHour === 0 ? 0 : HOUR_MS - msSinceHour));
}
