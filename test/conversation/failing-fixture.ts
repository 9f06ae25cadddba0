import type { Worker } from 'node:worker_threads';
import { DatabaseUnavailableError } from '../../db/index.ts';
import { loseThread } from '../db/setup/lose-thread.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';

export interface FailingFixture extends Fixture {
  /** Makes the next write fail before or after it is committed; undefined cancels the failure. */
  failNext(moment: 'before' | 'after' | undefined): void;
  /** Ends the writer thread without a response; the next write starts a new thread. */
  dropConnection(): Promise<void>;
}

/** Opens a fixture whose database can fail on demand. */
export async function openFailingFixture(
  site: Fixture['context']['site'],
): Promise<FailingFixture> {
  const threads: Worker[] = [];
  const started = (thread: Worker) => void threads.push(thread);
  process.on('worker', started);
  const fixture = await openFixture(site);
  process.off('worker', started);

  let failurePoint: 'before' | 'after' | undefined;
  const store = fixture.database.writer.$client;
  const write = store.batch.bind(store);
  store.batch = async (statements, mode) => {
    const now = failurePoint;
    failurePoint = undefined;
    if (now === 'before') throw new DatabaseUnavailableError('unreachable');
    const written = await write(statements, mode);
    if (now === 'after') throw new DatabaseUnavailableError('unreachable');
    return written;
  };

  return {
    ...fixture,
    failNext: (moment) => void (failurePoint = moment),
    async dropConnection() {
      // The writer is the first thread that a database starts.
      const [writeThread] = threads.splice(0, 1);
      process.once('worker', (thread) => void threads.unshift(thread));
      if (writeThread) await loseThread(writeThread);
    },
  };
}
