import { fileCommitter } from './committer.ts';

/** Statements that are committed between two checkpoints: about 10 MB of log. */
const BETWEEN = 1_000;

/** Folds the write-ahead log of a file into it. */
export interface Checkpoints {
  /** Counts statements that were committed, and starts a checkpoint when there are enough. */
  committed: (statements: number) => void;
  /**
   * Folds the log into the file and empties it, where nobody else reads it. @throws
   * {DatabaseUnavailable} or the client's error
   */
  fold: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Makes checkpoints in a thread of their own, which starts when it is first needed: in the thread
 * that commits, every write behind a checkpoint would wait for the disk, a second where it is slow.
 * `version` is that of the newest migration.
 */
export function checkpointInBackground(path: string, version: number): Checkpoints {
  const thread = fileCommitter(path, version, 'read');
  let since = 0;
  let isRunning = false;
  let last: Promise<unknown> = Promise.resolve();
  function inTurn(work: () => Promise<void>): Promise<void> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }
  return {
    committed(statements) {
      since += statements;
      if (since < BETWEEN || isRunning) return;
      since = 0;
      isRunning = true;
      // One that fails is made up for by the next.
      void inTurn(() => thread.checkpoint())
        .catch(() => undefined)
        .finally(() => (isRunning = false));
    },
    fold: () => inTurn(() => thread.fold()),
    close: () => inTurn(() => thread.close()),
  };
}
