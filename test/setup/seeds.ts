import type { Parameters } from 'fast-check';

/** Environment variable that holds the seed of a run of `npm run soak`: a whole number. */
export const SEED_VARIABLE = 'TEST_SEED';

/** Seed of `npm test`, so that every run of it is the same. */
const FIXED_SEED = 20_261_122;

const seed = Number(process.env[SEED_VARIABLE] ?? FIXED_SEED);
if (!Number.isSafeInteger(seed)) throw new Error(`${SEED_VARIABLE} is not a whole number.`);

/**
 * Parameters of `fc.assert` for a property test. `examples` holds every counterexample that was ever found; they run
 * first, whatever the seed.
 */
export const runs = <Values>(
  numRuns: number,
  more: Omit<Parameters<Values>, 'seed' | 'numRuns'> = {},
): Parameters<Values> => ({ seed, numRuns, ...more });

let state = seed;

/** A number from 0 to below 1 that follows from the seed, in place of Math.random: Mulberry32. */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
