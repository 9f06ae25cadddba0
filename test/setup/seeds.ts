import type { Parameters } from 'fast-check';

/** Environment variable that holds the seed of a run of `npm run soak`: a whole number. */
export const SEED_VARIABLE = 'TEST_SEED';

/** Seed of `npm test`, so that every run of it is the same. */
const FIXED_SEED = 20_261_122;

const seed = Number(process.env[SEED_VARIABLE] ?? FIXED_SEED);
if (!Number.isSafeInteger(seed)) throw new Error(`${SEED_VARIABLE} is not a whole number.`);

/**
 * Parameters of `fc.assert` for a property test. `examples` holds every counterexample that was
 * ever found; they run first, whatever the seed.
 */
export const runs = <Values>(
  numRuns: number,
  more: Omit<Parameters<Values>, 'seed' | 'numRuns'> = {},
): Parameters<Values> => ({ seed, numRuns, ...more });

/**
 * How often something is repeated at random: fewer times in `npm test` than in a round of
 * `npm run soak`.
 */
export const repeats = (inTest: number, inSoak: number): number =>
  process.env[SEED_VARIABLE] === undefined ? inTest : inSoak;

/**
 * A moment for each of `count` rounds within a time in ms, at random within its share of it: few
 * rounds cover all of the time too.
 */
export const moments = (count: number, ms: number): number[] =>
  Array.from({ length: count }, (_, round) => ((round + random()) * ms) / count);

let state = seed;

/** A number from 0 to below 1 that follows from the seed, in place of Math.random: Mulberry32. */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
