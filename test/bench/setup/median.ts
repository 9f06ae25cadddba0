/** The median; for an even number of values, the higher of the two middle values. */
export const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
