import { fileCommitter } from './committer.ts';

/** Number of committed statements between two checkpoints: about 10 MB of log. */
const STATEMENTS_BETWEEN = 1_000;

/** Checkpoints the write-ahead log of a file. */
export interface Checkpoints {
  /** Counts statements that were committed, and starts a checkpoint when there are enough. */
  countCommitted: (statements: number) => void;
  /**
   * Checkpoints and empties the log, if nobody else reads it. @throws {DatabaseUnavailable} or the
   * client's error
   */
  truncate: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Runs checkpoints in a separate thread, started on first use: in the commit thread, every write
 * after a checkpoint would wait for the disk, up to a second on a slow one. `version` is that of
 * the newest migration.
 */
export function checkpointInBackground(path: string, version: number): Checkpoints {
  const thread = fileCommitter(path, version, 'read');
  let statementsSince = 0;
  let isRunning = false;
  let last: Promise<unknown> = Promise.resolve();
  function inTurn(work: () => Promise<void>): Promise<void> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }
  return {
    countCommitted(statements) {
      statementsSince += statements;
      if (statementsSince < STATEMENTS_BETWEEN || isRunning) return;
      statementsSince = 0;
      isRunning = true;
      // The next one makes up for a failed one.
      void inTurn(() => thread.checkpoint())
        .catch(() => undefined)
        .finally(() => (isRunning = false));
    },
    truncate: () => inTurn(() => thread.truncate()),
    close: () => inTurn(() => thread.close()),
  };
}
