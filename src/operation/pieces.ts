import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from './problem.ts';

/**
 * Rows that one write of many changes: it is done before anybody who waits for the database
 * notices.
 */
export const PIECE = 200;

/**
 * Repeats a write until it has nothing more to do, and answers how much it did in all. After each
 * piece it leaves the database to others, since whoever writes in another process has no queue to
 * wait in: for as long as the piece took, or for `rest` of that time where the database was in use
 * for no longer.
 */
export async function inPieces(write: () => Promise<number>, rest = 1): Promise<number> {
  for (let sum = 0; ;) {
    const begun = performance.now();
    const done = await write();
    if (!done) return sum;
    sum += done;
    await wait((performance.now() - begun) * rest);
  }
}

/** Share of a piece of changes during which the database writes; the others make statements. */
const WRITING = 0.25;

/**
 * Makes a change of each of the rows that `due` finds, as many at once as it finds, until it finds
 * none that can be changed;
 * answers how many it changed. A row that another process or the person was quicker to change is
 * left.
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
