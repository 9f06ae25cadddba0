import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { pack, type PackResult, type PackJob } from './pack.ts';

/**
 * Files per job: enough to outweigh the cost of the message, but few enough for the workers to
 * finish at about the same time.
 */
const FILES_PER_JOB = 200;

/** For fewer files, starting threads would take longer than packing. */
const MIN_FILES_FOR_THREADS = 400;

/**
 * Starts threads, each of which packs one job at a time, in turn. They skip bodies whose hash is in
 * `packedHashes`.
 */
function startPackWorkers(count: number, packedHashes: ReadonlySet<string>) {
  const workers = Array.from({ length: count }, () => ({
    thread: new Worker(new URL('./pack-worker.ts', import.meta.url), {
      workerData: packedHashes,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    }),
    idlePromise: Promise.resolve(),
  }));
  let turn = 0;
  return {
    run(job: PackJob): Promise<PackResult> {
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
    /** The number of jobs that keeps all threads busy; more would only use memory. */
    maxPendingJobs: 2 * count,
    stop: () => Promise.all(workers.map(({ thread }) => thread.terminate())),
  };
}

/**
 * Packs files in order, in worker threads if there are many, and yields each batch in turn. Bodies
 * with a hash in `packedHashes` are not packed again.
 */
export async function* packInBatches(
  files: PackJob,
  packedHashes: ReadonlySet<string>,
): AsyncGenerator<PackResult> {
  if (files.length <= MIN_FILES_FOR_THREADS) {
    yield pack(files, packedHashes);
    return;
  }
  const workers = startPackWorkers(Math.min(8, availableParallelism()), packedHashes);
  const pendingResults: Promise<PackResult>[] = [];
  try {
    for (let start = 0; start < files.length; start += FILES_PER_JOB) {
      pendingResults.push(workers.run(files.slice(start, start + FILES_PER_JOB)));
      if (pendingResults.length >= workers.maxPendingJobs) yield await pendingResults.shift()!;
    }
    while (pendingResults.length) yield await pendingResults.shift()!;
  } finally {
    await workers.stop();
  }
}
