import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/index.ts';
import { Problem } from './problem.ts';

/** Rows per chunk: in the first one, at least, and at most. */
const chunkRows = { initial: 50, min: 25, max: 800 } as const;

/** Maximum duration of one chunk, in ms, so that other users of the database do not notice it. */
const MAX_CHUNK_MS = 15;

/**
 * Repeats a write of at most `limit` rows until nothing is left to do, and returns the total.
 * Chunks grow while they are fast. After each chunk, it pauses so that other processes, which are
 * not in this process's queue, can write. It pauses as long as the chunk took, or `pauseShare` of
 * that time if the database was busy for only that share of it. Others can also write while it waits
 * for a checkpoint.
 */
export async function inChunks(
  database: Database,
  write: (limit: number) => Promise<number>,
  pauseShare = 1,
): Promise<number> {
  let limit: number = chunkRows.initial;
  for (let total = 0; ;) {
    const startedAt = performance.now();
    const done = await write(limit);
    if (!done) return total;
    total += done;
    const elapsed = performance.now() - startedAt;
    if (elapsed > MAX_CHUNK_MS) limit = Math.max(chunkRows.min, Math.floor(limit / 2));
    else if (elapsed < MAX_CHUNK_MS / 2) limit = Math.min(chunkRows.max, limit * 2);
    const writtenAt = performance.now();
    await database.checkpointed();
    await wait(Math.max(0, elapsed * pauseShare - (performance.now() - writtenAt)));
  }
}

/**
 * Share of a chunk's time during which the database writes; the rest goes into building statements.
 */
const WRITE_SHARE = 0.25;

/**
 * Changes each row that `findDue` returns, in batches, until none is left, and returns the number
 * of changes. A row that another process changed in the meantime is skipped.
 */
export const changeInChunks = <Row>(
  database: Database,
  findDue: () => Promise<readonly Row[]>,
  change: (row: Row) => Promise<void>,
): Promise<number> =>
  inChunks(
    database,
    async () => {
      const results = await Promise.allSettled((await findDue()).map(change));
      const failures = results.filter((result) => result.status === 'rejected');
      const unexpected = failures.find(({ reason }) => !(reason instanceof Problem));
      if (unexpected) throw unexpected.reason;
      return results.length - failures.length;
    },
    WRITE_SHARE,
  );
