import { and, asc, eq, gte, inArray, lt, min, sql } from 'drizzle-orm';
import { leadHistory, leads } from '../../db/schema.ts';
import { LEADS_BEHIND_A_FIGURE, type Responsiveness } from '../registry/responsiveness.ts';
import type { Context } from './context.ts';
import type { Actor, LeadStatus } from './lead-states.ts';

/** How many leads stand where. @throws {DatabaseUnavailable} */
export async function countLeads({ database }: Pick<Context, 'database'>): Promise<{ subsite: string; status: string; count: number }[]> {
  return database.reader.select({ subsite: leads.subsite, status: leads.status, count: sql<number>`count(*)` }).from(leads).groupBy(leads.subsite, leads.status).orderBy(asc(leads.subsite), asc(leads.status));
}

/** Who answers for a provider: the operator hands on what the provider says. */
const answerers: Actor[] = ['provider', 'operator'];
/** States by which a provider answers. */
const answering: LeadStatus[] = ['acknowledged', 'needs_info', 'quoted', 'confirmed', 'declined'];

/** How quickly leads were answered. */
export interface AnswerFigures {
  /** Leads in all. */
  of: number;
  answered: number;
  /** Median minutes from a lead to the provider’s first answer; null where there is none. */
  medianMinutes: number | null;
  /** First day counted, YYYY-MM-DD; null where there is no lead. */
  since: string | null;
}

const median = (sorted: readonly number[]): number | null => {
  if (!sorted.length) return null;
  const middle = sorted.length / 2;
  const value = sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return Math.round(value * 10) / 10;
};

/** The row of a lead: when it came, and the minutes to the first answer. */
type Answered = { subsite: string; createdAt: string; minutes: number | null };

function figuresOf(rows: readonly Answered[]): AnswerFigures {
  const minutes = rows.flatMap((row) => (row.minutes === null ? [] : [row.minutes])).sort((a, b) => a - b);
  return { of: rows.length, answered: minutes.length, medianMinutes: median(minutes), since: rows[0]?.createdAt.slice(0, 10) ?? null };
}

/**
 * Measured answers in all and by subsite, of the leads from `since` on. A lead that may be spam is not counted; one
 * that was erased is, for its times remain.
 * @throws {DatabaseUnavailable}
 */
export async function answerFigures({ since, until }: { since?: string | undefined; until?: string | undefined }, { database }: Pick<Context, 'database'>): Promise<{ all: AnswerFigures; bySubsite: Record<string, AnswerFigures> }> {
  const first = database.reader
    .select({ lead: leadHistory.lead, at: min(leadHistory.at).as('answered_at') })
    .from(leadHistory)
    .where(and(inArray(leadHistory.actor, answerers), inArray(leadHistory.status, answering)))
    .groupBy(leadHistory.lead)
    .as('first');
  const rows = await database.reader
    .select({ subsite: leads.subsite, createdAt: leads.createdAt, answeredAt: first.at })
    .from(leads)
    .leftJoin(first, eq(first.lead, leads.token))
    .where(and(eq(leads.suspicions, sql`'[]'`), since === undefined ? undefined : gte(leads.createdAt, since), until === undefined ? undefined : lt(leads.createdAt, until)))
    .orderBy(asc(leads.createdAt));
  const answered = rows.map(({ subsite, createdAt, answeredAt }): Answered => ({ subsite, createdAt, minutes: answeredAt ? Math.max(0, (Date.parse(answeredAt) - Date.parse(createdAt)) / 60_000) : null }));
  const groups = Object.entries(Object.groupBy(answered, ({ subsite }) => subsite)).sort(([one], [other]) => (one < other ? -1 : 1));
  return { all: figuresOf(answered), bySubsite: Object.fromEntries(groups.map(([name, group]) => [name, figuresOf(group!)])) };
}

/** What may be published of figures: those of subsites with enough leads behind them, also where none was answered. */
export function publishedFigures(bySubsite: Readonly<Record<string, AnswerFigures>>): Record<string, Responsiveness> {
  return Object.fromEntries(
    Object.entries(bySubsite).flatMap(([name, { answered, of, medianMinutes, since }]) => (of >= LEADS_BEHIND_A_FIGURE && since !== null ? [[name, { answered, of, medianMinutes, since }] as const] : [])),
  );
}
