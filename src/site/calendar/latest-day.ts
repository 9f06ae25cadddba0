import { addDays } from './days.ts';

/**
 * How far ahead a requested day may be if no hold limits it; a later day probably has the wrong
 * year.
 */
export const MAX_YEARS_AHEAD = 3;

/** The last day (YYYY-MM-DD) that a request sent today may ask for, unless a hold limits it. */
export const findLatestDay = (today: string): string =>
  addDays(today, Math.ceil(MAX_YEARS_AHEAD * 365.25));

/**
 * The last day (YYYY-MM-DD) of the longest possible hold that starts on `from` or, if no hold may
 * start then, on the last day on which one may; undefined if that is not limited.
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
