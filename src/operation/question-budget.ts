import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { memoize } from '../site/memoize.ts';
import { CHARACTERS_PER_QUESTION } from '../site/default-rate-limits.ts';
import { formatQuantity } from '../site/words/quantity.ts';
import { callerNounOf, callerRemedyOf, createBudgetProblem } from './budgets.ts';
import type { Budgets, Context } from './context.ts';
import { networkOf } from './network-of-address.ts';
import type { Call } from './operation.ts';

const WINDOW_SECONDS = 60;

const limiterOf = memoize(
  ({ questionsPerAddress: points }: Budgets) =>
    new RateLimiterMemory({ points, duration: WINDOW_SECONDS }),
);

/** The cost of a question: searches for longer questions take longer. */
const costOf = (question: string): number =>
  Math.max(1, Math.ceil(question.length / CHARACTERS_PER_QUESTION));

/**
 * Counts a question against its caller's budget, in this process. A question that costs more than
 * the whole budget uses the whole budget.
 * @throws {Problem} budget_exceeded
 */
export async function countQuestion(
  question: string,
  { key, address }: Pick<Call, 'key' | 'address'>,
  { budgets, now }: Pick<Context, 'budgets' | 'now'>,
): Promise<void> {
  const caller = key ? `key ${key.id}` : address !== undefined && networkOf(address);
  if (!budgets || budgets.questionsPerAddress === 0 || caller === false) return;
  const points = budgets.questionsPerAddress;
  try {
    await limiterOf(budgets).consume(caller, Math.min(points, costOf(question)));
  } catch (thrown) {
    if (!(thrown instanceof RateLimiterRes)) throw thrown;
    const time = now();
    throw createBudgetProblem(
      {
        limit: `at most ${formatQuantity(points, 'question')} a minute from one ${callerNounOf({ key })}, where a question counts as one for every ${CHARACTERS_PER_QUESTION} characters, rounded up`,
        remedy: callerRemedyOf({ key }),
      },
      new Date(time.getTime() + thrown.msBeforeNext).toISOString(),
      time,
    );
  }
}
