import { asc, eq, lte } from 'drizzle-orm';
import { deliveries } from '../../db/schema-deliveries.ts';
import { outbox } from '../../db/schema.ts';
import type { Context } from '../operations/context.ts';
import { leadTransitions } from '../operations/lead-states.ts';
import type { Channel } from './channel.ts';
import { type LeadEvent, readLeadEvent } from './lead-event.ts';

/** Events that are planned at once. */
const AT_ONCE = 50;

/** Whether a provider still wants to hear of it: a lead that has come to an end before it was told is no work any more. */
const isNews = ({ change, lead }: LeadEvent): boolean => change !== undefined || leadTransitions[lead.status].some((to) => to !== 'erased');

/**
 * Makes a delivery of each event of the outbox for each channel that takes it, and answers how many events there were.
 * Several processes may do so at once; an event is planned once for a channel.
 */
export async function planDeliveries(channels: readonly Channel[], context: Context): Promise<number> {
  const { database: { reader, writer }, now, log } = context;
  const at = now().toISOString();
  const events = await reader.select({ id: outbox.id }).from(outbox).where(lte(outbox.dueAt, at)).orderBy(asc(outbox.dueAt)).limit(AT_ONCE);
  for (const { id } of events) {
    const event = await readLeadEvent(id, context);
    const taking = event && isNews(event) ? channels.filter((channel) => channel.takes(event)) : [];
    if (event && !taking.length && !event.change) log.warn({ event: id, subsite: event.lead.subsite }, 'Nobody is told of a lead: it has come to an end, or no address is set for it.');
    await writer.batch([
      writer.update(outbox).set({ dueAt: null }).where(eq(outbox.id, id)),
      ...taking.map(({ name }) => writer.insert(deliveries).values({ event: id, channel: name, createdAt: at, dueAt: at }).onConflictDoNothing()),
    ]);
  }
  return events.length;
}
