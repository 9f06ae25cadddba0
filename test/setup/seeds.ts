import type { Parameters } from 'fast-check';

/** Environment variable with the integer seed of an `npm run soak` run. */
export const SEED_VARIABLE = 'TEST_SEED';

/** Fixed seed for `npm test`, which makes runs reproducible. */
const FIXED_SEED = 20_261_122;

const seed = Number(process.env[SEED_VARIABLE] ?? FIXED_SEED);
if (!Number.isSafeInteger(seed)) throw new Error(`${SEED_VARIABLE} must be a whole number.`);

/**
 * Parameters of `fc.assert` for a property test. `examples` lists known counterexamples, which run
 * first with any seed.
 */
export const createPropertyParameters = <Values>(
  numRuns: number,
  options: Omit<Parameters<Values>, 'seed' | 'numRuns'> = {},
): Parameters<Values> => ({ seed, numRuns, ...options });

/** Number of repetitions: fewer in `npm test` than in `npm run soak`. */
export const chooseRepeatCount = (testCount: number, soakCount: number): number =>
  process.env[SEED_VARIABLE] === undefined ? testCount : soakCount;

/**
 * Random times in ms, one in each of `count` equal intervals, so that even few rounds cover the
 * whole duration.
 */
export const generateRandomTimes = (count: number, ms: number): number[] =>
  Array.from({ length: count }, (_, round) => ((round + random()) * ms) / count);

let state = seed;

/** Seeded replacement for Math.random (Mulberry32). */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixedState = Math.imul(state ^ (state >>> 15), 1 | state);
  mixedState =
    (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState;
  return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 2 ** 32;
}
