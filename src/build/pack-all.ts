import { availableParallelism } from 'node:os';
import { pack, type PackResult, type PackJob } from './pack.ts';
import { startPackWorkers } from './pack-workers.ts';

/**
 * Files per job: enough to outweigh the cost of the message, but few enough for the workers to
 * finish at about the same time.
 */
const FILES_PER_JOB = 200;

/** For fewer files, starting threads would take longer than packing. */
const MIN_FILES_FOR_THREADS = 400;

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
