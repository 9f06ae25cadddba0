import { addDays } from './days.ts';

/**
 * How far ahead a requested day may be if no hold limits it; a later day is probably a wrong year.
 */
export const MAX_YEARS_AHEAD = 3;

/**
 * The last day (YYYY-MM-DD) for which a request that is sent today may ask, unless a hold limits it.
 */
export const findLatestDay = (today: string): string =>
  addDays(today, Math.ceil(MAX_YEARS_AHEAD * 365.25));

/**
 * The last day of the longest hold, YYYY-MM-DD: counted from its first day or, if no hold may begin
 * on that day, from the last day on which one may; undefined if there is no such day.
 */
export function findLatestHoldEnd(
  from: string,
  { earliest, furthest }: { earliest: string; furthest: string | undefined },
  longestDays: number,
): string | undefined {
  const isValidStart = from >= earliest && (furthest === undefined || from <= furthest);
  const start = isValidStart ? from : furthest;
  return start && addDays(start, longestDays - 1);
}
