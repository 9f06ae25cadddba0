import { createHash } from 'node:crypto';
import { and, eq, lte, sql, type SQL } from 'drizzle-orm';
import { tasks } from '../../db/schema-capabilities.ts';
import { deliveries } from '../../db/schema-deliveries.ts';
import { leadHistory, leads, outbox, storefronts } from '../../db/schema.ts';
import { removeA2aTasksOf } from './a2a-task-record.ts';
import { changeLead } from './change-lead.ts';
import type { Context } from './context.ts';
import { eraseAnswersOf } from './idempotency.ts';
import type { Actor } from './lead-states.ts';
import { Problem } from './problem.ts';

/** Leads that are erased in one round of a purge. */
const AT_ONCE = 100;

/** What stands in the place of an erased storefront’s slug, which is made of the name of the business. */
export const tombstoneOf = (slug: string): string => `erased:${createHash('sha256').update(slug).digest('hex')}`;

/** Statements that leave nothing of a lead but a tombstone: its token, states and times. */
function scrub(lead: string, slugs: readonly string[], done: SQL): SQL[] {
  const events = sql`(select ${outbox.id} from ${outbox} where ${eq(outbox.lead, lead)})`;
  // What was not told yet would tell of a person who wants to be forgotten; the event of the erase itself remains.
  const earlier = sql`coalesce(json_extract(${outbox.payload}, '$.to'), '') <> 'erased'`;
  // A task may have been answered with a lead that came by another door.
  const tells = sql`${tasks.result} is not null and ${tasks.result} ->> '$.receiptToken' = ${lead}`;
  return [
    sql`update ${leadHistory} set note = null where ${eq(leadHistory.lead, lead)} and ${done}`,
    eraseAnswersOf(sql`(${lead})`, done),
    eraseAnswersOf(sql`(select ${tasks.id} from ${tasks} where ${tells})`, done),
    sql`update ${tasks} set result = null, result_until = null, idempotency_key = null where ${tells} and ${done}`,
    removeA2aTasksOf(lead, done),
    sql`update ${outbox} set due_at = null where ${eq(outbox.lead, lead)} and ${earlier} and ${done}`,
    sql`update ${deliveries} set due_at = null, outcome = 'erased' where event in ${events} and sent_at is null and ${done}`,
    sql`update ${leads} set repeat_of = null where ${eq(leads.repeatOf, lead)} and ${done}`,
    ...slugs.map((slug) => sql`update ${storefronts} set slug = ${tombstoneOf(slug)}, name = null, idea = null, place = null, offerings = null where ${eq(storefronts.slug, slug)} and ${done}`),
  ];
}

const nothing = { fields: null, data: null, contactName: null, contactEmail: null, contactPhone: null, repeatOf: null };

async function erase(lead: string, actor: Actor, context: Context): Promise<void> {
  const made = await context.database.writer.select({ slug: storefronts.slug }).from(storefronts).where(eq(storefronts.lead, lead));
  await changeLead({ lead, to: 'erased', actor }, context, { values: nothing, rows: (done) => scrub(lead, made.map(({ slug }) => slug), done) });
}

/**
 * Erases what a lead says about a person, wherever it stands, and the log of the database with it. Its token, states and
 * times remain, so that its address answers `gone`.
 * @throws {Problem} unknown_receipt; gone when it was erased before
 * @throws {DatabaseUnavailable}
 */
export async function eraseLead(lead: string, actor: Actor, context: Context): Promise<void> {
  await erase(lead, actor, context);
  await context.database.foldLog();
}

// Written as the index of it is, so that tombstones are not looked at.
const pastRetention = (now: Date): SQL => and(lte(leads.eraseAt, now.toISOString()), sql`${leads.status} <> 'erased'`)!;

/** How many leads are past their retention. */
export async function countPastRetention({ database, now }: Context): Promise<number> {
  const [row] = await database.reader.select({ count: sql<number>`count(*)` }).from(leads).where(pastRetention(now()));
  return row!.count;
}

/** Erases the leads that are past their retention, and answers how many. Several processes may do so at once. */
export async function purgeLeads(context: Context): Promise<number> {
  const { database, now } = context;
  let count = 0;
  for (let before = -1; before < count; ) {
    before = count;
    const due = await database.writer.select({ token: leads.token }).from(leads).where(pastRetention(now())).limit(AT_ONCE);
    for (const { token } of due) {
      try {
        await erase(token, 'system', context);
        count++;
      } catch (error) {
        // Another process, or the person, was quicker.
        if (!(error instanceof Problem)) throw error;
      }
    }
  }
  if (count) await database.foldLog();
  return count;
}
