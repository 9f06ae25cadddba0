import { and, eq, isNull, ne } from 'drizzle-orm';
import { deliveries } from '../../../../db/schema-deliveries.ts';
import { leads } from '../../../../db/schema.ts';
import type { Context } from '../../../operation/context.ts';
import { type Outcome, PERSON_CHANNEL } from '../channel.ts';

/** Whether the person gets email about a lead. @throws {DatabaseUnavailableError} */
export async function receivesMail(
  receiptToken: string,
  { database }: Pick<Context, 'database'>,
): Promise<boolean> {
  const [row] = await database.writer
    .select({ notify: leads.notify })
    .from(leads)
    .where(eq(leads.token, receiptToken));
  return row?.notify ?? false;
}

/**
 * Stops email to the person about a lead, including pending messages. @throws
 * {DatabaseUnavailableError}
 */
export async function stopMail(
  receiptToken: string,
  { database: { writer } }: Context,
): Promise<void> {
  await writer.batch([
    writer
      .update(leads)
      .set({ notify: false })
      .where(and(eq(leads.token, receiptToken), ne(leads.status, 'erased'))),
    writer
      .update(deliveries)
      .set({ dueAt: null, outcome: 'outdated' satisfies Outcome })
      .where(
        and(
          eq(deliveries.lead, receiptToken),
          eq(deliveries.channel, PERSON_CHANNEL),
          isNull(deliveries.sentAt),
        ),
      ),
  ]);
}
