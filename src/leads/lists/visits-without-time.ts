import { and, desc, eq, gte, inArray, sql } from 'drizzle-orm';
import { leadHistory, leads, outbox } from '../../../db/schema.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { addDaysToTime } from '../../operation/time-arithmetic.ts';
import { readLog } from '../lead-log.ts';
import { shownTermsOf } from '../status/shown-terms.ts';
import { isAccessible } from './lead-records.ts';
import { isFirstEvent, type LeadSummary, summary } from './list-leads.ts';

/** Age of the oldest lead that is listed, in days. */
const MAX_AGE_DAYS = 30;
/** Maximum number of leads whose history is read. */
const MAX_READ_LEADS = 20;

/**
 * The leads with a confirmed visit whose time the provider still has to agree on, newest first.
 * Excludes suspected spam.
 */
export async function listVisitsWithoutTime(
  access: LeadAccess,
  context: Context,
): Promise<LeadSummary[]> {
  const { database, site, now } = context;
  const verbs = site.registry.subsites.flatMap(({ actions }) =>
    actions.filter(({ visitField }) => visitField !== undefined).map(({ verb }) => verb),
  );
  const writtenSince = sql`exists (select 1 from ${leadHistory} where ${eq(leadHistory.lead, leads.token)} and ${eq(leadHistory.status, 'confirmed')} and ${leadHistory.actor} <> 'person' and ${leadHistory.note} is not null)`;
  const rows = await database.background
    .select({ ...summary, receiptToken: leads.token })
    .from(leads)
    .innerJoin(outbox, isFirstEvent)
    .where(
      and(
        eq(leads.status, 'confirmed'),
        gte(leads.createdAt, addDaysToTime(now(), -MAX_AGE_DAYS)),
        inArray(sql`+${leads.action}`, verbs),
        sql`not ${writtenSince} and ${leads.suspicions} = '[]'`,
        isAccessible(access),
      ),
    )
    .orderBy(desc(leads.createdAt), desc(leads.token))
    .limit(MAX_READ_LEADS);
  const found = await Promise.all(
    rows.map(async ({ receiptToken, ...lead }) => {
      const terms = shownTermsOf(await readLog(receiptToken, context), now(), site);
      return terms.leftOpen === 'timeOpen' ? [lead] : [];
    }),
  );
  return found.flat();
}
