import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';

/** Converts a thrown value to a problem; an unexpected error is logged with the problem's ID. */
export function toProblem(
  thrown: unknown,
  { log, tokens, now }: Pick<Context, 'log' | 'tokens' | 'now'>,
): Problem {
  if (thrown instanceof Problem) return thrown;
  const id = tokens.event(now());
  if (thrown instanceof DatabaseUnavailableError) {
    log.error({ id, fault: thrown.message }, 'unavailable');
    return new Problem(
      'unavailable',
      'The service is temporarily unavailable. Try again shortly.',
      { id, headers: { 'retry-after': '5' } },
    );
  }
  log.error({ id, err: thrown }, 'internal fault');
  return new Problem(
    'internal',
    'Something failed on our side, and the error was logged. Try again, or send the ID to the operator.',
    { id },
  );
}
