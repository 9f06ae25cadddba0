import { createHash } from 'node:crypto';
import { eq, lte, sql, type SQL } from 'drizzle-orm';
import { callbacks, deliveries } from '../../db/schema-deliveries.ts';
import { leadHistory, leads, offers, outbox, storefronts } from '../../db/schema.ts';
import { changeLead } from './change-lead.ts';
import { channelNames } from './deliveries/channel.ts';
import type { Context } from '../operation/context.ts';
import { eraseAnswersOf } from '../operation/idempotency.ts';
import { changeInPieces } from '../operation/pieces.ts';
import { allOf } from '../operation/statements.ts';
import type { Actor } from './lead-states.ts';

/**
 * Leads that are erased together: their statements are made in one piece, which holds up others for
 * 1 ms a lead.
 */
const AT_ONCE = 10;

/** What replaces the slug of an erased storefront, which contains the name of the business. */
export const tombstoneOf = (slug: string): string =>
  `erased:${createHash('sha256').update(slug).digest('hex')}`;

/** The addresses of a storefront. */
type Slugs = Pick<typeof storefronts.$inferSelect, 'slug' | 'bareSlug'>;

/**
 * The statement that clears a storefront and keeps only that its addresses are taken, where `done`
 * holds.
 */
export const scrubStorefront = ({ slug, bareSlug }: Slugs, done: SQL): SQL =>
  sql`update ${storefronts} set slug = ${tombstoneOf(slug)}, bare_slug = ${bareSlug && tombstoneOf(bareSlug)}, name = null, idea = null, place = null, offerings = null where ${eq(storefronts.slug, slug)} and ${done}`;

/** Statements that clear the tables of leads except for a lead’s token, states and times. */
function scrub(lead: string, made: readonly Slugs[], done: SQL): SQL[] {
  const events = sql`(select ${outbox.id} from ${outbox} where ${eq(outbox.lead, lead)})`;
  // An event that is not delivered yet would disclose the person; only the event of the erase goes
  // out, to a provider who may have heard of the lead.
  const earlier = sql`coalesce(json_extract(${outbox.payload}, '$.to'), '') <> 'erased'`;
  const unheard = sql`not exists (select 1 from ${deliveries} where event in ${events} and ${deliveries.channel} in (${sql.join([...channelNames], sql`, `)}) and (${deliveries.attempts} > 0 or ${deliveries.leaseUntil} is not null))`;
  return [
    sql`update ${leadHistory} set note = null where ${eq(leadHistory.lead, lead)} and ${done}`,
    sql`delete from ${offers} where ${eq(offers.lead, lead)} and ${done}`,
    sql`delete from ${callbacks} where ${eq(callbacks.lead, lead)} and ${done}`,
    eraseAnswersOf(sql`(${lead})`, done),
    sql`update ${outbox} set due_at = null where ${eq(outbox.lead, lead)} and (${earlier} or ${unheard}) and ${done}`,
    sql`update ${deliveries} set due_at = null, outcome = 'erased' where event in ${events} and sent_at is null and ${done}`,
    sql`update ${leads} set repeat_of = null where ${eq(leads.repeatOf, lead)} and ${done}`,
    ...made.map((storefront) => scrubStorefront(storefront, done)),
  ];
}

const nothing = {
  // Whoever sent the lead may have written anything into it.
  source: 'erased',
  fields: null,
  data: null,
  contactName: null,
  contactEmail: null,
  contactPhone: null,
  repeatOf: null,
};

async function erase(lead: string, actor: Actor, context: Context): Promise<void> {
  const made = await context.database.writer
    .select({ slug: storefronts.slug, bareSlug: storefronts.bareSlug })
    .from(storefronts)
    .where(eq(storefronts.lead, lead));
  const [contact] = await context.database.writer
    .select({
      contactName: leads.contactName,
      contactEmail: leads.contactEmail,
      contactPhone: leads.contactPhone,
    })
    .from(leads)
    .where(eq(leads.token, lead));
  await changeLead({ lead, to: 'erased', actor }, context, {
    values: nothing,
    rows: (done) => [
      ...scrub(lead, made, done),
      ...(contact ? context.erasers.flatMap((eraser) => eraser({ lead, contact }, done)) : []),
    ],
  });
}

/**
 * Erases what a lead says about a person from every table, and from the write-ahead log of the
 * database. Its token, states and times remain, so that its address answers `gone`.
 * @throws {Problem} unknown_receipt; gone when it was erased before
 * @throws {DatabaseUnavailable}
 */
export async function eraseLead(lead: string, actor: Actor, context: Context): Promise<void> {
  await erase(lead, actor, context);
  await context.database.foldLog();
}

// Written as the index of it is, so that tombstones are not looked at.
const pastRetention = (now: Date): SQL =>
  allOf(lte(leads.eraseAt, now.toISOString()), sql`${leads.status} <> 'erased'`);

/** How many leads are past their retention. */
export async function countPastRetention({ database, now }: Context): Promise<number> {
  const [row] = await database.background
    .select({ count: sql<number>`count(*)` })
    .from(leads)
    .where(pastRetention(now()));
  return row?.count ?? 0;
}

/**
 * Erases the leads that are past their retention, and returns how many. Several processes may do so
 * at once.
 */
export async function purgeLeads(context: Context): Promise<number> {
  const { database, now } = context;
  const count = await changeInPieces(
    () =>
      database.writer
        .select({ token: leads.token })
        .from(leads)
        .where(pastRetention(now()))
        .limit(AT_ONCE),
    ({ token }) => erase(token, 'system', context),
  );
  if (count) await database.foldLog();
  return count;
}
