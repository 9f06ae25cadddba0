import { type SQL, sql } from 'drizzle-orm';
import { leadHistory, leads } from '../../../db/schema.ts';
import { toDateInTimeZone } from '../../site/calendar/days.ts';
import type { Responsiveness } from '../../registry/schemas/responsiveness.ts';
import { MIN_LEADS_FOR_FIGURE } from '../../site/calendar/responsiveness.ts';
import type { Context } from '../../operation/context.ts';
import { type LeadStatus, leadStatuses } from '../lead-states.ts';

/** Number of leads by subsite and state. */
export async function countLeads({
  database,
}: Pick<Context, 'database'>): Promise<{ subsite: string; status: string; count: number }[]> {
  // Select one column per state, because SQLite would sort all leads to group them by two columns.
  const columns = leadStatuses.map(
    (status) =>
      sql`count(*) filter (where ${leads.status} = ${status}) as ${sql.identifier(status)}`,
  );
  const rows = await database.background.all<{ subsite: string } & Record<LeadStatus, number>>(
    sql`select ${leads.subsite} as subsite, ${sql.join(columns, sql`, `)} from ${leads} indexed by leads_subsite group by 1`,
  );
  return rows.flatMap(({ subsite, ...counts }) =>
    leadStatuses
      .toSorted()
      .flatMap((status) => (counts[status] ? [{ subsite, status, count: counts[status] }] : [])),
  );
}

/** Number of leads whose answer is overdue, except suspected spam. */
export async function countOverdueLeads({
  database,
  now,
}: Pick<Context, 'database' | 'now'>): Promise<number> {
  const [row] = await database.background.all<{ count: number }>(
    sql`select count(*) as count from ${leads} indexed by leads_due where ${leads.dueAt} <= ${now().toISOString()} and ${leads.suspicions} = '[]'`,
  );
  return row?.count ?? 0;
}

/** Number of leads waiting for an answer from the provider, including suspected spam. */
export async function countWaitingLeads({ database }: Pick<Context, 'database'>): Promise<number> {
  const [row] = await database.background.all<{ count: number }>(
    sql`select count(*) as count from ${leads} indexed by leads_due where ${leads.dueAt} is not null`,
  );
  return row?.count ?? 0;
}

/** Statistics about how quickly leads are answered. */
export interface AnswerFigures {
  /**
   * Number of leads that the provider answered or should have answered by now. Leads that were
   * withdrawn or erased unanswered before their first deadline do not count.
   */
  of: number;
  answered: number;
  /** Median minutes from a lead to the provider's first answer; null if no lead was answered. */
  medianMinutes: number | null;
  /** Day of the first lead in the network's time zone, YYYY-MM-DD; null if there are no leads. */
  since: string | null;
}

/**
 * Computes answer times overall and by subsite, for leads created since `since`. Excludes suspected
 * spam and subscriptions; includes erased leads, because their times remain.
 */
export async function computeAnswerFigures(
  { since = '', until = '~' }: { since?: string | undefined; until?: string | undefined },
  { database: { background }, now, site }: Pick<Context, 'database' | 'now' | 'site'>,
): Promise<{ all: AnswerFigures; bySubsite: Record<string, AnswerFigures> }> {
  // The plus sign keeps SQLite from using an index that would make it read every lead.
  const isOwed = sql`${leads.suspicions} = '[]' and ${leads.answerOwed} = 1 and +${leads.createdAt} >= ${since} and +${leads.createdAt} < ${until}`;
  const answered = sql`${leads} indexed by leads_answered where ${leads.answeredMs} is not null and ${isOwed}`;
  const endedEarly = sql`${leads.status} in ('withdrawn', 'erased') and exists (select 1 from ${leadHistory} where ${leadHistory.lead} = ${leads.token} and ${leadHistory.status} in ('withdrawn', 'erased') and ${leadHistory.at} < ${leads.respondBy})`;
  const missed = sql`${leads} indexed by leads_owed where ${leads.answeredMs} is null and ${isOwed} and ${leads.respondBy} <= ${now().toISOString()} and not (${endedEarly})`;
  const selectCounts = (counted: SQL) =>
    background.all<{ subsite: string; count: number; first: string }>(
      sql`select ${leads.subsite} as subsite, count(*) as count, min(${leads.createdAt}) as first from ${counted} group by 1`,
    );
  const answeredCounts = await selectCounts(answered);
  const leadCounts = Map.groupBy(
    [...answeredCounts, ...(await selectCounts(missed))],
    ({ subsite }) => subsite,
  );
  const computeMedian = async (count: number, subsite: SQL) => {
    if (!count) return null;
    const rows = await background.all<{ ms: number }>(
      sql`select ${leads.answeredMs} as ms from ${answered} ${subsite} order by 1 limit ${2 - (count % 2)} offset ${Math.floor((count - 1) / 2)}`,
    );
    // The median is the mean of the one or two middle times.
    const median = rows.reduce((total, { ms }) => total + ms, 0) / rows.length;
    return Math.round(median / 6_000) / 10;
  };
  const { timeZone } = site.registry.network;
  const dayOf = (time: string) => toDateInTimeZone(timeZone, new Date(time));
  const answeredBySubsite = new Map(answeredCounts.map(({ subsite, count }) => [subsite, count]));
  const bySubsite: Record<string, AnswerFigures> = {};
  const computeFigures = async (
    rows: readonly { count: number; first: string }[],
    answers: number,
    condition: SQL,
  ): Promise<AnswerFigures> => {
    const [first] = rows.map((row) => row.first).sort();
    return {
      of: rows.reduce((total, { count }) => total + count, 0),
      answered: answers,
      medianMinutes: await computeMedian(answers, condition),
      since: first === undefined ? null : dayOf(first),
    };
  };
  for (const [subsite, rows] of [...leadCounts].sort())
    bySubsite[subsite] = await computeFigures(
      rows,
      answeredBySubsite.get(subsite) ?? 0,
      sql`and ${leads.subsite} = ${subsite}`,
    );
  const answerCount = answeredCounts.reduce((total, { count }) => total + count, 0);
  return {
    all: await computeFigures([...leadCounts.values()].flat(), answerCount, sql``),
    bySubsite,
  };
}

/** Answer times that may be published: those of subsites with enough leads, answered or not. */
export function selectPublishedFigures(
  bySubsite: Readonly<Record<string, AnswerFigures>>,
): Record<string, Responsiveness> {
  return Object.fromEntries(
    Object.entries(bySubsite).flatMap(([name, { answered, of, medianMinutes, since }]) =>
      of >= MIN_LEADS_FOR_FIGURE && since !== null
        ? [[name, { answered, of, medianMinutes, since }] as const]
        : [],
    ),
  );
}
