import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileCommitter } from './committer.ts';
import { createQueue } from './queue.ts';

/** Number of changed rows between two checkpoints: about 10 MB of log. */
const CHANGES_PER_CHECKPOINT = 1_000;

/** Checkpoints a database file's write-ahead log. */
export interface Checkpointer {
  /** Counts changed rows, and starts a checkpoint when there are enough. */
  countChanges: (changes: number) => void;
  /** Resolves when no checkpoint is running in this process. */
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
 * thread, because in the commit thread, a slow disk would delay the writes after a checkpoint by up
 * to a second.
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
      // If a checkpoint fails, the next one also copies what it missed.
      runningCheckpoint = enqueue(async () => {
        // If there is no thread, starting now would delay the acknowledgment of the writes just
        // committed.
        await nextTurn();
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
