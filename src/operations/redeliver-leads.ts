import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { deliveries } from '../../db/schema-deliveries.ts';
import { leads, outbox } from '../../db/schema.ts';
import { FIRST_EVENT } from './answer-lead.ts';
import type { Context } from './context.ts';

/**
 * Has providers told of a lead once more, with the same event id: also of what arrived, and through channels that were
 * not there before.
 * @throws {DatabaseUnavailable}
 */
export async function redeliverLead(lead: string, { database: { writer }, now }: Context): Promise<number> {
  const at = now().toISOString();
  const alive = sql`exists (select 1 from ${leads} where ${and(eq(leads.token, lead), ne(leads.status, 'erased'))})`;
  const events = writer.select({ id: outbox.id }).from(outbox).where(and(eq(outbox.lead, lead), eq(outbox.kind, FIRST_EVENT)));
  const [{ rowsAffected }] = await writer.batch([
    writer.update(outbox).set({ dueAt: at }).where(and(eq(outbox.lead, lead), eq(outbox.kind, FIRST_EVENT), alive)),
    writer.update(deliveries).set({ dueAt: at, attempts: 0, sentAt: null, outcome: null }).where(and(inArray(deliveries.event, events), alive)),
  ]);
  return rowsAffected;
}

/** Tries every delivery that was given up or waits for its next attempt, now. Answers how many. @throws {DatabaseUnavailable} */
export async function redeliverLate({ database: { writer }, now }: Context): Promise<number> {
  const late = and(isNull(deliveries.sentAt), ne(sql`coalesce(${deliveries.outcome}, '')`, 'erased'));
  const { rowsAffected } = await writer.update(deliveries).set({ dueAt: now().toISOString(), attempts: 0 }).where(late);
  return rowsAffected;
}
