import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PackResult, PackJob } from './pack.ts';

/** Worker threads, each of which packs one job at a time, in turn. */
export interface PackWorkers {
  run: (job: PackJob) => Promise<PackResult>;
  /** The number of jobs that keeps all threads busy; more would only use memory. */
  maxPendingJobs: number;
  stop: () => Promise<unknown>;
}

/** Starts threads that skip bodies whose hash is in `packedHashes`. */
export function startPackWorkers(count: number, packedHashes: ReadonlySet<string>): PackWorkers {
  const workers = Array.from({ length: count }, () => ({
    thread: new Worker(new URL('./pack-worker.ts', import.meta.url), {
      workerData: packedHashes,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    }),
    idlePromise: Promise.resolve(),
  }));
  let turn = 0;
  return {
    run(job) {
      const worker = workers[turn++ % workers.length]!;
      const resultPromise = worker.idlePromise.then(async () => {
        worker.thread.postMessage(job);
        const [response] = (await once(worker.thread, 'message')) as [
          { packed: PackResult } | { error: unknown },
        ];
        if ('error' in response) throw response.error;
        return response.packed;
      });
      worker.idlePromise = resultPromise.then(
        () => undefined,
        () => undefined,
      );
      return resultPromise;
    },
    maxPendingJobs: 2 * count,
    stop: () => Promise.all(workers.map(({ thread }) => thread.terminate())),
  };
}
