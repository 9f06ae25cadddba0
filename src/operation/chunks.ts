import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/index.ts';
import { Problem } from './problem.ts';

/** Rows per chunk: initial, minimum and maximum number. */
const chunkRows = { initial: 50, min: 25, max: 800 } as const;

/**
 * Target for the maximum duration of a chunk, in ms; too short for other users of the database to
 * notice.
 */
const MAX_CHUNK_MS = 15;

/**
 * Repeats a write of at most `limit` rows until nothing is left, and returns the total. Chunks grow
 * while they are fast. After each chunk, it pauses as long as the chunk took, multiplied by
 * `pauseShare`, so that other processes can write. Other processes can also write during a
 * checkpoint.
 */
export async function writeInChunks(
  database: Database,
  write: (limit: number) => Promise<number>,
  pauseShare = 1,
): Promise<number> {
  let limit: number = chunkRows.initial;
  for (let total = 0; ;) {
    const startedAt = performance.now();
    const count = await write(limit);
    if (!count) return total;
    total += count;
    const elapsed = performance.now() - startedAt;
    if (elapsed > MAX_CHUNK_MS) limit = Math.max(chunkRows.min, Math.floor(limit / 2));
    else if (elapsed < MAX_CHUNK_MS / 2) limit = Math.min(chunkRows.max, limit * 2);
    const writtenAt = performance.now();
    await database.checkpointed();
    await wait(Math.max(0, elapsed * pauseShare - (performance.now() - writtenAt)));
  }
}

/**
 * Share of a chunk's time that the database spends writing; the rest is spent building statements.
 */
const WRITE_SHARE = 0.25;

/**
 * Changes all rows that `findDue` returns, in batches, and returns the number of changes. Skips
 * rows that another process has changed in the meantime.
 */
export const changeInChunks = <Row>(
  database: Database,
  findDue: () => Promise<readonly Row[]>,
  change: (row: Row) => Promise<void>,
): Promise<number> =>
  writeInChunks(
    database,
    async () => {
      const results = await Promise.allSettled((await findDue()).map(change));
      const failures = results.filter((result) => result.status === 'rejected');
      const unexpectedFailure = failures.find(({ reason }) => !(reason instanceof Problem));
      if (unexpectedFailure) throw unexpectedFailure.reason;
      return results.length - failures.length;
    },
    WRITE_SHARE,
  );
