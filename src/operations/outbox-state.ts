import { and, gt, inArray, min, notInArray, or, sql } from 'drizzle-orm';
import { deliveries } from '../../db/schema-deliveries.ts';
import { outbox } from '../../db/schema.ts';
import type { Context } from './context.ts';
import { isGivenUp, isUntold } from './late-deliveries.ts';

/** What has not arrived yet. */
export interface OutboxState {
  /** Events on their way, each counted once a channel. */
  undelivered: number;
  /** Age of the oldest of them in seconds; 0 where there is none. */
  oldestSeconds: number;
  /** Deliveries that were given up and never arrived. */
  givenUp: number;
  /** Leads that nobody is told of, for no address is set for them. */
  untold: number;
}

// “Greater than nothing” is what the index answers; for “not null” SQLite would read the whole table.
const isPlanned = gt(deliveries.dueAt, '');
const count = sql<number>`count(*)`;

/** Reads what has not arrived yet, by the channels that there are; what waits for another one is not late. @throws {DatabaseUnavailable} */
export async function readOutboxState({ database: { reader }, now, channels }: Pick<Context, 'database' | 'now' | 'channels'>): Promise<OutboxState> {
  const ours = channels && inArray(deliveries.channel, [...channels]);
  const [[planned], [unplanned], [lost], [untold]] = await reader.batch([
    reader.select({ count, oldest: min(deliveries.createdAt) }).from(deliveries).where(and(isPlanned, ours)),
    reader.select({ count, oldest: min(outbox.createdAt) }).from(outbox).where(gt(outbox.dueAt, '')),
    reader.select({ count }).from(deliveries).where(and(isGivenUp, ours)),
    reader.select({ count }).from(deliveries).where(isUntold),
  ]);
  const [oldest] = [planned!.oldest, unplanned!.oldest].filter((at) => at !== null).sort();
  return { undelivered: planned!.count + unplanned!.count, oldestSeconds: oldest ? Math.max(0, Math.round((now().getTime() - Date.parse(oldest)) / 1000)) : 0, givenUp: lost!.count, untold: untold!.count };
}

/** How many deliveries wait for each channel that there is no more, or were given up by it. @throws {DatabaseUnavailable} */
export async function readStranded(channels: readonly string[], { database: { reader } }: Pick<Context, 'database'>): Promise<{ channel: string; count: number }[]> {
  const others = notInArray(deliveries.channel, [...channels]);
  return reader.select({ channel: deliveries.channel, count }).from(deliveries).where(and(or(isPlanned, isGivenUp), others)).groupBy(deliveries.channel);
}
