import { and, lte, sql } from 'drizzle-orm';
import { leads } from '../../db/schema.ts';
import { changeLead } from './change-lead.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';

/** Leads that expire in one round. */
const AT_ONCE = 100;

/**
 * Expires the leads that are still new past the time by which an answer was promised, each once, and answers how many.
 * Several processes may do so at once.
 */
export async function expireLeads(context: Context): Promise<number> {
  const { database, now } = context;
  let count = 0;
  for (let before = -1; before < count;) {
    before = count;
    const late = and(
      // A value of the statement, not beside it, so that SQLite may use the index of these leads.
      sql`${leads.status} = 'new'`,
      lte(leads.respondBy, now().toISOString()),
    );
    const due = await database.writer
      .select({ token: leads.token })
      .from(leads)
      .where(late)
      .limit(AT_ONCE);
    for (const { token } of due) {
      try {
        await changeLead({ lead: token, to: 'expired', actor: 'system' }, context);
        count++;
      } catch (error) {
        // It was answered, withdrawn or expired by another process in between.
        if (!(error instanceof Problem)) throw error;
      }
    }
  }
  return count;
}
