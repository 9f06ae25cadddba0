import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';

/**
 * Ends a thread of a database after the statements that it runs, and drops its response. Ending it
 * during a statement could abort the process.
 */
export async function loseThread(thread: Worker): Promise<void> {
  // The thread has ended.
  if (thread.threadId < 0) return;
  const exit = once(thread, 'exit');
  thread.removeAllListeners('message').postMessage('close');
  await exit;
}
