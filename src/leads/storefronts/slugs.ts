import { createHash } from 'node:crypto';
import { eq, or, sql, type SQL } from 'drizzle-orm';
import { storefronts } from '../../../db/schema-effects.ts';

/** Prefix of tombstones; no slug starts with it. */
const TOMBSTONE_PREFIX = 'erased:';

/**
 * Replaces the slug of an erased storefront, because the slug contains the business name. A
 * tombstone stays the same, because a deleted storefront may be erased later.
 */
export const tombstoneOf = (slug: string): string =>
  slug.startsWith(TOMBSTONE_PREFIX)
    ? slug
    : `${TOMBSTONE_PREFIX}${createHash('sha256').update(slug).digest('hex')}`;

/** True for a storefront that has the slug. */
export const hasSlug = (slug: string): SQL | undefined =>
  or(eq(storefronts.slug, slug), eq(storefronts.bareSlug, slug));

/** True for a storefront that has the slug, or had it until it was erased. */
export function hasOrHadSlug(slug: string): SQL {
  const values = sql`(${slug}, ${tombstoneOf(slug)})`;
  return sql`(${storefronts.slug} in ${values} or ${storefronts.bareSlug} in ${values})`;
}
