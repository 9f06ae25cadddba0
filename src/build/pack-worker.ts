import { parentPort, workerData } from 'node:worker_threads';
import { pack, type PackJob } from './pack.ts';

const packedHashes = workerData as ReadonlySet<string>;

parentPort!.on('message', (job: PackJob) => {
  try {
    const packed = pack(job, packedHashes);
    parentPort!.postMessage({ packed }, [packed.bytes.buffer]);
  } catch (error) {
    // An uncaught error would end the thread and leave the next job unanswered.
    parentPort!.postMessage({ error });
  }
});
