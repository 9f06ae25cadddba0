import { eq } from 'drizzle-orm';
import { storefronts } from '../../db/schema.ts';
import type { Offering } from './content.ts';
import type { Context } from './context.ts';
import { tombstoneOf } from './erase-lead.ts';
import { Problem } from './problem.ts';
import { SANDBOX_TOKEN } from './tokens.ts';

/** A preview storefront as its page shows it. Every text is the founder’s own: escape it. */
export interface Storefront {
  slug: string;
  /** Subsite whose action made it. */
  subsite: string;
  /** Value of the action’s theme field. */
  theme: string;
  name: string;
  idea: string | null;
  place: string | null;
  offerings: readonly Offering[];
  createdAt: string;
}

const sample = (subsite: string): Storefront => ({
  slug: SANDBOX_TOKEN,
  subsite,
  theme: 'generic',
  name: 'A sample storefront',
  idea: 'This page stands for the storefront that a request outside the sandbox would have made.',
  place: null,
  offerings: [{ name: 'A sample offering', desc: 'What is sold, in a sentence.', priceCents: 2500, kind: 'one_time' }],
  createdAt: '2026-01-05T15:00:00.000Z',
});

const removed = () => new Problem('gone', 'This storefront was removed.');

/**
 * The storefront at /biz/{slug}; `sandbox` is a fixed sample.
 * @throws {Problem} not_found; gone when its lead was erased
 * @throws {DatabaseUnavailable}
 */
export async function readStorefront(slug: string, { site, database }: Context): Promise<Storefront> {
  if (slug === SANDBOX_TOKEN) return sample(site.registry.subsites.find(({ actions }) => actions.some(({ effect }) => effect?.kind === 'storefront'))?.name ?? '');
  const [row] = await database.reader.select().from(storefronts).where(eq(storefronts.slug, slug));
  if (!row) {
    const [erased] = await database.reader.select({ slug: storefronts.slug }).from(storefronts).where(eq(storefronts.slug, tombstoneOf(slug)));
    throw erased ? removed() : new Problem('not_found', 'There is no storefront at this address.');
  }
  const { subsite, theme, name, idea, place, offerings, createdAt } = row;
  if (name === null) throw removed();
  return { slug, subsite, theme, name, idea, place, offerings: offerings ?? [], createdAt };
}
