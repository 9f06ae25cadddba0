import { inArray, sql } from 'drizzle-orm';
import { leadHistory } from '../../../db/schema.ts';
import type { Call } from '../../operation/operation.ts';
import type { Context } from '../../operation/context.ts';
import { followRecord, type Watchable } from '../../operation/waits.ts';
import { findOpenOffer } from '../conversation/conversation.ts';
import { type LeadLog, readLog, conversationOf } from '../lead-log.ts';

/** Leads that callers are waiting for; the version is the number of history entries. */
export const leadChanges: Watchable = {
  readVersions: (names, { background }) =>
    background
      .select({ name: leadHistory.lead, version: sql<number>`count(*)` })
      .from(leadHistory)
      .where(
        inArray(leadHistory.lead, sql`(select value from json_each(${JSON.stringify(names)}))`),
      )
      .groupBy(leadHistory.lead),
};

/**
 * Milliseconds until an offer or a hold of the lead expires, which changes the lead without a
 * write.
 */
export function computeMsUntilExpiry(log: LeadLog, now: Date): number {
  const times = [findOpenOffer(conversationOf(log), now)?.expiresAt, log.hold?.expiresAt]
    .map((time) => Date.parse(time ?? '') - now.getTime())
    .filter((ms) => ms > 0);
  return Math.min(...times);
}

/**
 * Yields a lead immediately, and again whenever it changes or its offer or hold expires, like
 * `followRecord`.
 * @throws {Problem} unknown_receipt; gone when it was erased
 */
export function followLead(
  receiptToken: string,
  call: Pick<Call, 'address' | 'signal'>,
  context: Context,
): AsyncGenerator<{ log: LeadLog; now: Date }, void, undefined> {
  const read = async () => {
    const log = await readLog(receiptToken, context);
    const now = context.now();
    return {
      value: { log, now },
      version: log.entries.length,
      expiresInMs: computeMsUntilExpiry(log, now),
    };
  };
  return followRecord(leadChanges, receiptToken, read, call, context);
}
