import { type Column, eq, inArray, lte, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../../db/index.ts';
import { budgetUses } from '../../../db/schema-budgets.ts';
import { callbacks, deliveries, deliveryAttempts } from '../../../db/schema-deliveries.ts';
import { holds, storefronts } from '../../../db/schema-effects.ts';
import { idempotency, leadHistory, leads, offers, outbox } from '../../../db/schema.ts';
import { channelNames } from '../deliveries/channel.ts';
import { createOutdatedProblem } from '../status/matched-revision.ts';
import { leadChanges } from '../status/follow-lead.ts';
import type { Context } from '../../operation/context.ts';
import type { Contact, ErasedLeads } from '../../operation/eraser.ts';
import { eraseStoredResponses } from '../../operation/idempotency.ts';
import { writeInChunks } from '../../operation/chunks.ts';
import { combineConditions } from '../../operation/statements.ts';
import { waitListOf } from '../../operation/waits.ts';
import { readLog, revisionOf } from '../lead-log.ts';
import type { Actor } from '../lead-states.ts';
import { tombstoneOf } from '../storefronts/slugs.ts';

type StorefrontSlugs = Pick<typeof storefronts.$inferSelect, 'slug' | 'bareSlug'>;

/** Statement that clears a storefront but keeps its slugs reserved, if `condition` is true. */
export const clearStorefront = ({ slug, bareSlug }: StorefrontSlugs, condition: SQL): SQL =>
  sql`update ${storefronts} set slug = ${tombstoneOf(slug)}, bare_slug = ${bareSlug && tombstoneOf(bareSlug)}, name = null, idea = null, place = null, offerings = null where ${eq(storefronts.slug, slug)} and ${condition}`;

const erasedColumns = {
  status: 'erased',
  // Callers choose this text, so it may contain personal data.
  source: 'erased',
  dueAt: null,
  callDueAt: null,
  fields: null,
  terms: null,
  data: null,
  contactName: null,
  contactEmail: null,
  contactPhone: null,
  repeatOf: null,
} as const;

const wasAttemptedBefore = sql`exists (select 1 from ${deliveryAttempts} where ${deliveryAttempts.event} = ${deliveries.event} and ${deliveryAttempts.channel} = ${deliveries.channel})`;

/** True if a provider may know about a lead because the service attempted a delivery. */
const isKnownToProvider = sql`exists (select 1 from ${deliveries} where ${deliveries.lead} = ${leads.token} and ${inArray(deliveries.channel, [...channelNames])} and (${deliveries.attempts} > 0 or ${deliveries.leaseUntil} is not null or ${wasAttemptedBefore}))`;

interface Erasure {
  condition: SQL;
  tokens: readonly string[];
  actor: Actor;
  now: Date;
}

/** Converts the members of a list or an object to table rows. */
const toJsonRows = (values: object): SQL => sql`json_each(${JSON.stringify(values)})`;

/** Cancels the leads' other events, which would disclose personal data. */
const cancelEvents = ({ condition, tokens }: Erasure): SQL =>
  sql`update ${outbox} set due_at = null where ${outbox.lead} in (select value from ${toJsonRows(tokens)}) and due_at is not null and exists (select 1 from ${leads} where ${leads.token} = ${outbox.lead} and ${condition})`;

/** Writes an erasure event for each lead that the provider may know about. */
function announceErasure(
  { condition, tokens, actor, now }: Erasure,
  { event }: Context['tokens'],
): SQL {
  const events = Object.fromEntries(tokens.map((receiptToken) => [receiptToken, event(now)]));
  const time = now.toISOString();
  return sql`insert into ${outbox} (id, kind, lead, payload, created_at, due_at) select listed.value, 'lead.changed', ${leads.token}, json_object('from', ${leads.status}, 'to', 'erased', 'by', ${actor}, 'revision', 1 + ${revisionOf(leads.token)}), ${time}, ${time} from ${toJsonRows(events)} as listed cross join ${leads} where ${leads.token} = listed.key and ${condition} and ${isKnownToProvider}`;
}

/** Leads that still meet the condition, in the order of the list. */
const createMatchingLeadsClause = ({ condition, tokens }: Erasure): SQL =>
  sql`from ${toJsonRows(tokens)} as listed cross join ${leads} where ${leads.token} = listed.value and ${condition}`;

/**
 * Statements that clear the data of erased leads from the other tables, except for tokens, states
 * and times. Repeats of an erased lead become repeats of the oldest repeat.
 */
const clearTables = (
  isErased: ErasedLeads['isErased'],
  now: string,
  erasedStorefronts: readonly StorefrontSlugs[],
): SQL[] => [
  sql`update ${leadHistory} set note = null where ${isErased(leadHistory.lead)} and note is not null`,
  sql`delete from ${offers} where ${isErased(offers.lead)}`,
  sql`delete from ${callbacks} where ${isErased(callbacks.lead)}`,
  sql`update ${holds} set released_at = ${now} where ${isErased(holds.lead)} and released_at is null`,
  sql`delete from ${budgetUses} where ${isErased(budgetUses.row)} and +${budgetUses.budget} = 'holds'`,
  eraseStoredResponses(isErased(idempotency.subject)),
  sql`update ${deliveries} set due_at = null, outcome = 'erased' where ${isErased(deliveries.lead)} and sent_at is null`,
  sql`update ${leads} set repeat_of = nullif(oldest.token, ${leads.token}) from (select ${leads.repeatOf} as erased, min(${leads.token}) as token from ${leads} where ${isErased(leads.repeatOf)} group by ${leads.repeatOf}) as oldest where ${leads.repeatOf} = oldest.erased`,
  ...erasedStorefronts.map((storefront) => clearStorefront(storefront, isErased(storefronts.lead))),
];

type LeadContact = Contact & { lead: string } & (
    StorefrontSlugs | Record<keyof StorefrontSlugs, null>
  );

/**
 * Reads at most `limit` leads that meet a condition. They arrive as JSON text, which SQLite builds
 * faster than the driver converts rows.
 */
async function readContacts(
  condition: SQL,
  limit: number,
  source: Database['reader'],
): Promise<LeadContact[]> {
  const contacts = source
    .select({
      text: sql`json_object('lead', ${leads.token}, 'contactName', ${leads.contactName}, 'contactEmail', ${leads.contactEmail}, 'contactPhone', ${leads.contactPhone}, 'slug', ${storefronts.slug}, 'bareSlug', ${storefronts.bareSlug})`.as(
        'text',
      ),
    })
    .from(leads)
    .leftJoin(storefronts, eq(storefronts.lead, leads.token))
    .where(condition)
    .limit(limit)
    .as('contact');
  const [page] = await source
    .select({ text: sql<string>`json_group_array(json(${contacts.text}))` })
    .from(contacts);
  return JSON.parse(page!.text) as LeadContact[];
}

/**
 * Erases at most `limit` leads that meet a condition, in one batch, and returns how many were
 * erased. `source` finds the leads; the batch checks the condition again, because another process
 * may have changed or erased them.
 */
async function eraseMatchingLeads(
  selection: SQL,
  { actor, limit, source }: { actor: Actor; limit: number; source: Database['reader'] },
  context: Context,
): Promise<number> {
  const {
    database: { writer },
    erasers,
  } = context;
  const condition = combineConditions(selection, isNotErased);
  const contacts = await readContacts(condition, limit, source);
  if (!contacts.length) return 0;
  const tokens = contacts.map(({ lead }) => lead);
  const erasedStorefronts = contacts.flatMap(({ slug, bareSlug }) =>
    slug === null ? [] : [{ slug, bareSlug }],
  );
  const erasure: Erasure = { condition, tokens, actor, now: context.now() };
  const now = erasure.now.toISOString();
  // Clearing a lead that another process has erased is harmless, but a changed lead must not be
  // cleared.
  const isErased = (token: SQL | Column) =>
    sql`${token} in (select value from ${toJsonRows(tokens)}) and exists (select 1 from ${leads} as "gone" where "gone".token = ${token} and "gone".status = 'erased')`;
  // Anyone can submit a lead under any name and then erase it, so only the operator erases other
  // data by name. An email address or phone number occurs only in data about its owner.
  const people =
    actor === 'operator'
      ? contacts
      : contacts.map((contact) => ({ ...contact, contactName: null }));
  const [, , , { rowsAffected }] = await writer.batch([
    writer.run(cancelEvents(erasure)),
    writer.run(announceErasure(erasure, context.tokens)),
    writer.run(
      sql`insert into ${leadHistory} (lead, status, at, actor) select ${leads.token}, 'erased', ${now}, ${actor} ${createMatchingLeadsClause(erasure)}`,
    ),
    writer
      .update(leads)
      .set({ ...erasedColumns, updatedAt: now })
      .where(sql`rowid in (select ${leads}.rowid ${createMatchingLeadsClause(erasure)})`),
    ...[
      ...clearTables(isErased, now, erasedStorefronts),
      ...erasers.flatMap((eraser) => eraser({ isErased, contacts: people })),
    ].map((statement) => writer.run(statement)),
  ]);
  for (const receiptToken of tokens)
    waitListOf(context.database).changed(leadChanges, receiptToken, 'erased');
  return rowsAffected;
}

// This condition matches the index leads_erase, so that erased leads are not read.
const isNotErased = sql`${leads.status} <> 'erased'`;

/** True for a lead with this number of history entries, even while it is being erased. */
const hasRevision = (revision: number): SQL =>
  sql`(select count(*) from ${leadHistory} where ${leadHistory.lead} = ${leads.token} and ${leadHistory.status} <> 'erased') = ${revision}`;

/**
 * Erases the personal data of a lead from every table and from the write-ahead log. The token,
 * states and times remain, so that the URL returns `gone`. If `revision` is given, the lead must
 * still have that number of history entries.
 * @throws {Problem} unknown_receipt; gone when it was erased before; precondition_failed when it
 * has changed
 */
export async function eraseLead(
  receiptToken: string,
  actor: Actor,
  context: Context,
  revision?: number,
): Promise<void> {
  const count = await eraseMatchingLeads(
    combineConditions(
      eq(leads.token, receiptToken),
      revision === undefined ? undefined : hasRevision(revision),
    ),
    { actor, limit: 1, source: context.database.writer },
    context,
  );
  if (!count) {
    // Throws if the lead is unknown or gone.
    await readLog(receiptToken, context);
    throw createOutdatedProblem();
  }
  await context.database.truncateLog();
}

const isPastRetention = (now: Date): SQL => lte(leads.eraseAt, now.toISOString());

export async function countLeadsPastRetention({ database, now }: Context): Promise<number> {
  const [row] = await database.background
    .select({ count: sql<number>`count(*)` })
    .from(leads)
    .where(combineConditions(isPastRetention(now()), isNotErased));
  return row?.count ?? 0;
}

/**
 * Erases the leads past their retention period, and returns how many were erased. Safe to run in
 * several processes at once.
 */
export async function purgeLeads(context: Context): Promise<number> {
  const count = await writeInChunks(context.database, (limit) =>
    eraseMatchingLeads(
      isPastRetention(context.now()),
      { actor: 'system', limit, source: context.database.background },
      context,
    ),
  );
  if (count) await context.database.truncateLog();
  return count;
}
