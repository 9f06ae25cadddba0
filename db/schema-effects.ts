import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { leadColumn } from './schema.ts';

/*
 * Data that the effects of actions store with a lead. Only nullable columns marked “personal”
 * contain personal data; an erasure sets them to null.
 */

/** Holds: units of catalog items that are reserved for a range of days. */
export const holds = sqliteTable(
  'holds',
  {
    lead: leadColumn(),
    /**
     * ID of the open offer that holds a different item or different days for the lead; empty for
     * the lead's own hold.
     */
    offer: text('offer').notNull().default(''),
    /** Subsite whose catalog lists the item. */
    catalog: text('catalog').notNull(),
    item: text('item').notNull(),
    /** Number of the item’s unit, starting at 1. */
    unit: integer('unit').notNull(),
    /** First and last day held, both inclusive. */
    fromDay: text('from_day').notNull(),
    toDay: text('to_day').notNull(),
    /** When an unconfirmed hold expires; null once the hold is confirmed. */
    expiresAt: text('expires_at'),
    /** When the hold was released; null until then. */
    releasedAt: text('released_at'),
  },
  (table) => [
    primaryKey({ columns: [table.lead, table.offer] }),
    index('holds_item').on(table.catalog, table.item, table.toDay),
    index('holds_expires')
      .on(table.expiresAt, table.lead)
      .where(sql`expires_at is not null and released_at is null and offer = ''`),
  ],
);

/** Preview storefronts, immediately readable at /biz/{slug}. */
export const storefronts = sqliteTable(
  'storefronts',
  {
    /** Business name with a random suffix. */
    slug: text('slug').primaryKey(),
    /** Plain business name, if the operator assigned it; both URLs work. */
    bareSlug: text('bare_slug'),
    lead: leadColumn(),
    subsite: text('subsite').notNull(),
    /** Value of the theme field. */
    theme: text('theme').notNull(),
    /** Personal: the business name. Null after an erasure, which also removes the page. */
    name: text('name'),
    /** Personal: the business idea in the founder’s words. */
    idea: text('idea'),
    /** Personal: the town. */
    place: text('place'),
    /** Personal: one or more offerings. */
    offerings: text('offerings', { mode: 'json' }).$type<
      {
        name: string;
        desc: string;
        priceCents: number | null;
        kind: 'one_time' | 'monthly';
        /** True if the service supplied the offering as an example. */
        seeded?: true;
      }[]
    >(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('storefronts_lead').on(table.lead),
    uniqueIndex('storefronts_bare_slug')
      .on(table.bareSlug)
      .where(sql`bare_slug is not null`),
  ],
);
