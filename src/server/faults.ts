import { Problem } from '../operations/problem.ts';
import type { Context } from '../operations/context.ts';

/** The site’s bundle carries its own copy of the class, so the name decides, not the identity. */
const isProblem = (thrown: unknown): thrown is Problem => thrown instanceof Error && thrown.name === 'Problem' && 'code' in thrown;

const isUnavailable = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'DatabaseUnavailable';

/** The refusal that something thrown is answered with; what nobody foresaw is logged under an id, which the answer carries. */
export function problemOf(thrown: unknown, { log, tokens, now }: Pick<Context, 'log' | 'tokens' | 'now'>): Problem {
  if (isProblem(thrown)) return thrown;
  const id = tokens.event(now());
  if (isUnavailable(thrown)) {
    log.error({ id, fault: (thrown as Error).message }, 'unavailable');
    return new Problem('unavailable', 'The service cannot answer for the moment. Try again shortly.', { id, headers: { 'retry-after': '5' } });
  }
  log.error({ id, err: thrown as Error }, 'internal fault');
  return new Problem('internal', 'Something failed on our side, and it has been logged. Try again, or quote the id to the operator.', { id });
}
