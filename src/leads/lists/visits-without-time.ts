import { and, desc, eq, gte, inArray, sql, type SQL } from 'drizzle-orm';
import { leadHistory, leads, outbox } from '../../../db/schema.ts';
import { listFutureDateFields } from '../../fields/fields.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { addDaysToTime } from '../../operation/time-arithmetic.ts';
import { actionOf } from '../../site/registry.ts';
import { readHistories } from '../lead-log.ts';
import { findAgreement } from '../status/agreement.ts';
import { findUnsettledTime } from '../status/visit.ts';
import { isAccessible } from './lead-records.ts';
import { isFirstEvent, type LeadSummary, selectSummaries, summaryColumns } from './list-leads.ts';
import type { LeadWithDeadline } from './next-leads.ts';

/** Maximum age of a listed lead, in days. */
const MAX_AGE_DAYS = 30;
const MAX_LISTED_LEADS = 20;
/** Maximum age, in days, of the latest change to a listed lead whose request names no day. */
const MAX_UNDATED_AGE_DAYS = 14;
/** Number of leads whose history is read at a time. */
const BATCH_SIZE = 50;

/** SQL for recent confirmed leads of these actions, without suspected spam, that also meet `condition`. */
const isConfirmedFor = (
  verbs: readonly string[],
  condition: SQL | undefined,
  access: LeadAccess,
  { now }: Pick<Context, 'now'>,
): SQL | undefined =>
  and(
    eq(leads.status, 'confirmed'),
    gte(leads.createdAt, addDaysToTime(now(), -MAX_AGE_DAYS)),
    inArray(sql`+${leads.action}`, [...verbs]),
    sql`${leads.suspicions} = '[]'`,
    condition,
    isAccessible(access),
  );

const newestFirst = [desc(leads.createdAt), desc(leads.token)] as const;

/**
 * The leads with a confirmed visit whose time the provider still has to agree on, newest first.
 * Excludes suspected spam.
 */
export async function listVisitsWithoutTime(
  access: LeadAccess,
  context: Context,
): Promise<LeadWithDeadline[]> {
  const {
    database: { background },
    site: { registry },
  } = context;
  const verbs = registry.subsites.flatMap(({ actions }) =>
    actions.filter(({ visitField }) => visitField !== undefined).map(({ verb }) => verb),
  );
  const firstConfirmed = sql`(select min(h.id) from ${leadHistory} as h where h.lead = ${leads.token} and h.status = 'confirmed')`;
  const confirmedWithText = sql`exists (select 1 from ${leadHistory} where ${eq(leadHistory.lead, leads.token)} and (${eq(leadHistory.kind, 'change')} or ${leadHistory.id} = ${firstConfirmed}) and ${leadHistory.actor} <> 'person' and ${leadHistory.note} is not null)`;
  const found: LeadWithDeadline[] = [];
  for (let offset = 0; ; offset += BATCH_SIZE) {
    const rows = await background
      .select({ ...summaryColumns, dueAt: leads.dueAt, receiptToken: leads.token })
      .from(leads)
      .innerJoin(outbox, isFirstEvent)
      .where(isConfirmedFor(verbs, sql`not ${confirmedWithText}`, access, context))
      .orderBy(...newestFirst)
      .limit(BATCH_SIZE)
      .offset(offset);
    if (!rows.length) return found;
    const tokens = rows.map(({ receiptToken }) => receiptToken);
    const histories = await readHistories(tokens, background);
    for (const { receiptToken, ...lead } of rows) {
      const log = { status: lead.status, entries: histories.get(receiptToken) ?? [] };
      const agreement = findAgreement(log);
      if (findUnsettledTime(actionOf(registry, lead), log, agreement) === 'timeOpen')
        found.push(lead);
    }
    if (found.length >= MAX_LISTED_LEADS || rows.length < BATCH_SIZE)
      return found.slice(0, MAX_LISTED_LEADS);
  }
}

/**
 * The confirmed leads with a visit or an optional day whose request names no day, so that the day is
 * still open or only in a message, newest first. Excludes suspected spam and leads without a recent
 * change.
 */
export const listVisitsWithoutDay = async (
  access: LeadAccess,
  context: Pick<Context, 'database' | 'site' | 'now'>,
): Promise<LeadSummary[]> => {
  const { site, now } = context;
  const actions = site.registry.subsites
    .flatMap((subsite) => subsite.actions)
    .filter(
      ({ visitField, fields }) =>
        visitField !== undefined || listFutureDateFields(fields).length > 0,
    );
  const verbs = actions.map(({ verb }) => verb);
  const dateFields = new Set(actions.flatMap(({ fields }) => listFutureDateFields(fields)));
  const hasNoDay = and(
    gte(sql`+${leads.updatedAt}`, addDaysToTime(now(), -MAX_UNDATED_AGE_DAYS)),
    ...[...dateFields].map((name) => sql`json_extract(${leads.fields}, ${`$."${name}"`}) is null`),
  );
  return selectSummaries(context)
    .where(isConfirmedFor(verbs, hasNoDay, access, context))
    .orderBy(...newestFirst)
    .limit(MAX_LISTED_LEADS);
};
