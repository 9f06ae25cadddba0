import { and, desc, eq, ne, notInArray, or } from 'drizzle-orm';
import { leads, outbox } from '../../../db/schema.ts';
import { formatPlannedDays, formatReference } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { providerMail, providerStates } from '../../text/index.ts';
import { findRequestedDays } from '../status/agreement.ts';
import type { Context } from '../../operation/context.ts';
import { isEnded, leadStatuses } from '../lead-states.ts';
import { isFirstEvent } from './list-leads.ts';

/**
 * Describes the same person's newest other open request of the same kind, with its state and days,
 * for the provider; undefined if there is none.
 */
export async function findOtherOpenRequest(
  { token, repeatOf }: Pick<typeof leads.$inferSelect, 'token' | 'repeatOf'>,
  { database, site }: Pick<Context, 'database' | 'site'>,
): Promise<string | undefined> {
  if (repeatOf === null) return undefined;
  const [other] = await database.writer
    .select({ reference: outbox.id, lead: leads })
    .from(leads)
    .innerJoin(outbox, isFirstEvent)
    .where(
      and(
        or(eq(leads.token, repeatOf), eq(leads.repeatOf, repeatOf)),
        ne(leads.token, token),
        notInArray(leads.status, leadStatuses.filter(isEnded)),
      ),
    )
    .orderBy(desc(outbox.id))
    .limit(1);
  if (!other) return undefined;
  const { reference, lead } = other;
  const days = findRequestedDays({ ...lead, fields: lead.fields ?? {} }, site.registry);
  return fill(providerMail.other, {
    reference: formatReference(reference),
    state: [providerStates[lead.status], ...(days ? [formatPlannedDays(days)] : [])].join(': '),
  });
}
