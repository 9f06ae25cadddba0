import { and, gt, isNull, min, ne, sql } from 'drizzle-orm';
import { deliveries } from '../../db/schema-deliveries.ts';
import { outbox } from '../../db/schema.ts';
import type { Context } from './context.ts';

/** What has not arrived yet. */
export interface OutboxState {
  /** Events on their way, each counted once a channel. */
  undelivered: number;
  /** Age of the oldest of them in seconds; 0 where there is none. */
  oldestSeconds: number;
  /** Deliveries that were given up and never arrived. */
  givenUp: number;
}

/** Reads what has not arrived yet. @throws {DatabaseUnavailable} */
export async function readOutboxState({ database: { reader }, now }: Context): Promise<OutboxState> {
  // “Greater than nothing” is what the index answers; for “not null” SQLite would read the whole table.
  const count = sql<number>`count(*)`;
  const [[planned], [unplanned], [lost]] = await reader.batch([
    reader.select({ count, oldest: min(deliveries.createdAt) }).from(deliveries).where(gt(deliveries.dueAt, '')),
    reader.select({ count, oldest: min(outbox.createdAt) }).from(outbox).where(gt(outbox.dueAt, '')),
    reader.select({ count }).from(deliveries).where(and(isNull(deliveries.dueAt), isNull(deliveries.sentAt), ne(deliveries.outcome, 'erased'))),
  ]);
  const [oldest] = [planned!.oldest, unplanned!.oldest].filter((at) => at !== null).sort();
  return { undelivered: planned!.count + unplanned!.count, oldestSeconds: oldest ? Math.max(0, Math.round((now().getTime() - Date.parse(oldest)) / 1000)) : 0, givenUp: lost!.count };
}
