import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

const leadStates = [
  'new',
  'acknowledged',
  'needs_info',
  'quoted',
  'accepted',
  'confirmed',
  'declined',
  'withdrawn',
  'expired',
  'erased',
] as const;

/*
 * The main tables. Times are ISO 8601 in UTC with milliseconds so that they sort as text; dates are
 * YYYY-MM-DD. Enum columns that may get new values (status, channel, kind) have no CHECK
 * constraint, because changing one would rebuild the table. Only nullable columns marked “personal”
 * contain personal data; an erasure sets them to null.
 */

/** One lead or inquiry; its token is the receipt token. */
export const leads = sqliteTable(
  'leads',
  {
    token: text('token').primaryKey(),
    subsite: text('subsite').notNull(),
    /** Verb of the action; null for a plain lead. */
    action: text('action'),
    /** Label for the source of the lead. */
    source: text('source').notNull(),
    /** Channel: json, form, mcp, a2a, task, import. */
    channel: text('channel').notNull(),
    status: text('status', { enum: leadStates }).notNull(),
    /** Personal: the action’s fields. */
    fields: text('fields', { mode: 'json' }).$type<Record<string, string | number>>(),
    /** Personal: the published prices and item, as promised; null if there are none. */
    terms: text('terms', { mode: 'json' }),
    /** Personal: free-form data of a plain lead. */
    data: text('data', { mode: 'json' }).$type<Record<string, unknown>>(),
    /** Personal: contact name. */
    contactName: text('contact_name'),
    /** Personal: email address, in lowercase. */
    contactEmail: text('contact_email'),
    /** Personal: phone number, E.164. */
    contactPhone: text('contact_phone'),
    /** Signs of spam, as codes from src/leads/submit/suspicion.ts; empty if there are none. */
    suspicions: text('suspicions', { mode: 'json' })
      .$type<string[]>()
      .notNull()
      .default(sql`'[]'`),
    /** True if the person chose an answer that the record marks as an emergency. */
    emergency: integer('emergency', { mode: 'boolean' }).notNull().default(false),
    /** True if the person gets email about the lead. */
    notify: integer('notify', { mode: 'boolean' }).notNull().default(true),
    /**
     * The first in a series of leads by the same person for the same action, each within a day of
     * the previous one; null for the first lead.
     */
    repeatOf: text('repeat_of'),
    /**
     * For an imported lead: SHA-256, in hexadecimal, of the subsite, action and partner’s ID;
     * unique.
     */
    importKey: text('import_key'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    /** Deadline for the answer. */
    respondBy: text('respond_by').notNull(),
    /**
     * Deadline for the provider's next answer to the request or to the person's latest message or
     * acceptance; null while the person must answer, and after the request has ended.
     */
    dueAt: text('due_at'),
    /**
     * When the provider last took an action that the customer, who gets no email, can learn about
     * only by phone; null if there was none.
     */
    callDueAt: text('call_due_at'),
    /** False for a subscription: nobody had to answer it at the time it was created. */
    answerOwed: integer('answer_owed', { mode: 'boolean' }).notNull().default(true),
    /** Milliseconds from `createdAt` to the provider’s first answer; null until there is one. */
    answeredMs: integer('answered_ms'),
    /** Retention in days after the last change or, if later, after the last day of the request. */
    retentionDays: integer('retention_days').notNull(),
    /** When the lead is to be erased. */
    eraseAt: text('erase_at').notNull(),
  },
  (table) => [
    // A partial index adds no write cost for leads without the value.
    uniqueIndex('leads_import_key')
      .on(table.importKey)
      .where(sql`import_key is not null`),
    // The inbox pages through leads in this order; the token distinguishes leads created in the
    // same millisecond.
    index('leads_created').on(table.createdAt, table.token),
    index('leads_inbox').on(table.status, table.createdAt, table.token),
    // This index covers lists and counts for a subsite; the next two cover statistics about
    // answers.
    index('leads_subsite').on(table.subsite, table.createdAt, table.token, table.status),
    index('leads_answered')
      .on(table.subsite, table.answeredMs, table.createdAt)
      .where(sql`answered_ms is not null and answer_owed = 1 and suspicions = '[]'`),
    index('leads_owed')
      .on(table.subsite, table.createdAt, table.respondBy, table.status)
      .where(sql`answered_ms is null and answer_owed = 1 and suspicions = '[]'`),
    index('leads_action')
      .on(table.action, table.createdAt, table.token, table.status)
      .where(sql`action is not null`),
    // Finds the leads that are due next, in all subsites or in a single subsite.
    index('leads_due')
      .on(table.dueAt, table.status, table.suspicions)
      .where(sql`due_at is not null`),
    index('leads_due_subsite')
      .on(table.subsite, table.dueAt, table.suspicions)
      .where(sql`due_at is not null`),
    // Emergencies stay in the inbox until they are confirmed or end.
    index('leads_emergency')
      .on(table.dueAt, table.token, table.subsite)
      .where(
        sql`emergency = 1 and suspicions = '[]' and status in ('new', 'acknowledged', 'needs_info', 'quoted', 'accepted')`,
      ),
    index('leads_call')
      .on(table.callDueAt, table.token, table.subsite, table.status)
      .where(sql`call_due_at is not null and suspicions = '[]'`),
    // Finds the bookings that customers recently canceled.
    index('leads_withdrawn')
      .on(table.updatedAt, table.subsite)
      .where(sql`status = 'withdrawn' and suspicions = '[]'`),
    // Must match the condition for unanswered expired leads in
    // src/leads/deliveries/operator-alerts.ts verbatim.
    index('leads_unanswered')
      .on(table.updatedAt)
      .where(sql`status = 'expired' and answered_ms is null and suspicions = '[]'`),
    index('leads_repeat')
      .on(table.repeatOf)
      .where(sql`repeat_of is not null`),
    // Erased leads remain as tombstones and need no further check.
    index('leads_erase')
      .on(table.eraseAt)
      .where(sql`status <> 'erased'`),
    // The day comes first because contact details are in random order: without it, each erased lead
    // changed two separate pages, which took most of a purge's time.
    index('leads_email')
      .on(sql`date("created_at")`, table.contactEmail)
      .where(sql`contact_email is not null`),
    index('leads_phone')
      .on(sql`date("created_at")`, table.contactPhone)
      .where(sql`contact_phone is not null`),
  ],
);

/** A column that refers to a lead. */
export const leadColumn = () =>
  text('lead')
    .notNull()
    .references(() => leads.token);

/**
 * The history of a lead, one row per action: a new state, a message, or both. A message keeps the
 * state of the previous row. Append-only, except that erasures clear the notes.
 */
export const leadHistory = sqliteTable(
  'lead_history',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    lead: leadColumn(),
    status: text('status', { enum: leadStates }).notNull(),
    at: text('at').notNull(),
    /** Who acted: person, provider, operator or system. */
    actor: text('actor', { enum: ['person', 'provider', 'operator', 'system'] }).notNull(),
    /** Personal: what the author wrote to the other party. */
    note: text('note'),
    /**
     * Set if a confirmation accepts an offer on the person's behalf or changes what was confirmed.
     */
    kind: text('kind', { enum: ['phone_acceptance', 'change'] }),
    /** When the provider told the customer about it by phone; null if nobody recorded a call. */
    calledAt: text('called_at'),
  },
  (table) => [
    index('lead_history_lead').on(table.lead, table.id),
    // An erasure finds the notes of its leads without reading the rest of their history.
    index('lead_history_note')
      .on(table.lead)
      .where(sql`note is not null`),
  ],
);

