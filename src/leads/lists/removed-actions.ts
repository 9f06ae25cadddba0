import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { findSubsite } from '../../site/registry.ts';
import { formatQuantity, pluralize } from '../../site/words/quantity.ts';
import { isUndecided, leadStatuses } from '../lead-states.ts';

/**
 * Warnings about leads that still need a decision or an answer, although the registry no longer has
 * their subsite or action. A subscription needs no decision.
 */
export async function listRemovedActionNotices({
  site: { registry },
  database: { background },
}: Pick<Context, 'site' | 'database'>): Promise<string[]> {
  const needsDecision = and(
    inArray(leads.status, leadStatuses.filter(isUndecided)),
    eq(leads.answerOwed, true),
  );
  const openLeads = await background
    .select({ subsite: leads.subsite, action: leads.action, count: sql<number>`count(*)` })
    .from(leads)
    .where(or(needsDecision, isNotNull(leads.dueAt)))
    .groupBy(leads.subsite, leads.action);
  const countsBySubsite = Map.groupBy(openLeads, ({ subsite }) => subsite);
  return [...countsBySubsite].flatMap(([name, groups]) => {
    const subsite = findSubsite(registry, name);
    const describe = (count: number, owner: string, part: string) =>
      `${formatQuantity(count, 'open lead belongs', 'open leads belong')} to ${owner}, which the registry no longer has. Put ${part} back until ${pluralize(count, 'it is', 'they are')} answered, or answer ${pluralize(count, 'it', 'them')} in the inbox or with npm run leads.`;
    if (!subsite) {
      const total = groups.reduce((sum, { count }) => sum + count, 0);
      return [describe(total, `the subsite ${name}`, 'its record')];
    }
    const verbs = new Set<string | null>(subsite.actions.map(({ verb }) => verb));
    return groups
      .filter(({ action }) => action !== null && !verbs.has(action))
      .map(({ action, count }) =>
        describe(count, `the action ${action} of the subsite ${name}`, 'the action'),
      );
  });
}
