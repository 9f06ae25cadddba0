import { inArray, lte, sql } from 'drizzle-orm';
import { deliveryAttempts } from '../../../db/schema-deliveries.ts';
import { idempotency } from '../../../db/schema.ts';
import { deleteExpiredUses } from '../../operation/budgets.ts';
import type { Context } from '../../operation/context.ts';
import { writeInChunks } from '../../operation/chunks.ts';
import { purgeLeads } from './erase-lead.ts';
import { addDaysToTime } from '../../operation/time-arithmetic.ts';

/** Days after which delivery attempts are deleted. */
const ATTEMPT_LOG_DAYS = 90;

/**
 * Deletes data past its retention period: leads, stored responses, delivery attempts and budget
 * uses.
 */
export async function sweep(context: Context): Promise<void> {
  const { database, now } = context;
  const { writer } = database;
  await purgeLeads(context);
  await writeInChunks(database, async (limit) => {
    const expiredResponses = writer
      .select({ row: sql`rowid` })
      .from(idempotency)
      .where(lte(idempotency.expiresAt, now().toISOString()))
      .limit(limit);
    const oldAttempts = writer
      .select({ id: deliveryAttempts.id })
      .from(deliveryAttempts)
      .where(lte(deliveryAttempts.at, addDaysToTime(now(), -ATTEMPT_LOG_DAYS)))
      .limit(limit);
    const deletionResults = await writer.batch([
      deleteExpiredUses(limit, context),
      writer.delete(idempotency).where(sql`rowid in ${expiredResponses}`),
      writer.delete(deliveryAttempts).where(inArray(deliveryAttempts.id, oldAttempts)),
    ]);
    return deletionResults.reduce((sum, { rowsAffected }) => sum + rowsAffected, 0);
  });
}
