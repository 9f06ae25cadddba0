import { and, eq, inArray, sql } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import type { Context } from '../../operation/context.ts';
import { writeInChunks } from '../../operation/chunks.ts';
import {
  hasGivenUp,
  isLate,
  isPlanned,
  isUnaddressed,
  SETTLED_OUTCOME,
} from './late-deliveries.ts';

/** Selects the deliveries that match any member. */
export interface DeliverySelection {
  /** Deliveries of these leads, by token. */
  leads?: readonly string[] | undefined;
  /** Deliveries of this channel. */
  channel?: string | undefined;
  /** Deliveries that failed for good. */
  givenUp?: boolean | undefined;
  /** Deliveries without an address. */
  unaddressed?: boolean | undefined;
}

/**
 * Cancels undelivered messages, and returns how many were canceled. They are neither retried nor
 * counted as late.
 * @throws {DatabaseUnavailableError}
 */
export async function settleDeliveries(
  { leads = [], channel, givenUp, unaddressed }: DeliverySelection,
  { database }: Pick<Context, 'database'>,
): Promise<number> {
  const { writer } = database;
  const isOnChannel = channel === undefined ? undefined : eq(deliveries.channel, channel);
  const selections = [
    leads.length ? inArray(deliveries.lead, [...leads]) : undefined,
    isOnChannel && and(isPlanned, isOnChannel),
    isOnChannel && and(hasGivenUp, isOnChannel),
    isOnChannel && and(isUnaddressed, isOnChannel),
    givenUp ? hasGivenUp : undefined,
    unaddressed ? isUnaddressed : undefined,
  ].filter((condition) => condition !== undefined);
  let count = 0;
  // Each condition has an index; a combined query would read every delivery.
  for (const condition of selections)
    count += await writeInChunks(database, async (limit) => {
      const next = writer
        .select({ row: sql`rowid` })
        .from(deliveries)
        .where(and(isLate, condition))
        .limit(limit);
      const { rowsAffected } = await writer
        .update(deliveries)
        .set({ dueAt: null, outcome: SETTLED_OUTCOME })
        .where(sql`rowid in ${next}`);
      return rowsAffected;
    });
  return count;
}
