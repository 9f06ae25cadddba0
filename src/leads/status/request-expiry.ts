import type { Action } from '../../registry/schemas/action.ts';
import { addDaysToTime } from '../../operation/time-arithmetic.ts';
import { formatPromisedTime } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { receipt as text } from '../../text/index.ts';

/**
 * How long an unanswered request stays open after the deadline for its answer: a late answer is
 * better than none, and the operator needs time to obtain one.
 */
const OPEN_AFTER_DEADLINE_DAYS = 3;

/**
 * When a request whose answer is `due` expires if nobody answers, unless its hold lasts longer;
 * both times are ISO 8601. `booking` describes the hold of the request, if it had one.
 */
export const computeExpiry = (due: string, booking?: string): string =>
  booking === undefined ? addDaysToTime(new Date(due), OPEN_AFTER_DEADLINE_DAYS) : due;

/** The latest answer deadline, ISO 8601, of the unanswered requests that have expired at `now`. */
export const computeExpiredDeadline = (now: Date): string =>
  addDaysToTime(now, -OPEN_AFTER_DEADLINE_DAYS);

/** Tells the customer when a request whose answer was `due` (ISO 8601) ends, and what that means. */
export function describeExpiry(
  due: string,
  action: Pick<Action, 'effect'> | undefined,
  timeZone: string,
): string {
  const { storefront, request } = text.endsUnanswered;
  return fill(action?.effect?.kind === 'storefront' ? storefront : request, {
    until: formatPromisedTime(computeExpiry(due), timeZone),
  });
}
