import { setTimeout as wait } from 'node:timers/promises';

/** Rows that one write of many changes: it is done before anybody who waits for the database notices. */
export const PIECE = 200;

/**
 * Repeats a write until it has nothing more to do, and answers how much it did in all. After each piece it leaves the
 * database to others for as long as the piece took, since whoever writes in another process has no queue to wait in.
 */
export async function inPieces(write: () => Promise<number>): Promise<number> {
  for (let sum = 0; ;) {
    const begun = performance.now();
    const done = await write();
    if (!done) return sum;
    sum += done;
    await wait(performance.now() - begun);
  }
}
