/** The median of some figures; of two in the middle, the higher one. */
export const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