/**
 * Offers from providers. The newest offer is open while its lead is quoted and the offer has not
 * expired; erasing the lead deletes the offer.
 */
export const offers = sqliteTable(
  'offers',
  {
    /** The offer's row in the lead history. */
    entry: integer('entry')
      .primaryKey()
      .references(() => leadHistory.id),
    /** ID for accepting or declining the offer. */
    id: text('id').notNull(),
    lead: leadColumn(),
    /** A decimal number, such as 450.00. */
    amount: text('amount').notNull(),
    /** ISO 4217 code. */
    currency: text('currency').notNull(),
    payer: text('payer', { enum: ['person', 'provider'] }).notNull(),
    /** The period that the amount covers; null if it covers everything. */
    per: text('per', { enum: ['month'] }),
    /** Personal: what the price includes. */
    description: text('description'),
    expiresAt: text('expires_at').notNull(),
    /** True if accepting the offer confirms the request. */
    confirmOnAccept: integer('confirm_on_accept', { mode: 'boolean' }).notNull(),
    /**
     * The offered item and days, if they differ from the item and days of the lead's hold;
     * otherwise null.
     */
    item: text('item'),
    /** Title of the item when it was offered. */
    itemTitle: text('item_title'),
    /** First and last day, both inclusive. */
    fromDay: text('from_day'),
    toDay: text('to_day'),
    /** The lead's hold when the offer was made; accepting the offer replaces the hold. */
    heldItem: text('held_item'),
    heldFrom: text('held_from'),
    heldTo: text('held_to'),
  },
  (table) => [index('offers_lead').on(table.lead)],
);

/**
 * Responses to calls that can be retried, by effect and idempotency key. The key of an erased
 * record stays reserved.
 */
export const idempotency = sqliteTable(
  'idempotency',
  {
    /** Name of the effect, such as lead; not the channel. */
    scope: text('scope').notNull(),
    /** SHA-256 of the effect and the caller’s key, base64url: a key may contain a name. */
    key: text('key').notNull(),
    /** SHA-256 of the canonical validated input (RFC 8785), hexadecimal; empty once erased. */
    digest: text('digest').notNull(),
    /** The first response, without contact details or field values. JSON null after an erasure. */
    response: text('response', { mode: 'json' }).$type<unknown>().notNull(),
    /** Token of the created record, such as a lead; empty after an erasure. */
    subject: text('subject').notNull(),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    index('idempotency_expires').on(table.expiresAt),
    index('idempotency_subject').on(table.subject),
  ],
);

/** Pending events, each written in the same batch as the change that it reports. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    /** What happened, such as lead.created. */
    kind: text('kind').notNull(),
    /**
     * The event's lead. The text of the lead is read when the event is sent, and is never copied
     * here.
     */
    lead: leadColumn(),
    /**
     * Additional data about the event, without personal data, such as the code from
     * src/leads/deliveries/channel.ts that says why email to the person was not planned.
     */
    payload: text('payload', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    createdAt: text('created_at').notNull(),
    /** When the event's deliveries are due to be planned; null once they are in `deliveries`. */
    dueAt: text('due_at'),
  },
  (table) => [
    index('outbox_due')
      .on(table.dueAt)
      .where(sql`due_at is not null`),
    index('outbox_waiting')
      .on(table.lead)
      .where(sql`due_at is not null`),
    index('outbox_lead').on(table.lead, table.kind),
  ],
);
