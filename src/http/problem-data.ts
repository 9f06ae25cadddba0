import type { Problem, ProblemDetails } from '../operation/problem.ts';

/** Maximum number of values in an error, which keeps responses to models small. */
const MAX_ALLOWED = 60;

/** A problem object for agent protocols, as on all other channels, with at most 60 values. */
export function toProblemData(problem: Problem, base: string): ProblemDetails {
  const details = problem.details(base);
  const errors = details.errors?.map(({ allowed, ...error }) => ({
    ...error,
    ...(allowed && { allowed: allowed.slice(0, MAX_ALLOWED) }),
  }));
  return { ...details, ...(errors && { errors }) };
}
