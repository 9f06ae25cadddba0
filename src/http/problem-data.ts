import type { Problem, ProblemDetails } from '../operation/problem.ts';

/** Values that a fault may list; a model needs no more to choose, and an answer stays small. */
const MAX_ALLOWED = 60;

/**
 * A problem as the protocols of agents carry it: the object of every other channel, contract.md “Errors”, with what stands
 * there in the header Retry-After.
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
