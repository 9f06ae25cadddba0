import type { Problem, ProblemDetails } from '../operation/problem.ts';

/** Maximum number of values in an error, which keeps responses to models small. */
const MAX_ALLOWED = 60;

/**
 * A problem object for agent protocols, as on all other channels, plus the value of the Retry-After
 * header.
 */
export function toProblemData(
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
