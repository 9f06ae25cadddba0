import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/index.ts';
import { Problem } from './problem.ts';

/**
 * Rows per chunk: initial, minimum and maximum. In smaller chunks, each row bears a larger share of
 * the cost of the commit and of the pages that all rows change. If a commit alone takes most of the
 * target duration, chunks never grow: a purge on a slow disk that
 * started with 40 rows took twice as long.
 */
const CHUNK_ROWS = { initial: 200, min: 50, max: 2_000 } as const;

/**
 * Target duration of a chunk, in ms, short enough that other users of the database do not notice
 * it.
 */
const CHUNK_MS = 25;

/**
 * Pause between chunks in ms, long enough for another process to get the lock, which it tries every
 * millisecond.
 */
const PAUSE_MS = 5;

const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value));

/**
 * Repeats a write of at most `limit` rows until nothing is left, and returns the total. The
 * duration of a chunk determines the size of the next. Between chunks, other processes can write.
 */
export async function writeInChunks(
  database: Database,
  write: (limit: number) => Promise<number>,
): Promise<number> {
  let limit: number = CHUNK_ROWS.initial;
  for (let total = 0; ;) {
    const startedAt = performance.now();
    const count = await write(limit);
    if (!count) return total;
    total += count;
    const growth = clamp(CHUNK_MS / (performance.now() - startedAt), 0.5, 2);
    limit = clamp(Math.floor(limit * growth), CHUNK_ROWS.min, CHUNK_ROWS.max);
    await Promise.all([database.waitForCheckpoint(), wait(PAUSE_MS)]);
  }
}

/**
 * Changes all rows that `findDueRows` returns, in batches, and returns the number of changes. Skips
 * rows that another process has since changed.
 */
export const updateInChunks = <Row>(
  database: Database,
  findDueRows: () => Promise<readonly Row[]>,
  change: (row: Row) => Promise<void>,
): Promise<number> =>
  writeInChunks(database, async () => {
    const results = await Promise.allSettled((await findDueRows()).map(change));
    const failures = results.filter((result) => result.status === 'rejected');
    const unexpectedFailure = failures.find(({ reason }) => !(reason instanceof Problem));
    if (unexpectedFailure) throw unexpectedFailure.reason;
    return results.length - failures.length;
  });
