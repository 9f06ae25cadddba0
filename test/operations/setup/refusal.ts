import { expect } from 'vitest';
import { type InputError, Problem, type ProblemCode } from '../../../src/operation/problem.ts';

/** The problem with which a call is rejected; fails if the call succeeds. */
export async function problemOf(call: () => unknown): Promise<Problem> {
  const thrown = await Promise.resolve()
    .then(call)
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  if ('value' in thrown) throw new Error('The call was accepted.');
  expect(thrown.error).toBeInstanceOf(Problem);
  return thrown.error as Problem;
}

/** Errors in a problem with the given code, by pointer. */
export async function errorsOf(
  call: () => unknown,
  code: ProblemCode = 'invalid_input',
): Promise<Record<string, InputError>> {
  const problem = await problemOf(call);
  expect(problem.code).toBe(code);
  return Object.fromEntries(
    (problem.details('').errors ?? []).map((error) => [error.pointer, error]),
  );
}

/** Number of accepted calls, and of rejected calls by problem code. */
export async function countOutcomes(
  calls: readonly Promise<unknown>[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const settled of await Promise.allSettled(calls)) {
    const name =
      settled.status === 'fulfilled'
        ? 'accepted'
        : ((settled.reason as { code?: string }).code ?? String(settled.reason));
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
