import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/**
 * The thread's module is next to this module, as TypeScript in the sources and as JavaScript in the
 * bundle.
 */
const FLUSH_THREAD_URL = new URL(`./flush-thread${extname(import.meta.url)}`, import.meta.url);

/**
 * Fills an existing file while another thread flushes it: a single flush at the end would block the
 * commits of a server on the same disk.
 */
export async function fillWhileFlushing(path: string, fill: () => Promise<unknown>): Promise<void> {
  const thread = new Worker(FLUSH_THREAD_URL, { workerData: path });
  // Errors are ignored because the final flush reports them.
  thread.on('error', () => undefined);
  await once(thread, 'message');
  try {
    await fill();
  } finally {
    await thread.terminate();
  }
}
