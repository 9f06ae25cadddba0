import { and, eq, lte, sql } from 'drizzle-orm';
import { leads } from '../../db/schema.ts';
import { changeLead } from './change-lead.ts';
import type { Context } from '../operation/context.ts';
import { changeInPieces } from '../operation/pieces.ts';

/** Leads that expire together. */
const AT_ONCE = 50;

/**
 * Expires the leads that are still new past the time by which an answer was promised, each once,
 * and returns how many. Several processes may do so at once.
 */
export function expireLeads(context: Context): Promise<number> {
  const { database, now } = context;
  return changeInPieces(
    () =>
      database.writer
        .select({ token: sql<string>`${leads.token}` })
        .from(sql`${leads} indexed by leads_due`)
        .where(and(eq(leads.status, 'new'), lte(leads.dueAt, now().toISOString())))
        .limit(AT_ONCE),
    ({ token }) => changeLead({ lead: token, to: 'expired', actor: 'system' }, context),
  );
}
