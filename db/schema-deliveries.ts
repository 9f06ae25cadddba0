import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { keyColumn } from './schema-capabilities.ts';
import { leadColumn, leads, outbox } from './schema.ts';

/*
 * Deliveries of events, callback URLs, operator alerts, inbox sessions and generated secrets. These
 * tables contain no personal data. Times are ISO 8601 in UTC with milliseconds. Enum columns that
 * may get new values (channel, outcome) have no CHECK constraint.
 */

/**
 * One event to deliver through one channel. The first process that finds the event in the outbox
 * creates the row.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    event: text('event')
      .notNull()
      .references(() => outbox.id),
    /**
     * `mail` and `webhook` go to the provider, `person` is email to the person, `callback` and
     * `push` go to programs.
     */
    channel: text('channel').notNull(),
    /** The target, for a channel with several targets; otherwise empty. */
    target: text('target').notNull().default(''),
    /** The lead that the event is about. */
    lead: leadColumn(),
    /** When delivery was requested, or last requested again after it had ended. */
    createdAt: text('created_at').notNull(),
    /** Attempts since delivery was last requested. */
    attempts: integer('attempts').notNull().default(0),
    /**
     * When the next attempt is due; null once the event has been delivered, its retries are
     * exhausted, or it no longer needs to be delivered.
     */
    dueAt: text('due_at'),
    /** When the event was delivered. */
    sentAt: text('sent_at'),
    /**
     * How the delivery ended, or the outcome of its last attempt: a code from
     * src/leads/deliveries/channel.ts.
     */
    outcome: text('outcome'),
    /** The process that is working on the delivery, and the end of its lease. */
    leaseOwner: text('lease_owner'),
    leaseUntil: text('lease_until'),
  },
  (table) => [
    // The lead comes first, so that an erasure finds all deliveries of its leads.
    primaryKey({ columns: [table.lead, table.event, table.channel, table.target] }),
    index('deliveries_due')
      .on(table.channel, table.dueAt)
      .where(sql`due_at is not null`),
    // The first entry is the oldest pending delivery.
    index('deliveries_age')
      .on(table.createdAt, table.channel)
      .where(sql`due_at is not null`),
    // Must match the conditions in src/leads/deliveries/late-deliveries.ts verbatim because SQLite
    // compares their text.
    index('deliveries_late')
      .on(table.lead)
      .where(
        sql`sent_at is null and channel not in ('callback', 'push') and coalesce(outcome, '') not in ('erased', 'settled', 'outdated')`,
      ),
    index('deliveries_ended')
      .on(table.outcome, table.event, table.channel)
      .where(sql`due_at is null and sent_at is null`),
  ],
);

/**
 * Callback URLs of programs, which are called after each change to a lead; erasing the lead deletes
 * the row.
 */
export const callbacks = sqliteTable('callbacks', {
  lead: text('lead')
    .primaryKey()
    .references(() => leads.token),
  url: text('url').notNull(),
  /** The key whose secret signs the callbacks. */
  key: keyColumn(),
});

/** The log of delivery attempts. */
export const deliveryAttempts = sqliteTable(
  'delivery_attempts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    event: text('event').notNull(),
    channel: text('channel').notNull(),
    /** The target of the delivery. */
    target: text('target').notNull().default(''),
    at: text('at').notNull(),
    /** Duration, in ms. */
    ms: integer('ms').notNull(),
    /** Code from src/leads/deliveries/channel.ts. */
    outcome: text('outcome').notNull(),
    /** Status code of the response, such as `410` or `451 4.3.0`; null if there was no response. */
    response: text('response'),
  },
  (table) => [
    index('delivery_attempts_event').on(table.event, table.id),
    index('delivery_attempts_at').on(table.at),
  ],
);

/** Active operator alerts, one per row. */
export const alerts = sqliteTable('alerts', {
  /** Name of the condition, from src/leads/deliveries/operator-alerts.ts. */
  name: text('name').primaryKey(),
  /** Message ID of the email that reported the condition. */
  event: text('event').notNull(),
  beganAt: text('began_at').notNull(),
  /** When the email was sent; null until then. */
  notifiedAt: text('notified_at'),
  /** Number of consecutive failed attempts to send an email. */
  attempts: integer('attempts').notNull().default(0),
  /**
   * When the next attempt may start. Until then, another process is sending the email, or the last
   * attempt failed.
   */
  dueAt: text('due_at').notNull(),
});

/** Open inbox sessions; signing out deletes the row. */
export const inboxSessions = sqliteTable(
  'inbox_sessions',
  {
    /**
     * SHA-256 of the session’s token, hexadecimal; the token itself is only in the browser’s
     * cookie.
     */
    id: text('id').primaryKey(),
    /** The key that opened the session. */
    key: keyColumn(),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [index('inbox_sessions_expires').on(table.expiresAt)],
);

/** Secrets that the service generated. */
export const secrets = sqliteTable('secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  createdAt: text('created_at').notNull(),
});
