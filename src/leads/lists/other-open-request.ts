import { and, desc, eq, ne, notInArray, or } from 'drizzle-orm';
import { leads, outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { isEnded, leadStatuses } from '../lead-states.ts';
import { isFirstEvent } from './list-leads.ts';

/**
 * The reference of the newest other request of the same kind from the same person that has not
 * ended; undefined if there is none.
 */
export async function findOtherOpenRequest(
  { token, repeatOf }: Pick<typeof leads.$inferSelect, 'token' | 'repeatOf'>,
  { database }: Pick<Context, 'database'>,
): Promise<string | undefined> {
  if (repeatOf === null) return undefined;
  const [other] = await database.writer
    .select({ reference: outbox.id })
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
  return other?.reference;
}
