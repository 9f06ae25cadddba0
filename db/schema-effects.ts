import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { leads } from './schema.ts';

/*
 * Data that the effects of actions store with a lead. Only nullable columns marked “personal” hold
 * personal data; an erase sets them to null.
 */

/** Units of catalog items that are held for a range of days. */
export const holds = sqliteTable(
  'holds',
  {
    lead: text('lead')
      .notNull()
      .references(() => leads.token),
    /**
     * ID of the open offer that holds another item or other days for the lead; empty for the lead's
     * own hold.
     */
    offer: text('offer').notNull().default(''),
    /** Subsite whose catalog has the item. */
    catalog: text('catalog').notNull(),
    item: text('item').notNull(),
    /** Number of the item’s unit, from 1. */
    unit: integer('unit').notNull(),
    /** First and last day held, both inclusive. */
    fromDay: text('from_day').notNull(),
    toDay: text('to_day').notNull(),
    /** When an unconfirmed hold expires; null once it is confirmed. */
    expiresAt: text('expires_at'),
    /** When it was released; null while it is held. */
    releasedAt: text('released_at'),
  },
  (table) => [
    primaryKey({ columns: [table.lead, table.offer] }),
    index('holds_item').on(table.catalog, table.item, table.toDay),
  ],
);

/** Preview storefronts, readable at /biz/{slug} at once. */
export const storefronts = sqliteTable(
  'storefronts',
  {
    /** Name of the business with a random suffix. */
    slug: text('slug').primaryKey(),
    /** Plain name of the business, if the operator assigned it; both URLs work. */
    bareSlug: text('bare_slug'),
    lead: text('lead')
      .notNull()
      .references(() => leads.token),
    subsite: text('subsite').notNull(),
    /** Value of the theme field. */
    theme: text('theme').notNull(),
    /** Personal: name of the business. Null after an erase, when the page is gone. */
    name: text('name'),
    /** Personal: the business idea in the founder’s words. */
    idea: text('idea'),
    /** Personal: town. */
    place: text('place'),
    /** Personal: one or more offerings. */
    offerings: text('offerings', { mode: 'json' }).$type<
      {
        name: string;
        desc: string;
        priceCents: number | null;
        kind: 'one_time' | 'monthly';
        /** True if it is the service's example. */
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
