import { createBatchClient } from './client.ts';
import { createWorkerCommitter } from './committer.ts';
import type { Connection } from './connection.ts';
import { createQueue } from './queue.ts';

/** Runs long reads of a database file in a separate thread. */
export interface BackgroundReader {
  connection: Connection;
  close: () => Promise<void>;
}

/**
 * Starts the thread on first use and runs reads one at a time, in order. `version` is the creation
 * time of the newest migration, in ms since 1970.
 */
export function openBackgroundReader(path: string, version: number): BackgroundReader {
  const committer = createWorkerCommitter(path, version, 'read');
  const enqueue = createQueue();
  const client = createBatchClient(
    (statements) => enqueue(() => committer.commit(statements)),
    'file',
    () => void committer.close(),
  );
  return {
    // The thread reconnects automatically after a fault.
    connection: { getClient: async () => client, invalidate() {}, close: () => client.close() },
    close: () => enqueue(() => committer.close()),
  };
}
