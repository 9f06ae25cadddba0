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
 * The last day of the longest hold, YYYY-MM-DD: counted from its first day, or from the nearest day
 * on which a hold may begin.
 */
export const findLatestHoldEnd = (
  from: string,
  { earliest, furthest }: { earliest: string; furthest: string | undefined },
  longestDays: number,
): string => {
  const start = from < earliest ? earliest : from;
  return addDays(furthest !== undefined && from > furthest ? furthest : start, longestDays - 1);
};
