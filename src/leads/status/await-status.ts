import type { Context } from '../../operation/context.ts';
import type { Call, Outcome } from '../../operation/operation.ts';
import { waitListOf } from '../../operation/waits.ts';
import { leadChanges, computeMsUntilExpiry } from './follow-lead.ts';
import { type LeadLog, readLog } from '../lead-log.ts';
import { type LeadState, statusOf } from './lead-status.ts';
import { withProof } from './proof.ts';
import { readLogWithTime } from './read-log-now.ts';

/** Retry-After in seconds for a caller that cannot wait because too many others are waiting. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Reads the status, unless the caller already has it. This is a separate function so that the
 * status does not stay in memory during the wait.
 */
async function readStatusIfChanged(
  log: LeadLog,
  now: Date,
  isKnown: NonNullable<Call['isKnown']>,
  context: Context,
): Promise<LeadState | undefined> {
  const status = await withProof(statusOf(log, now, context.site), context);
  return isKnown(status) ? undefined : status;
}

/**
 * Returns the status of a lead or the sandbox lead, immediately if the caller does not have it yet,
 * otherwise after a change or the given number of seconds. If too many callers are waiting, it
 * responds immediately with Retry-After.
 * @throws {Problem} unknown_receipt; gone when it was erased, even during the wait
 */
export async function awaitStatus(
  receiptToken: string,
  seconds: number,
  { isKnown, address, signal }: Call & Required<Pick<Call, 'isKnown'>>,
  context: Context,
): Promise<Pick<Outcome<LeadState>, 'output' | 'headers'>> {
  const end = performance.now() + 1000 * seconds;
  // Acquire the slot before the read, so that no change is missed.
  const slot = waitListOf(context.database).enter(leadChanges, receiptToken, { address, signal });
  try {
    let { log, now } = await readLogWithTime(receiptToken, context);
    for (;;) {
      const remainingMs = end - performance.now();
      // Callers also wait for a lead that has ended, which can still be erased; otherwise, they
      // would repeat the request immediately.
      const canWait = slot && !slot.ended && remainingMs > 0;
      const changedStatus = await readStatusIfChanged(
        log,
        now,
        canWait ? isKnown : () => false,
        context,
      );
      if (changedStatus)
        return {
          output: changedStatus,
          ...(!slot && { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } }),
        };
      await slot?.change(log.entries.length, Math.min(remainingMs, computeMsUntilExpiry(log, now)));
      if (!slot?.ended) ({ log, now } = await readLogWithTime(receiptToken, context, readLog));
    }
  } finally {
    slot?.leave();
  }
}
