/** A long computation in steps of a few milliseconds, between which other work can run. */
export type Steps<Result> = Generator<void, Result, void>;

const ITEMS_PER_STEP = 5;

export function* mapInSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    results.push(map(item, index));
  }
  return results;
}

export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
