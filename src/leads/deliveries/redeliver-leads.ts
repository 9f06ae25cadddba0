import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { leads, outbox } from '../../../db/schema.ts';
import { FIRST_EVENT } from '../lead-rows.ts';
import type { Context } from '../../operation/context.ts';
import { channelNames } from './channel.ts';
import { isLate, isLateForProvider, isUnaddressed } from './late-deliveries.ts';
import { writeInChunks } from '../../operation/chunks.ts';
import { Problem } from '../../operation/problem.ts';

/**
 * Notifies the provider of a lead again, with the same event ID, even if it was delivered before,
 * and retries the lead's other undelivered messages, such as email to the person. Includes new
 * channels.
 * @throws {Problem} gone when it was erased
 * @throws {DatabaseUnavailableError}
 */
export async function redeliverLead(
  lead: string,
  { database: { writer }, now }: Context,
): Promise<void> {
  const time = now().toISOString();
  const isNotErased = sql`exists (select 1 from ${leads} where ${and(eq(leads.token, lead), ne(leads.status, 'erased'))})`;
  const events = writer
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.lead, lead), eq(outbox.kind, FIRST_EVENT)));
  const belongsToEvents = and(eq(deliveries.lead, lead), inArray(deliveries.event, events));
  const [{ rowsAffected }] = await writer.batch([
    writer
      .update(outbox)
      .set({ dueAt: time })
      .where(and(eq(outbox.lead, lead), eq(outbox.kind, FIRST_EVENT), isNotErased)),
    writer.delete(deliveries).where(and(belongsToEvents, isUnaddressed, isNotErased)),
    writer
      .update(deliveries)
      .set({ dueAt: time, attempts: 0, sentAt: null, outcome: null })
      .where(and(belongsToEvents, inArray(deliveries.channel, [...channelNames]), isNotErased)),
    writer
      .update(deliveries)
      .set({ dueAt: time, attempts: 0 })
      .where(and(eq(deliveries.lead, lead), isLate, isNotErased)),
  ]);
  if (!rowsAffected)
    throw new Problem('gone', 'This lead was erased; there is nothing to deliver.');
}

/**
 * Retries every undelivered message to a provider or person now, and returns the number of
 * deliveries. Includes exhausted retries, leads without an address, and new channels to providers.
 * @throws {DatabaseUnavailableError}
 */
export async function redeliverLateMessages({ database, now }: Context): Promise<number> {
  const { background, writer } = database;
  const time = now().toISOString();
  let last = '';
  let count = 0;
  await writeInChunks(database, async (limit) => {
    const next = await background
      .selectDistinct({ lead: deliveries.lead })
      .from(deliveries)
      .where(and(isLate, gt(deliveries.lead, last)))
      .orderBy(deliveries.lead)
      .limit(limit);
    if (!next.length) return 0;
    const tokens = next.map(({ lead }) => lead);
    last = tokens.at(-1)!;
    const belongsToLeads = inArray(deliveries.lead, tokens);
    const events = writer
      .select({ event: deliveries.event })
      .from(deliveries)
      .where(and(isLateForProvider, belongsToLeads));
    const [, unaddressed, rescheduledResult] = await writer.batch([
      writer.update(outbox).set({ dueAt: time }).where(inArray(outbox.id, events)),
      writer.delete(deliveries).where(and(isLate, isUnaddressed, belongsToLeads)),
      writer
        .update(deliveries)
        .set({ dueAt: time, attempts: 0 })
        .where(and(isLate, belongsToLeads)),
    ]);
    count += unaddressed.rowsAffected + rescheduledResult.rowsAffected;
    return tokens.length;
  });
  return count;
}
