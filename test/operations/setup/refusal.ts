import { expect } from 'vitest';
import { type InputError, Problem, type ProblemCode } from '../../../src/operation/problem.ts';

/** The problem that a call ends in; fails when it succeeds. */
export async function problemOf(call: () => unknown): Promise<Problem> {
  const thrown = await Promise.resolve()
    .then(call)
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  if ('value' in thrown) throw new Error('It was accepted.');
  expect(thrown.error).toBeInstanceOf(Problem);
  return thrown.error as Problem;
}

/** The errors of a refusal with this code, by pointer. */
export async function refusal(
  call: () => unknown,
  code: ProblemCode = 'invalid_input',
): Promise<Record<string, InputError>> {
  const problem = await problemOf(call);
  expect(problem.code).toBe(code);
  return Object.fromEntries(
    (problem.details('').errors ?? []).map((error) => [error.pointer, error]),
  );
}
