import { and, eq, gt, isNull, lte, notExists, sql } from 'drizzle-orm';
import { holds } from '../../db/schema-effects.ts';
import { leads } from '../../db/schema.ts';
import type { Context } from '../operation/context.ts';
import { changeInChunks } from '../operation/chunks.ts';
import { createLeadChangedProblem } from './lead-changed.ts';
import { writeEntry } from './write-entry.ts';

/** Leads per expiry batch. */
const BATCH_SIZE = 50;

/** Expires a lead, unless it was answered after it was selected. @throws {Problem} */
async function expireLead(lead: string, context: Context): Promise<void> {
  await writeEntry(
    {
      lead,
      actor: 'system',
      decide(log, time) {
        const isDue = log.dueAt != null && log.dueAt <= time.toISOString();
        if (log.status !== 'new' || !isDue) throw createLeadChangedProblem(log);
        return { to: 'expired' };
      },
    },
    context,
  );
}

/**
 * Expires leads that are still new after the deadline for an answer and the end of the hold, and
 * returns how many expired. A lead with a hold expires only when its hold does, because the receipt
 * promises the hold. Safe to run in several processes at once.
 */
export function expireLeads(context: Context): Promise<number> {
  const { database, now } = context;
  return changeInChunks(
    database,
    () => {
      const time = now().toISOString();
      const held = database.writer
        .select({ lead: holds.lead })
        .from(holds)
        .where(
          and(eq(holds.lead, leads.token), isNull(holds.releasedAt), gt(holds.expiresAt, time)),
        );
      return database.writer
        .select({ token: sql<string>`${leads.token}` })
        .from(sql`${leads} indexed by leads_due`)
        .where(and(eq(leads.status, 'new'), lte(leads.dueAt, time), notExists(held)))
        .limit(BATCH_SIZE);
    },
    ({ token }) => expireLead(token, context),
  );
}
