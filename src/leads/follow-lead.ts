import type { Call } from '../operation/operation.ts';
import type { Context } from '../operation/context.ts';
import { msToLapse } from './await-status.ts';
import { type LeadLog, readLog } from './lead-log.ts';
import { waitsOn } from './lead-waits.ts';

/** How long a lead is followed at most, less than a release is kept after it was replaced; whoever still waits asks again. */
const MAX_MS = 150_000;

/**
 * A lead, and again after each change of it, whoever makes it, or when something of it lapses. It ends after 150 seconds,
 * when the caller leaves or the service stops, and at once where too many callers wait.
 * @throws {Problem} unknown_receipt; gone when it was erased
 * @throws {DatabaseUnavailable}
 */
export async function* followLead(
  receipt: string,
  { address, signal }: Pick<Call, 'address' | 'signal'>,
  context: Context,
): AsyncGenerator<{ log: LeadLog; now: Date }, void, undefined> {
  const place = waitsOn(context.database).enter(receipt, address, signal);
  if (!place) return;
  const end = performance.now() + MAX_MS;
  try {
    while (!place.over) {
      const log = await readLog(receipt, context);
      const now = context.now();
      yield { log, now };
      const left = end - performance.now();
      if (left <= 0) return;
      await place.change(log.entries.length, Math.min(left, msToLapse(log, now)));
    }
  } finally {
    place.leave();
  }
}
