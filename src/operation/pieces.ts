import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from './problem.ts';

/** Rows per chunk: of the first one, and the limits. */
const rows = { first: 50, least: 25, most: 800 } as const;

/** Maximum duration of one chunk, in ms, so that other users of the database do not notice it. */
const MAX_CHUNK_MS = 30;

/**
 * Repeats a write of at most `limit` rows until nothing is left to do, and returns the total.
 * Chunks grow while they are fast. After each chunk, it pauses so that other processes can write,
 * because they have no place in this process's queue: as long as the chunk took, or only `rest` of
 * that time if the database was busy for only that share of it.
 */
export async function inChunks(
  write: (limit: number) => Promise<number>,
  rest = 1,
): Promise<number> {
  let limit: number = rows.first;
  for (let sum = 0; ;) {
    const begun = performance.now();
    const done = await write(limit);
    if (!done) return sum;
    sum += done;
    const took = performance.now() - begun;
    if (took > MAX_CHUNK_MS) limit = Math.max(rows.least, Math.floor(limit / 2));
    else if (took < MAX_CHUNK_MS / 2) limit = Math.min(rows.most, limit * 2);
    await wait(took * rest);
  }
}

/** Share of a chunk's time during which the database writes; in the rest, statements are built. */
const WRITE_SHARE = 0.25;

/**
 * Changes each row that `due` finds, in batches, until none is left; returns the number of changes.
 * A row that was changed by someone else in the meantime is skipped.
 */
export const changeInChunks = <Row>(
  due: () => Promise<readonly Row[]>,
  change: (row: Row) => Promise<void>,
): Promise<number> =>
  inChunks(async () => {
    const results = await Promise.allSettled((await due()).map(change));
    const faults = results.filter((result) => result.status === 'rejected');
    const fault = faults.find(({ reason }) => !(reason instanceof Problem));
    if (fault) throw fault.reason;
    return results.length - faults.length;
  }, WRITE_SHARE);
