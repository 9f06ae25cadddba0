import type { Context } from '../operation/context.ts';
import type { Problem } from '../operation/problem.ts';
import { formatTime } from '../site/words/words.ts';

/** Rounds a time up to the next full minute, because the displayed time has no seconds. */
const ROUNDING_MS = 59_999;

/**
 * When a person may retry after a rejection, as text in the network's time zone; undefined if the
 * problem has no Retry-After.
 */
export function formatRetryTime(problem: Problem, { site, now }: Context): string | undefined {
  const { retryAfterSeconds } = problem;
  if (retryAfterSeconds === undefined) return undefined;
  const time = new Date(now().getTime() + retryAfterSeconds * 1000 + ROUNDING_MS);
  return formatTime(time.toISOString(), site.registry.network.timeZone);
}
