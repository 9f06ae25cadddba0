import { createHash } from 'node:crypto';
import { eq, inArray, lte, sql, type SQL } from 'drizzle-orm';
import { budgetUses } from '../../../db/schema-budgets.ts';
import { callbacks, deliveries } from '../../../db/schema-deliveries.ts';
import { holds, leadHistory, leads, offers, outbox, storefronts } from '../../../db/schema.ts';
import { channelNames } from '../deliveries/channel.ts';
import { leadChanges } from '../status/follow-lead.ts';
import type { Context } from '../../operation/context.ts';
import { eraseStoredAnswers } from '../../operation/idempotency.ts';
import { inChunks } from '../../operation/chunks.ts';
import { allConditions } from '../../operation/statements.ts';
import { waitListOf } from '../../operation/waits.ts';
import { readLog, revisionOf } from '../lead-log.ts';
import type { Actor } from '../lead-states.ts';

/** Replacement for the slug of an erased storefront, which contains the name of the business. */
export const tombstoneOf = (slug: string): string =>
  `erased:${createHash('sha256').update(slug).digest('hex')}`;

/** The addresses of a storefront. */
type StorefrontSlugs = Pick<typeof storefronts.$inferSelect, 'slug' | 'bareSlug'>;

/** The statement that clears a storefront but keeps its addresses reserved, if `done` holds. */
export const clearStorefront = ({ slug, bareSlug }: StorefrontSlugs, condition: SQL): SQL =>
  sql`update ${storefronts} set slug = ${tombstoneOf(slug)}, bare_slug = ${bareSlug && tombstoneOf(bareSlug)}, name = null, idea = null, place = null, offerings = null where ${eq(storefronts.slug, slug)} and ${condition}`;

/** The values of an erased lead's row. */
const erasedColumns = {
  status: 'erased',
  // The sender of the lead may have entered anything in it.
  source: 'erased',
  dueAt: null,
  fields: null,
  data: null,
  contactName: null,
  contactEmail: null,
  contactPhone: null,
  repeatOf: null,
} as const;

/** Condition that a provider may know of a lead: a message about it was attempted. */
const isKnownToProvider = sql`exists (select 1 from ${outbox} as "earlier" cross join ${deliveries} where "earlier".lead = ${leads.token} and ${deliveries.event} = "earlier".id and ${inArray(deliveries.channel, [...channelNames])} and (${deliveries.attempts} > 0 or ${deliveries.leaseUntil} is not null))`;

/** Leads to erase, with the event ID of each erasure. */
interface Erasure {
  /** Selects the leads that may be erased at that time. */
  condition: SQL;
  /** Pairs of a lead’s token and the event ID. */
  events: readonly (readonly [lead: string, event: string])[];
  actor: Actor;
  /** ISO 8601. */
  now: string;
}

/**
 * The statement that writes the erasure event of each lead that still meets the condition. Unsent
 * events would disclose personal data, so only this event is sent, to a provider who may know of
 * the lead.
 */
const writeEvents = ({ condition, events, actor, now }: Erasure): SQL =>
  sql`insert into ${outbox} (id, kind, lead, payload, created_at, due_at) select erased.value ->> 1, 'lead.changed', ${leads.token}, json_object('from', ${leads.status}, 'to', 'erased', 'by', ${actor}, 'revision', 1 + ${revisionOf(leads.token)}), ${now}, iif(${isKnownToProvider}, ${now}, null) from json_each(${JSON.stringify(events)}) as erased cross join ${leads} where ${leads.token} = erased.value ->> 0 and ${condition}`;

