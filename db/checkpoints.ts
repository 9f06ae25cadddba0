import { setImmediate as turn } from 'node:timers/promises';
import type { FileCommitter } from './committer.ts';
import { createQueue } from './queue.ts';

/** Number of changed rows between two checkpoints: about 10 MB of log. */
const CHANGES_PER_CHECKPOINT = 1_000;

/** Checkpoints the write-ahead log of a file. */
export interface Checkpointer {
  /** Counts changed rows, and starts a checkpoint when there are enough. */
  countChanges: (changes: number) => void;
  /** Resolves when no checkpoint of this process is running. */
  waitUntilIdle: () => Promise<void>;
  /**
   * Checkpoints and empties the log if no other connection is reading it. @throws
   * {DatabaseUnavailableError} or the client's error
   */
  truncate: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Runs checkpoints on a separate connection. A process that serves requests runs them in a separate
 * thread: in the commit thread, writes after a checkpoint would wait for the disk for up to a
 * second if it is slow.
 */
export function createCheckpointer(connection: Omit<FileCommitter, 'commit'>): Checkpointer {
  let changesSinceCheckpoint = 0;
  let runningCheckpoint: Promise<void> | undefined;
  const enqueue = createQueue();
  return {
    countChanges(changes) {
      changesSinceCheckpoint += changes;
      if (changesSinceCheckpoint < CHANGES_PER_CHECKPOINT || runningCheckpoint) return;
      changesSinceCheckpoint = 0;
      // If a checkpoint fails, the next checkpoint also copies its part.
      runningCheckpoint = enqueue(async () => {
        // Without a thread, the acknowledgment of the writes just committed would be delayed.
        await turn();
        await connection.checkpoint();
      })
        .catch(() => undefined)
        .finally(() => (runningCheckpoint = undefined));
    },
    waitUntilIdle: async () => runningCheckpoint,
    truncate: () => enqueue(() => connection.truncate()),
    close: () => enqueue(() => connection.close()),
  };
}
