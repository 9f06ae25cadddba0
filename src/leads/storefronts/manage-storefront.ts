import { eq, ne, sql } from 'drizzle-orm';
import { storefronts } from '../../../db/schema-effects.ts';
import { leads } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import { slugify } from '../effects/storefront.ts';
import { clearStorefront } from '../erase/erase-lead.ts';
import { isEnded } from '../lead-states.ts';
import { hasOrHadSlug, hasSlug } from './slugs.ts';

/** Finds a storefront by one of its slugs. @throws {Problem} not_found */
async function findStorefront(slug: string, { database }: Pick<Context, 'database'>) {
  const [found] = await database.writer
    .select({
      slug: storefronts.slug,
      bareSlug: storefronts.bareSlug,
      name: storefronts.name,
      status: leads.status,
    })
    .from(storefronts)
    .innerJoin(leads, eq(leads.token, storefronts.lead))
    .where(hasSlug(slug));
  if (!found || found.name === null)
    throw new Problem('not_found', 'There is no storefront at this address.');
  return { ...found, name: found.name };
}

/** Deletes the content of a storefront. Its URLs then return 410. @throws {Problem} not_found */
export async function deleteStorefront(slug: string, context: Context): Promise<void> {
  const found = await findStorefront(slug, context);
  await context.database.writer.run(clearStorefront(found, sql`true`));
  await context.database.truncateLog();
}

/**
 * Gives a storefront its business name as an additional slug, and returns the slug.
 * @throws {Problem} not_found; conflict before its request was acknowledged, or when another
 * storefront has or had the name
 */
export async function nameStorefront(slug: string, context: Context): Promise<string> {
  const found = await findStorefront(slug, context);
  if (found.status === 'new' || isEnded(found.status))
    throw new Problem(
      'conflict',
      `The request for this storefront is ${found.status}. First verify that the customer owns the business, and acknowledge the request.`,
    );
  const bareSlug = slugify(found.name);
  const { rowsAffected } = await context.database.writer.run(
    sql`update ${storefronts} set bare_slug = ${bareSlug} where ${eq(storefronts.slug, found.slug)} and not exists (select 1 from ${storefronts} where ${ne(storefronts.slug, found.slug)} and ${hasOrHadSlug(bareSlug)})`,
  );
  if (!rowsAffected)
    throw new Problem('conflict', `Another storefront has or had the address /biz/${bareSlug}.`);
  return bareSlug;
}
