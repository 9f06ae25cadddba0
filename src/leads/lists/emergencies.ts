import { eq, inArray } from 'drizzle-orm';
import { leads, outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { isEmergency } from '../../site/emergency.ts';
import { actionOf } from '../../site/registry.ts';
import type { LeadSummary } from './list-leads.ts';

/**
 * Finds the emergencies among leads, and returns their references. Reads only leads whose action
 * can be an emergency. @throws {DatabaseUnavailable}
 */
export async function findEmergencies(
  listed: readonly LeadSummary[],
  { site: { registry }, database }: Pick<Context, 'site' | 'database'>,
): Promise<ReadonlySet<string>> {
  const candidates = listed.filter((lead) =>
    Object.values(actionOf(registry, lead)?.fields ?? {}).some(({ emergency }) => emergency),
  );
  if (!candidates.length) return new Set();
  const rows = await database.background
    .select({
      reference: outbox.id,
      subsite: leads.subsite,
      action: leads.action,
      fields: leads.fields,
    })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .where(
      inArray(
        outbox.id,
        candidates.map(({ reference }) => reference),
      ),
    );
  return new Set(
    rows
      .filter((row) => isEmergency(actionOf(registry, row), row.fields ?? {}))
      .map(({ reference }) => reference),
  );
}
