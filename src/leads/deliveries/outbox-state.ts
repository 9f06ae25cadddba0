import { and, inArray, ne, notInArray, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import {
  ADDRESS_REJECTED_OUTCOME,
  isGivenUp,
  isPlanned,
  isToPerson,
  isUnplanned,
  isUnaddressed,
} from './late-deliveries.ts';

/** Undelivered messages, to providers unless noted. */
export interface OutboxState {
  /** Pending events, each counted once per channel. */
  undelivered: number;
  /** Age of the oldest pending event in seconds; 0 if no event is pending. */
  oldestSeconds: number;
  givenUp: number;
  unaddressed: number;
  personMail: {
    /** Pending messages and messages whose retries are exhausted. */
    undelivered: number;
    /**
     * Age of the oldest pending message in seconds, except to addresses that the mail server
     * rejects; 0 if there is none.
     */
    oldestSeconds: number;
  };
}

const count = sql<number>`count(*)`;

/**
 * Counts the undelivered messages of the configured channels and to customers. Each count stops at
 * `limit`, which keeps the query fast.
 * @throws {DatabaseUnavailableError}
 */
export async function readOutboxState(
  { database: { background }, now, channels }: Pick<Context, 'database' | 'now' | 'channels'>,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<OutboxState> {
  const isOnChannels = channels && inArray(deliveries.channel, [...channels]);
  const countRows = (table: SQLiteTable, condition: SQL | undefined) => {
    const limitedRows = sql`(select 1 from ${table} where ${condition} limit ${limit})`;
    return background.select({ count }).from(limitedRows);
  };
  const isPending = and(isPlanned, isOnChannels);
  const [
    [plannedRow],
    [unplannedRow],
    [givenUpRow],
    [unaddressedRow],
    [first],
    [next],
    [pendingMailRow],
    [givenUpMailRow],
    [firstPersonMail],
  ] = await background.batch([
    countRows(deliveries, isPending),
    countRows(outbox, isUnplanned),
    countRows(deliveries, and(isGivenUp, isOnChannels)),
    countRows(deliveries, isUnaddressed),
    background
      .select({ at: deliveries.createdAt })
      .from(deliveries)
      .where(isPending)
      .orderBy(deliveries.createdAt)
      .limit(1),
    background
      .select({ at: sql<string>`${outbox.dueAt}` })
      .from(outbox)
      .where(isUnplanned)
      .orderBy(outbox.dueAt)
      .limit(1),
    countRows(deliveries, and(isPlanned, isToPerson)),
    countRows(deliveries, and(isGivenUp, isToPerson)),
    background
      .select({ at: deliveries.createdAt })
      .from(deliveries)
      .where(
        and(
          isPlanned,
          isToPerson,
          ne(sql`coalesce(${deliveries.outcome}, '')`, ADDRESS_REJECTED_OUTCOME),
        ),
      )
      // The plus sign keeps the index by channel: messages to providers may be many.
      .orderBy(sql`+${deliveries.createdAt}`)
      .limit(1),
  ]);
  const ageOf = (time: string | undefined) =>
    time === undefined ? 0 : Math.max(0, Math.round((now().getTime() - Date.parse(time)) / 1000));
  const [oldestTime] = [first?.at, next?.at].filter((time) => time !== undefined).sort();
  return {
    undelivered: Math.min(limit, (plannedRow?.count ?? 0) + (unplannedRow?.count ?? 0)),
    oldestSeconds: ageOf(oldestTime),
    givenUp: givenUpRow?.count ?? 0,
    unaddressed: unaddressedRow?.count ?? 0,
    personMail: {
      undelivered: Math.min(limit, (pendingMailRow?.count ?? 0) + (givenUpMailRow?.count ?? 0)),
      oldestSeconds: ageOf(firstPersonMail?.at),
    },
  };
}

/** Number of undelivered messages for each removed channel. @throws {DatabaseUnavailableError} */
export async function countStrandedDeliveries(
  channels: readonly string[],
  { database: { background } }: Pick<Context, 'database'>,
): Promise<{ channel: string; count: number }[]> {
  const others = notInArray(deliveries.channel, [...channels]);
  // Each condition has its own index, which a single query for both would not use.
  const counts = await background.batch([
    background
      .select({ channel: deliveries.channel, count })
      .from(deliveries)
      .where(and(isPlanned, others))
      .groupBy(deliveries.channel),
    background
      .select({ channel: deliveries.channel, count })
      .from(deliveries)
      .where(and(isGivenUp, others))
      .groupBy(deliveries.channel),
  ]);
  const sums = new Map<string, number>();
  for (const { channel, count } of counts.flat())
    sums.set(channel, (sums.get(channel) ?? 0) + count);
  return [...sums].map(([channel, count]) => ({ channel, count }));
}
