import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { leads, outbox } from './schema.ts';

/*
 * What is told to providers, and what they answer with. No personal data stands here. Times are ISO 8601 in UTC with
 * milliseconds. Enums that grow (channel, outcome) have no CHECK.
 */

/** One event on its way through one channel; made from the outbox by the first process that sees it. */
export const deliveries = sqliteTable(
  'deliveries',
  {
    event: text('event').notNull().references(() => outbox.id),
    /** mail or webhook. */
    channel: text('channel').notNull(),
    createdAt: text('created_at').notNull(),
    /** Attempts since it was last asked for. */
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried next; null when it arrived, was given up or has become pointless. */
    dueAt: text('due_at'),
    /** When it arrived. */
    sentAt: text('sent_at'),
    /** How the last attempt ended, a code of src/deliveries/channel.ts. */
    outcome: text('outcome'),
    /** Process that works on it, and until when no other may. */
    leaseOwner: text('lease_owner'),
    leaseUntil: text('lease_until'),
  },
  (table) => [primaryKey({ columns: [table.event, table.channel] }), index('deliveries_due').on(table.dueAt, table.sentAt)],
);

/** The log of attempts. */
export const deliveryAttempts = sqliteTable(
  'delivery_attempts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    event: text('event').notNull(),
    channel: text('channel').notNull(),
    at: text('at').notNull(),
    /** How long it took, in ms. */
    ms: integer('ms').notNull(),
    /** A code of src/deliveries/channel.ts. */
    outcome: text('outcome').notNull(),
  },
  (table) => [index('delivery_attempts_event').on(table.event, table.id), index('delivery_attempts_at').on(table.at)],
);

/** Signed links that were acted on; none works a second time. */
export const usedLinks = sqliteTable('used_links', {
  /** The link’s signature. */
  signature: text('signature').primaryKey(),
  lead: text('lead').notNull().references(() => leads.token),
  at: text('at').notNull(),
});

/** Secrets that the service made for itself. */
export const secrets = sqliteTable('secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  createdAt: text('created_at').notNull(),
});
