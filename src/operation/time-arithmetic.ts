import { HOUR_MS } from '../site/calendar/durations.ts';

/** A time plus a number of milliseconds, as ISO 8601. */
export const addMilliseconds = (from: Date, ms: number): string =>
  new Date(from.getTime() + ms).toISOString();

/** A time plus a number of hours, as ISO 8601. */
export const addHours = (from: Date, hours: number): string =>
  addMilliseconds(from, hours * HOUR_MS);

/** The earlier of two times, ISO 8601 in UTC. */
export const pickEarlierTime = (one: string, other: string): string => (one < other ? one : other);

/** A time plus a number of days, as ISO 8601. */
export const addDaysToTime = (from: Date, days: number): string => addHours(from, 24 * days);
