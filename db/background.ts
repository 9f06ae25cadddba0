import { clientOf } from './client.ts';
import { fileCommitter } from './committer.ts';
import type { Connection } from './connection.ts';

/** Long reads of a file, and the care of its log, in a thread of their own. */
export interface Background {
  connection: Connection;
  /** Folds the log into the file and empties it, where nobody else reads it. @throws {DatabaseUnavailable} or the client's error */
  fold: () => Promise<void>;
  close: () => Promise<void>;
}

/** Makes the thread when it is first needed; `version` is that of the newest migration. One read runs at a time, first in, first out. */
export function readInBackground(path: string, version: number): Background {
  const thread = fileCommitter(path, version, 'read');
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }
  const client = clientOf(
    (statements) => inTurn(() => thread.commit(statements)),
    'file',
    () => void thread.close(),
  );
  return {
    // The thread connects anew by itself after a fault.
    connection: { ready: async () => client, distrust() {}, close: () => client.close() },
    fold: () => inTurn(() => thread.fold()),
    close: () => inTurn(() => thread.close()),
  };
}
