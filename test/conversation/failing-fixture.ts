import type { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from '../../db/index.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';

/** A fixture whose database can fail. */
export interface FailingFixture extends Fixture {
  /**
   * The next write fails before anything is written, or after all of it is; undefined takes that
   * back.
   */
  failNext(when: 'before' | 'after' | undefined): void;
  /** Ends the thread that writes; the next write starts another one. */
  dropConnection(): Promise<void>;
}

/** Opens a fixture whose database can fail. */
export async function openFailingFixture(
  site: Fixture['context']['site'],
): Promise<FailingFixture> {
  const threads: Worker[] = [];
  const started = (thread: Worker) => void threads.push(thread);
  process.on('worker', started);
  const fixture = await openFixture(site);
  process.off('worker', started);

  let fails: 'before' | 'after' | undefined;
  const store = fixture.database.writer.$client;
  const write = store.batch.bind(store);
  store.batch = async (statements, mode) => {
    const now = fails;
    fails = undefined;
    if (now === 'before') throw new DatabaseUnavailable('unreachable');
    const written = await write(statements, mode);
    if (now === 'after') throw new DatabaseUnavailable('unreachable');
    return written;
  };

  return {
    ...fixture,
    failNext: (when) => void (fails = when),
    async dropConnection() {
      // The first thread of a database is the one that writes.
      const [writing] = threads.splice(0, 1);
      process.once('worker', (thread) => void threads.unshift(thread));
      await writing?.terminate();
    },
  };
}
