import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { advanceTasks, eraseOldResults } from '../capabilities/advance-tasks.ts';
import type { Context } from '../operation/context.ts';
import { createJobFaults, type JobFaults } from './job-faults.ts';

/**
 * Pauses in ms: after a round with work, after a round without work, after an error, between
 * erasures.
 */
const pauses = { busy: 50, idle: 1_000, fault: 5_000, erasing: 3_600_000 };

const JOB = 'advance tasks';

/** Runs due tasks until stopped; any number of processes may share the work. */
export function startTaskScheduler(
  context: Context,
  faults: JobFaults = createJobFaults(context),
): { stop: () => Promise<void> } {
  const worker = randomUUID();
  const stopController = new AbortController();
  let eraseAt = 0;

  async function round(): Promise<number> {
    try {
      if (performance.now() >= eraseAt) {
        await eraseOldResults(context);
        eraseAt = performance.now() + pauses.erasing;
      }
      const count = await advanceTasks(worker, context);
      faults.succeeded(JOB);
      return count ? pauses.busy : pauses.idle;
    } catch (error) {
      faults.failed(JOB, error);
      return pauses.fault;
    }
  }

  const loopPromise = (async () => {
    while (!stopController.signal.aborted)
      await wait(await round(), undefined, { signal: stopController.signal }).catch(
        () => undefined,
      );
  })();
  return {
    async stop() {
      stopController.abort();
      await loopPromise;
    },
  };
}
