import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Short links created with POST /api/share; the same request returns the same token. */
export const shareLinks = sqliteTable(
  'share_links',
  {
    token: text('token').primaryKey(),
    /** SHA-256 of the canonical request, hexadecimal. */
    digest: text('digest').notNull(),
    subsite: text('subsite').notNull(),
    /** Resolved site-relative path, with query and fragment. */
    path: text('path').notNull(),
    title: text('title'),
    /** Data that the caller attached. */
    meta: text('meta', { mode: 'json' }).$type<Record<string, unknown>>(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [uniqueIndex('share_links_digest').on(table.digest)],
);
