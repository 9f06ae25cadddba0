import { and, inArray, ne, notInArray, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { channelNames } from './channel.ts';
import {
  ADDRESS_REJECTED_OUTCOME,
  hasGivenUp,
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
    /** Pending messages and messages that failed for good. */
    undelivered: number;
    /**
     * Age in seconds of the oldest pending message, without messages to addresses that the mail
     * server rejects; 0 if there is none.
     */
    oldestSeconds: number;
  };
}

/** The row that `readOutboxState` reads: counts, and the times of the oldest messages. */
type OutboxRow = Record<
  'planned' | 'unplanned' | 'givenUp' | 'unaddressed' | 'plannedMail' | 'givenUpMail',
  number
> &
  Record<'oldestDelivery' | 'oldestEvent' | 'oldestMail', string | null>;

/**
 * Counts the undelivered messages to customers, and those to providers through the channels in the
 * context or, by default, through all channels. Each count stops at `limit`, which keeps the query
 * fast.
 * @throws {DatabaseUnavailableError}
 */
export async function readOutboxState(
  { database: { background }, now, channels }: Pick<Context, 'database' | 'now' | 'channels'>,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<OutboxState> {
  const isOnChannels = inArray(deliveries.channel, [...(channels ?? channelNames)]);
  const isPending = and(isPlanned, isOnChannels);
  const isAcceptedAddress = ne(sql`coalesce(${deliveries.outcome}, '')`, ADDRESS_REJECTED_OUTCOME);
  const count = (table: SQLiteTable, condition: SQL | undefined) =>
    sql`(select count(*) from (select 1 from ${table} where ${condition} limit ${limit}))`;
  const oldest = (
    time: SQLiteColumn,
    condition: SQL | undefined,
    order: SQL | SQLiteColumn = time,
  ) => sql`(select ${time} from ${time.table} where ${condition} order by ${order} limit 1)`;
  const columns: Readonly<Record<keyof OutboxRow, SQL>> = {
    planned: count(deliveries, isPending),
    unplanned: count(outbox, isUnplanned),
    givenUp: count(deliveries, and(hasGivenUp, isOnChannels)),
    unaddressed: count(deliveries, isUnaddressed),
    plannedMail: count(deliveries, and(isPlanned, isToPerson)),
    givenUpMail: count(deliveries, and(hasGivenUp, isToPerson)),
    oldestDelivery: oldest(deliveries.createdAt, isPending),
    oldestEvent: oldest(outbox.dueAt, isUnplanned),
    oldestMail: oldest(
      deliveries.createdAt,
      and(isPlanned, isToPerson, isAcceptedAddress),
      // The plus sign makes SQLite use the index by channel, because there may be many messages to
      // providers.
      sql`+${deliveries.createdAt}`,
    ),
  };
  const row = await background.get<OutboxRow>(
    sql`select ${sql.join(
      Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`),
      sql`, `,
    )}`,
  );
  const ageOf = (time: string | null | undefined) =>
    time ? Math.max(0, Math.round((now().getTime() - Date.parse(time)) / 1000)) : 0;
  const [oldestTime] = [row.oldestDelivery, row.oldestEvent].filter((time) => time !== null).sort();
  return {
    undelivered: Math.min(limit, row.planned + row.unplanned),
    oldestSeconds: ageOf(oldestTime),
    givenUp: row.givenUp,
    unaddressed: row.unaddressed,
    personMail: {
      undelivered: Math.min(limit, row.plannedMail + row.givenUpMail),
      oldestSeconds: ageOf(row.oldestMail),
    },
  };
}

/** Number of undelivered messages for each removed channel. @throws {DatabaseUnavailableError} */
export async function countStrandedDeliveries(
  channels: readonly string[],
  { database: { background } }: Pick<Context, 'database'>,
): Promise<{ channel: string; count: number }[]> {
  const selectCounts = (condition: SQL) =>
    background
      .select({ channel: deliveries.channel, count: sql<number>`count(*)` })
      .from(deliveries)
      .where(and(condition, notInArray(deliveries.channel, [...channels])))
      .groupBy(deliveries.channel);
  // Each condition has its own index; a single query for both would use neither.
  const counts = await background.batch([selectCounts(isPlanned), selectCounts(hasGivenUp)]);
  const sums = new Map<string, number>();
  for (const { channel, count } of counts.flat())
    sums.set(channel, (sums.get(channel) ?? 0) + count);
  return [...sums].map(([channel, count]) => ({ channel, count }));
}
