import { parentPort, workerData } from 'node:worker_threads';
import { pack, type PackJob } from './pack.ts';

const had = workerData as ReadonlySet<string>;

parentPort!.on('message', (job: PackJob) => {
  try {
    const packed = pack(job, had);
    parentPort!.postMessage({ packed }, [packed.bytes.buffer]);
  } catch (error) {
    // An uncaught error would end the thread and leave the next job unanswered.
    parentPort!.postMessage({ error });
  }
});
