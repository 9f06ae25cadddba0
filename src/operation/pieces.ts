import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from './problem.ts';

/** Rows of one piece: of the first, at least and at most. */
const rows = { first: 50, least: 25, most: 800 } as const;

/** How long one piece may take, in ms, so that nobody who waits for the database notices. */
const PIECE_MS = 30;

/**
 * Repeats a write, of at most `limit` rows, until it has nothing more to do, and answers how much
 * it did in all. Pieces grow as long as they are quick. After each it leaves the database to
 * others, since whoever writes in another process has no queue to wait in: for as long as the piece
 * took, or for `rest` of that time where the database was in use for no longer.
 */
export async function inPieces(
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
    if (took > PIECE_MS) limit = Math.max(rows.least, Math.floor(limit / 2));
    else if (took < PIECE_MS / 2) limit = Math.min(rows.most, limit * 2);
    await wait(took * rest);
  }
}

/** Share of a chunk's time in which the database writes; the rest builds statements. */
const WRITING = 0.25;

/**
 * Changes each row that `due` finds, in batches, until none is left; returns the number of changes.
 * A row that was changed by someone else in the meantime is skipped.
 */
export const changeInPieces = <Row>(
  due: () => Promise<readonly Row[]>,
  change: (row: Row) => Promise<void>,
): Promise<number> =>
  inPieces(async () => {
    const results = await Promise.allSettled((await due()).map(change));
    const faults = results.filter((result) => result.status === 'rejected');
    const fault = faults.find(({ reason }) => !(reason instanceof Problem));
    if (fault) throw fault.reason;
    return results.length - faults.length;
  }, WRITING);
