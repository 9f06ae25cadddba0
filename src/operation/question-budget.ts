import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { onceFor } from '../site/once-for.ts';
import { quantityOf } from '../site/words/quantity.ts';
import { overBudget } from './budgets.ts';
import type { Budgets } from './context.ts';
import type { Context } from './context.ts';
import { networkOf } from './network-of-address.ts';
import type { Call } from './operation.ts';

/** Seconds after which a question no longer counts. */
const WINDOW = 60;
/** Characters of a question per unit of cost, rounded up. */
const CHARACTERS = 500;

const limiterOf = onceFor(
  ({ questionsPerAddress: points }: Budgets) => new RateLimiterMemory({ points, duration: WINDOW }),
);

/** The cost of a question: a search takes longer with more words. */
const costOf = (question: string): number => Math.max(1, Math.ceil(question.length / CHARACTERS));

/**
 * Counts a question against its caller's budget, in this process; a question over the whole budget
 * counts as all of it.
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
    const at = now();
    throw overBudget(
      {
        what: `at most ${quantityOf(points, 'question')} a minute from one ${key ? 'key' : 'address'}, where each begun ${CHARACTERS} characters of a question count as one`,
      },
      new Date(at.getTime() + thrown.msBeforeNext).toISOString(),
      at,
    );
  }
}
