import type { Worker } from 'node:worker_threads';
import type { ResultSet } from '@libsql/client';
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
  let writeThread: Worker | undefined;
  // The writer is the first thread that a database starts.
  const recordThread = (thread: Worker) => {
    if (!writeThread || writeThread.threadId < 0) writeThread = thread;
  };
  /** Records the write thread that some work starts. */
  async function record<Result>(work: Promise<Result>): Promise<Result> {
    process.on('worker', recordThread);
    try {
      return await work;
    } finally {
      process.off('worker', recordThread);
    }
  }
  // A reused database may have started its threads before.
  const fixture = await record(openFixture(site, { isReused: false, usesThread: true }));

  let failurePoint: 'before' | 'after' | undefined;
  const store = fixture.database.writer.$client;
  const write = store.batch.bind(store);
  const execute = store.execute.bind(store) as (...statement: unknown[]) => Promise<ResultSet>;
  store.execute = (...statement: unknown[]) => record(execute(...statement));
  store.batch = async (statements, mode) => {
    const now = failurePoint;
    failurePoint = undefined;
    if (now === 'before') throw new DatabaseUnavailableError('unreachable');
    const written = await record(write(statements, mode));
    if (now === 'after') throw new DatabaseUnavailableError('unreachable');
    return written;
  };

  return {
    ...fixture,
    failNext: (moment) => void (failurePoint = moment),
    dropConnection: () => loseThread(writeThread!),
  };
}
