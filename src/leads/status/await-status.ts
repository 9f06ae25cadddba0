import type { Context } from '../../operation/context.ts';
import type { Call, Outcome } from '../../operation/operation.ts';
import { waitListOf } from '../../operation/waits.ts';
import { leadChanges, msToLapse } from './follow-lead.ts';
import { type LeadLog, readLog, readLogBriefly } from '../lead-log.ts';
import { type LeadState, statusOf } from './lead-status.ts';
import { withProof } from './proof.ts';

/** Retry-After in seconds for a caller that cannot wait because too many others do. */
const RETRY_AFTER_SECONDS = 10;

/** The status, unless the caller already has it; nothing stays in memory during the wait. */
async function newsOf(
  log: LeadLog,
  now: Date,
  isKnown: NonNullable<Call['isKnown']>,
  context: Context,
): Promise<LeadState | undefined> {
  const status = await withProof(statusOf(log, now, context.site), context);
  return isKnown(status) ? undefined : status;
}

/**
 * The status of a lead: immediately if the caller does not have it yet or too many callers wait,
 * otherwise when it changes or after the given number of seconds. If too many wait, Retry-After
 * limits how often a caller asks.
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
  const place = waitListOf(context.database).enter(leadChanges, receipt, { address, signal });
  try {
    let log = await readLogBriefly(receipt, context);
    for (;;) {
      const now = context.now();
      const left = end - performance.now();
      // A lead that has ended can still be erased, and callers would immediately repeat a request
      // that returns at once.
      const waits = place && !place.ended && left > 0;
      const news = await newsOf(log, now, waits ? isKnown : () => false, context);
      if (news)
        return {
          output: news,
          ...(!place && { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } }),
        };
      await place?.change(log.entries.length, Math.min(left, msToLapse(log, now)));
      if (!place?.ended) log = await readLog(receipt, context);
    }
  } finally {
    place?.leave();
  }
}
