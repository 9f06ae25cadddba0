import { setImmediate as nextTurn } from 'node:timers/promises';

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

/** A result that is computed once, ahead of time or when it is first needed. */
export interface Preparation<Result> {
  /** The result. Runs the remaining steps immediately. */
  result: () => Result;
  /** Runs one step in each turn of the event loop. */
  prepare: () => Promise<void>;
}

/**
 * Computes a result in steps. A computation that fails starts again when the result is next needed.
 */
export function createPreparation<Result>(start: () => Steps<Result>): Preparation<Result> {
  let steps: Steps<Result> | undefined;
  let finalStep: { result: Result } | undefined;
  const advance = () => {
    steps ??= start();
    try {
      const step = steps.next();
      if (step.done) finalStep = { result: step.value };
    } catch (error) {
      steps = undefined;
      throw error;
    }
  };
  return {
    result() {
      while (!finalStep) advance();
      return finalStep.result;
    },
    async prepare() {
      while (!finalStep) {
        advance();
        await nextTurn();
      }
    },
  };
}
