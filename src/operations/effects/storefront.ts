import { eq, sql } from 'drizzle-orm';
import { storefronts } from '../../../db/schema.ts';
import { type Offering, readOfferings } from '../content.ts';
import { insertWhere } from '../statements.ts';
import { SANDBOX_TOKEN } from '../tokens.ts';
import { type PlanEffect, textOf } from './effect.ts';

/** Longest part of a slug that comes from the name. */
const SLUG_LENGTH = 48;

/** A name as the last segment of an address: lower-case ASCII letters, digits and single hyphens. */
export function slugOf(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = ascii.replace(/['’]/g, '').replace(/[^a-z0-9]+/g, '-').slice(0, SLUG_LENGTH).replace(/^-+|-+$/g, '');
  return slug === '' || slug === SANDBOX_TOKEN ? 'storefront' : slug;
}

/** The offering that stands until the founder writes one: the idea, without a price. */
const placeholder = (idea: string | undefined, name: string): Offering => ({ name: name.slice(0, 80), desc: (idea ?? '').slice(0, 500), priceCents: null, kind: 'one_time' });

/** Provisions a preview page under /biz at once, at an address that no other one has. */
export const planStorefront: PlanEffect<'storefront'> = async ({ effect, input, subsite, action, token, now, context }) => {
  const { database, site, tokens } = context;
  const name = textOf(input, effect.nameField) ?? subsite.title;
  const idea = textOf(input, effect.ideaField);
  const wanted = slugOf(name);
  const [taken] = input.sandbox ? [] : await database.reader.select({ slug: storefronts.slug }).from(storefronts).where(eq(storefronts.slug, wanted));
  const slug = input.sandbox ? SANDBOX_TOKEN : taken ? `${wanted}-${tokens.suffix()}` : wanted;
  const offerings = readOfferings(textOf(input, effect.offeringsField));
  const row = {
    slug,
    lead: token,
    subsite: subsite.name,
    theme: textOf(input, effect.themeField) ?? action.fields[effect.themeField]?.enum?.[0] ?? 'generic',
    name,
    idea: idea ?? null,
    place: textOf(input, effect.placeField) ?? null,
    offerings: offerings.length ? offerings : [placeholder(idea, name)],
    createdAt: now.toISOString(),
  };
  return {
    extra: { previewUrl: `${site.base}/biz/${slug}` },
    guards: [sql`not exists (select 1 from ${storefronts} where ${eq(storefronts.slug, slug)})`],
    rows: (written) => [insertWhere(storefronts, row, written)],
    // Another storefront took the address in between.
    refusal: async () => 'again',
  };
};
