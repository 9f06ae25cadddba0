import { and, eq, gt, isNull, lte, notExists, sql } from 'drizzle-orm';
import { holds } from '../../db/schema-effects.ts';
import { leads } from '../../db/schema.ts';
import { changeLead } from './change-lead.ts';
import type { Context } from '../operation/context.ts';
import { changeInChunks } from '../operation/chunks.ts';

/** Leads per expiry batch. */
const BATCH_SIZE = 50;

/**
 * Expires each lead that is still new after its deadline for an answer has passed and its hold has
 * expired, and returns their number. The item stays held as long as the receipt says. Several
 * processes may do this at once.
 */
export function expireLeads(context: Context): Promise<number> {
  const { database, now } = context;
  return changeInChunks(
    database,
    () => {
      const at = now().toISOString();
      const held = database.writer
        .select({ lead: holds.lead })
        .from(holds)
        .where(and(eq(holds.lead, leads.token), isNull(holds.releasedAt), gt(holds.expiresAt, at)));
      return database.writer
        .select({ token: sql<string>`${leads.token}` })
        .from(sql`${leads} indexed by leads_due`)
        .where(and(eq(leads.status, 'new'), lte(leads.dueAt, at), notExists(held)))
        .limit(BATCH_SIZE);
    },
    ({ token }) => changeLead({ lead: token, to: 'expired', actor: 'system' }, context),
  );
}
