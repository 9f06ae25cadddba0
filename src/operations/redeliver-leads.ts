import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { deliveries } from '../../db/schema-deliveries.ts';
import { leads, outbox } from '../../db/schema.ts';
import { FIRST_EVENT } from './answer-lead.ts';
import type { Context } from './context.ts';
import { isLate, isUntold } from './late-deliveries.ts';
import { Problem } from './problem.ts';

/**
 * Has providers told of a lead once more, with the same event id: also of what arrived, and through channels that were
 * not there before.
 * @throws {Problem} gone when it was erased
 * @throws {DatabaseUnavailable}
 */
export async function redeliverLead(lead: string, { database: { writer }, now }: Context): Promise<void> {
  const at = now().toISOString();
  const alive = sql`exists (select 1 from ${leads} where ${and(eq(leads.token, lead), ne(leads.status, 'erased'))})`;
  const events = writer.select({ id: outbox.id }).from(outbox).where(and(eq(outbox.lead, lead), eq(outbox.kind, FIRST_EVENT)));
  const [{ rowsAffected }] = await writer.batch([
    writer.update(outbox).set({ dueAt: at }).where(and(eq(outbox.lead, lead), eq(outbox.kind, FIRST_EVENT), alive)),
    writer.delete(deliveries).where(and(inArray(deliveries.event, events), isUntold, alive)),
    writer.update(deliveries).set({ dueAt: at, attempts: 0, sentAt: null, outcome: null }).where(and(inArray(deliveries.event, events), alive)),
  ]);
  if (!rowsAffected) throw new Problem('gone', 'This lead was erased; there is nothing to tell of it.');
}

/**
 * Tries everything that has not arrived now, also through channels that were not there before: what waits for its next
 * attempt, was given up, or had no address. Answers how many deliveries that are.
 * @throws {DatabaseUnavailable}
 */
export async function redeliverLate({ database: { writer }, now }: Context): Promise<number> {
  const at = now().toISOString();
  const events = writer.select({ event: deliveries.event }).from(deliveries).where(isLate);
  const [, untold, tried] = await writer.batch([
    writer.update(outbox).set({ dueAt: at }).where(inArray(outbox.id, events)),
    writer.delete(deliveries).where(isUntold),
    writer.update(deliveries).set({ dueAt: at, attempts: 0 }).where(isLate),
  ]);
  return untold.rowsAffected + tried.rowsAffected;
}
