import { and, asc, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import * as v from 'valibot';
import { leads, outbox } from '../../db/schema.ts';
import type { LeadReach } from '../keys/key-scopes.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import { isWithin, tokenOf } from './lead-records.ts';
import { isFirstEvent, type LeadSummary, summary, summaryOf } from './list-leads.ts';
import { phone } from './validate-fields.ts';

const MAX_URGENT = 10;
const MAX_FOUND = 50;

const selected = ({ database }: Pick<Context, 'database'>) =>
  database.background.select(summary).from(leads).innerJoin(outbox, isFirstEvent);

/** The leads whose answer is due first and that nobody has answered; never what may be spam. @throws {DatabaseUnavailable} */
export async function listUrgent(
  reach: LeadReach,
  context: Pick<Context, 'database'>,
): Promise<LeadSummary[]> {
  // By name, for SQLite would rather read every new lead and sort them; in the words of this partial index.
  const due = sql`select ${leads.token} as token from ${leads} indexed by leads_respond where ${and(sql`status = 'new' and suspicions = '[]'`, isWithin(reach))} order by ${leads.respondBy} limit ${MAX_URGENT}`;
  const rows = await context.database.background
    .select(summary)
    .from(sql`(${due}) as due`)
    .crossJoin(leads)
    .crossJoin(outbox)
    .where(and(sql`${leads.token} = due.token`, isFirstEvent))
    .orderBy(asc(leads.respondBy));
  return rows.map(summaryOf);
}

const newestFirst = async (condition: SQL, reach: LeadReach, context: Pick<Context, 'database'>) =>
  (
    await selected(context)
      .where(and(condition, isWithin(reach)))
      .orderBy(desc(leads.createdAt), desc(leads.token))
      .limit(MAX_FOUND)
  ).map(summaryOf);

/**
 * The leads that somebody who calls may mean, newest first: by reference, receipt, email address or phone number of the
 * contact. Empty where there is none.
 * @throws {DatabaseUnavailable}
 */
export async function findLeads(
  text: string,
  reach: LeadReach,
  context: Pick<Context, 'database'>,
): Promise<LeadSummary[]> {
  const wanted = text.trim();
  const number = v.safeParse(phone, wanted);
  if (wanted.includes('@'))
    return newestFirst(eq(leads.contactEmail, wanted.toLowerCase()), reach, context);
  if (number.success) return newestFirst(eq(leads.contactPhone, number.output), reach, context);
  const token = await tokenOf(wanted, reach, context).catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  return token === undefined ? [] : newestFirst(eq(leads.token, token), reach, context);
}

/** The leads with the email address or the phone number of a lead, newest first. @throws {DatabaseUnavailable} */
export async function listOfSamePerson(
  reference: string,
  reach: LeadReach,
  context: Pick<Context, 'database'>,
): Promise<LeadSummary[]> {
  const [lead] = await selected(context).where(and(eq(outbox.id, reference), isWithin(reach)));
  const same =
    lead &&
    or(
      lead.email === null ? undefined : eq(leads.contactEmail, lead.email),
      lead.phone === null ? undefined : eq(leads.contactPhone, lead.phone),
    );
  return same ? newestFirst(same, reach, context) : [];
}
