import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { leadHistory, leads } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { readLog, revisionOf } from '../lead-log.ts';
import { createLeadChangedProblem } from '../lead-changed.ts';
import { findEntryToCallAbout } from '../status/call-due.ts';

/**
 * Records that the provider told the customer about the latest answer by phone, unless the lead
 * changes at the same time. Changes nothing else and notifies nobody. `revision` is the number of
 * history entries that the caller has read.
 * @throws {Problem} unknown_receipt; gone when the lead was erased; conflict when there are more
 * entries
 */
export async function recordCall(
  receiptToken: string,
  revision: number | undefined,
  context: Context,
): Promise<void> {
  const { writer } = context.database;
  const log = await readLog(receiptToken, context);
  const { entries } = log;
  if (revision !== undefined && revision !== entries.length)
    throw createLeadChangedProblem(log, revision, 'page');
  const index = findEntryToCallAbout(entries);
  if (index === -1) return;
  const entry = sql`(select id from ${leadHistory} where ${eq(leadHistory.lead, receiptToken)} order by id limit 1 offset ${index})`;
  await writer.batch([
    writer
      .update(leads)
      .set({ callDueAt: null })
      .where(
        and(
          eq(leads.token, receiptToken),
          isNotNull(leads.callDueAt),
          eq(revisionOf(receiptToken), entries.length),
        ),
      ),
    writer
      .update(leadHistory)
      .set({ calledAt: context.now().toISOString() })
      .where(sql`changes() > 0 and ${leadHistory.id} = ${entry}`),
  ]);
}
