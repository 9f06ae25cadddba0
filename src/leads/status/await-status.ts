import type { Context } from '../../operation/context.ts';
import type { Call, Outcome } from '../../operation/operation.ts';
import { waitListOf } from '../../operation/waits.ts';
import { leadChanges, msToExpiry } from './follow-lead.ts';
import { type LeadLog, readLog, readCachedLog } from '../lead-log.ts';
import { type LeadState, statusOf } from './lead-status.ts';
import { withProof } from './proof.ts';

/** Retry-After in seconds for a caller that cannot wait because too many others are waiting. */
const RETRY_AFTER_SECONDS = 10;

/**
 * The status, unless the caller already has it. A separate function, so that the status is not kept
 * in memory during the wait.
 */
async function statusIfChanged(
  log: LeadLog,
  now: Date,
  isKnown: NonNullable<Call['isKnown']>,
  context: Context,
): Promise<LeadState | undefined> {
  const status = await withProof(statusOf(log, now, context.site), context);
  return isKnown(status) ? undefined : status;
}

/**
 * The status of a lead: immediately if the caller does not have it yet or too many callers are
 * waiting, otherwise when it changes or after the given number of seconds. If too many are waiting,
 * Retry-After limits how often a caller asks.
 * @throws {Problem} unknown_receipt; gone when it was erased, even during the wait
 * @throws {DatabaseUnavailable}
 */
export async function awaitStatus(
  receipt: string,
  seconds: number,
  { isKnown, address, signal }: Call & Required<Pick<Call, 'isKnown'>>,
  context: Context,
): Promise<Pick<Outcome<LeadState>, 'output' | 'headers'>> {
  const end = performance.now() + 1000 * seconds;
  // Acquired before the read, so that no change is missed.
  const slot = waitListOf(context.database).enter(leadChanges, receipt, { address, signal });
  try {
    let log = await readCachedLog(receipt, context);
    for (;;) {
      const now = context.now();
      const remainingMs = end - performance.now();
      // A lead that has ended can still be erased, so callers wait for that too; otherwise, they
      // would repeat the request immediately.
      const canWait = slot && !slot.ended && remainingMs > 0;
      const changed = await statusIfChanged(log, now, canWait ? isKnown : () => false, context);
      if (changed)
        return {
          output: changed,
          ...(!slot && { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } }),
        };
      await slot?.change(log.entries.length, Math.min(remainingMs, msToExpiry(log, now)));
      if (!slot?.ended) log = await readLog(receipt, context);
    }
  } finally {
    slot?.leave();
  }
}
