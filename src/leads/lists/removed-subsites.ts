import { and, isNotNull, notInArray, sql } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { formatQuantity, pluralize } from '../../site/words/quantity.ts';

/**
 * Warnings about leads that wait for an answer although the registry no longer has their subsite.
 */
export async function listRemovedSubsiteNotices({
  site: { registry },
  database: { background },
}: Pick<Context, 'site' | 'database'>): Promise<string[]> {
  const names = registry.subsites.map(({ name }) => name);
  const waitingLeads = await background
    .select({ subsite: leads.subsite, count: sql<number>`count(*)` })
    .from(leads)
    .where(and(isNotNull(leads.dueAt), notInArray(leads.subsite, names)))
    .groupBy(leads.subsite);
  return waitingLeads.map(
    ({ subsite, count }) =>
      `${formatQuantity(count, 'lead is waiting', 'leads are waiting')} for an answer from the subsite ${subsite}, which the registry no longer has. Put its record back, or answer ${pluralize(count, 'it', 'them')} in the inbox or with npm run leads.`,
  );
}
