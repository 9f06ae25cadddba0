import { and, eq, exists, gt, isNull, lte, notExists, or, sql, type SQL } from 'drizzle-orm';
import { holds } from '../../db/schema-effects.ts';
import { leads } from '../../db/schema.ts';
import type { Context } from '../operation/context.ts';
import { updateInChunks } from '../operation/chunks.ts';
import { changeLead } from './change-lead.ts';
import { revisionOf } from './lead-log.ts';
import { computeExpiredDeadline } from './status/request-expiry.ts';

const BATCH_SIZE = 50;

/**
 * Expires leads that are still new and unanswered some days after the deadline for an answer, and
 * returns how many expired. A lead stays `new` if the provider only sends a message. A lead with a
 * hold expires at the deadline or, if that is later, with its hold, because the receipt promises
 * the hold. Safe to run in several processes at once.
 */
export function expireLeads(context: Context): Promise<number> {
  const { database, now } = context;
  return updateInChunks(
    database,
    () => {
      const time = now().toISOString();
      const selectHolds = (condition?: SQL) =>
        database.reader
          .select({ lead: holds.lead })
          .from(holds)
          .where(and(eq(holds.lead, leads.token), isNull(holds.releasedAt), condition));
      return database.reader
        .select({ token: sql<string>`${leads.token}`, revision: revisionOf(leads.token) })
        .from(sql`${leads} indexed by leads_due`)
        .where(
          and(
            eq(leads.status, 'new'),
            lte(leads.dueAt, time),
            or(lte(leads.dueAt, computeExpiredDeadline(now())), exists(selectHolds())),
            notExists(selectHolds(gt(holds.expiresAt, time))),
            isNull(leads.answeredMs),
          ),
        )
        .limit(BATCH_SIZE);
    },
    // A lead that was answered after it was selected has a different revision, so it is kept.
    ({ token: receiptToken, revision }) =>
      changeLead({ receiptToken, to: 'expired', actor: 'system', revision }, context),
  );
}
