import { lte } from 'drizzle-orm';
import { deliveryAttempts } from '../../db/schema-deliveries.ts';
import { idempotency } from '../../db/schema.ts';
import type { Context } from './context.ts';
import { purgeLeads } from './erase-lead.ts';
import { daysLater } from './receipt.ts';

/** Days for which the log of attempts is kept. */
const LOG_DAYS = 90;

/** Removes what has been kept for its time: leads past their retention, answers to repeats, the log of attempts. */
export async function sweep(context: Context): Promise<void> {
  const { database: { writer }, now } = context;
  await purgeLeads(context);
  await writer.batch([
    writer.delete(idempotency).where(lte(idempotency.expiresAt, now().toISOString())),
    writer.delete(deliveryAttempts).where(lte(deliveryAttempts.at, daysLater(now(), -LOG_DAYS))),
  ]);
}
