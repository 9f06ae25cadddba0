import { Problem } from './problem.ts';

const MAX_ATTEMPTS = 50;

/**
 * Repeats a write until no concurrent write conflicts with it.
 * @throws {Problem} unavailable when too many writes conflict
 */
export async function repeatUntilWritten<Result>(
  attempt: () => Promise<Result | 'retry'>,
): Promise<Result> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const result = await attempt();
    if (result !== 'retry') return result;
  }
  throw new Problem('unavailable', 'Too many changes arrived at once. Try again in a moment.', {
    headers: { 'retry-after': '1' },
  });
}
