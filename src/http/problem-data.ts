import type { Problem, ProblemDetails } from '../operation/problem.ts';

/** Maximum number of values listed in an error; a model needs no more, and responses stay small. */
const MAX_ALLOWED = 60;

/**
 * A problem for agent protocols: the same object as on every other channel, with the value of the
 * Retry-After header.
 */
export function problemData(
  problem: Problem,
  base: string,
): ProblemDetails & { retryAfterSeconds?: number } {
  const details = problem.details(base);
  const errors = details.errors?.map(({ allowed, ...error }) => ({
    ...error,
    ...(allowed && { allowed: allowed.slice(0, MAX_ALLOWED) }),
  }));
  const retryAfter = Number(problem.headers['Retry-After'] ?? problem.headers['retry-after']);
  return {
    ...details,
    ...(errors && { errors }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  };
}
