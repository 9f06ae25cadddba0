import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from './steps.ts';

/** A result that is computed only once, either ahead of time or when first needed. */
export interface Preparation<Result> {
  /** Runs the remaining steps immediately, and returns the result. */
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