/** Statements that clear the erased leads in all tables, except for tokens, states and times. */
function clearTables(
  erased: SQL,
  { events, actor, now }: Erasure,
  erasedStorefronts: readonly StorefrontSlugs[],
  { database: { writer } }: Context,
) {
  const eventIds = JSON.stringify(events.map(([, event]) => event));
  const leadEvents = sql`(select ${outbox.id} from ${outbox} where ${outbox.lead} in ${erased})`;
  return [
    writer
      .update(leads)
      .set({ ...erasedColumns, updatedAt: now })
      .where(sql`${leads.token} in ${erased}`),
    writer.run(
      sql`insert into ${leadHistory} (lead, status, at, actor) select lead, 'erased', ${now}, ${actor} from ${outbox} where ${outbox.id} in (select value from json_each(${eventIds}))`,
    ),
    ...[
      sql`update ${leadHistory} set note = null where ${leadHistory.lead} in ${erased} and note is not null`,
      sql`delete from ${offers} where ${offers.lead} in ${erased}`,
      sql`delete from ${callbacks} where ${callbacks.lead} in ${erased}`,
      sql`update ${holds} set released_at = ${now} where ${holds.lead} in ${erased} and released_at is null`,
      sql`delete from ${budgetUses} where ${budgetUses.row} in ${erased} and ${eq(budgetUses.budget, 'holds')}`,
      eraseStoredAnswers(erased),
      sql`update ${outbox} set due_at = null where ${outbox.lead} in ${erased} and due_at is not null and id not in (select value from json_each(${eventIds}))`,
      sql`update ${deliveries} set due_at = null, outcome = 'erased' where ${deliveries.event} in ${leadEvents} and sent_at is null`,
      sql`update ${leads} set repeat_of = null where ${leads.repeatOf} in ${erased}`,
      ...erasedStorefronts.map((storefront) =>
        clearStorefront(storefront, sql`${storefronts.lead} in ${erased}`),
      ),
    ].map((statement) => writer.run(statement)),
  ];
}

/**
 * Erases leads that meet a condition, at most `limit`, in one batch of statements for all of them;
 * returns their number. The batch checks the condition again, so that several processes may erase
 * at once, and an earlier change by another process is respected.
 */
async function eraseMatching(
  selection: SQL,
  { actor, limit }: { actor: Actor; limit: number },
  context: Context,
): Promise<number> {
  const {
    database: { writer },
    tokens,
    erasers,
  } = context;
  const condition = allConditions(selection, isNotErased);
  const found = await writer
    .select({
      lead: leads.token,
      contactName: leads.contactName,
      contactEmail: leads.contactEmail,
      contactPhone: leads.contactPhone,
    })
    .from(leads)
    .where(condition)
    .limit(limit);
  if (!found.length) return 0;
  const names = found.map(({ lead }) => lead);
  const erasedStorefronts = await writer
    .select({ slug: storefronts.slug, bareSlug: storefronts.bareSlug })
    .from(storefronts)
    .where(sql`${storefronts.lead} in (select value from json_each(${JSON.stringify(names)}))`);
  const at = context.now();
  const erase: Erasure = {
    condition,
    events: names.map((lead) => [lead, tokens.event(at)]),
    actor,
    now: at.toISOString(),
  };
  const eventIds = JSON.stringify(erase.events.map(([, event]) => event));
  const erased = sql`(select ${outbox.lead} from ${outbox} where ${outbox.id} in (select value from json_each(${eventIds})))`;
  const [{ rowsAffected }] = await writer.batch([
    writer.run(writeEvents(erase)),
    ...clearTables(erased, erase, erasedStorefronts, context),
    ...erasers
      .flatMap((eraser) => eraser({ tokens: erased, contacts: found }))
      .map((statement) => writer.run(statement)),
  ]);
  for (const lead of names) waitListOf(context.database).changed(leadChanges, lead, 'erased');
  return rowsAffected;
}

// Matches the condition of its index, so that tombstones are not read.
const isNotErased = sql`${leads.status} <> 'erased'`;

/**
 * Erases a lead's personal data from every table, and from the write-ahead log of the database. Its
 * token, states and times remain, so that its URL answers `gone`.
 * @throws {Problem} unknown_receipt; gone when it was erased before
 * @throws {DatabaseUnavailable}
 */
export async function eraseLead(lead: string, actor: Actor, context: Context): Promise<void> {
  const count = await eraseMatching(eq(leads.token, lead), { actor, limit: 1 }, context);
  // Rejects a lead that is unknown or gone.
  if (!count) await readLog(lead, context);
  await context.database.truncateLog();
}

const pastRetention = (now: Date): SQL => lte(leads.eraseAt, now.toISOString());

/** Number of leads past their retention. */
export async function countPastRetention({ database, now }: Context): Promise<number> {
  const [row] = await database.background
    .select({ count: sql<number>`count(*)` })
    .from(leads)
    .where(allConditions(pastRetention(now()), isNotErased));
  return row?.count ?? 0;
}

/**
 * Erases the leads past their retention, and returns their number. Several processes may do this at
 * once.
 */
export async function purgeLeads(context: Context): Promise<number> {
  const count = await inChunks((limit) =>
    eraseMatching(pastRetention(context.now()), { actor: 'system', limit }, context),
  );
  if (count) await context.database.truncateLog();
  return count;
}
