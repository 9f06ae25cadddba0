import type { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from '../../db/index.ts';
import { openWorld, type World } from '../operations/setup/world.ts';

/** A world whose database can fail. */
export interface FailingWorld extends World {
  /** The next write fails before anything is written, or after all of it is; undefined takes that back. */
  failNext(when: 'before' | 'after' | undefined): void;
  /** Ends the thread that writes; the next write starts another one. */
  dropConnection(): Promise<void>;
}

/** Opens a world whose database can fail. */
export async function openFailingWorld(site: World['context']['site']): Promise<FailingWorld> {
  const threads: Worker[] = [];
  const started = (thread: Worker) => void threads.push(thread);
  process.on('worker', started);
  const world = await openWorld(site);
  process.off('worker', started);

  let fails: 'before' | 'after' | undefined;
  const store = world.database.writer.$client;
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
    ...world,
    failNext: (when) => void (fails = when),
    async dropConnection() {
      // The first thread of a database is the one that writes.
      const [writing] = threads.splice(0, 1);
      process.once('worker', (thread) => void threads.unshift(thread));
      await writing?.terminate();
    },
  };
}
