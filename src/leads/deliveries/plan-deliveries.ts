import { and, asc, eq, gt, lte, sql, type SQL } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { isUnaddressed, NO_ADDRESS } from '../late-deliveries.ts';
import { leadTransitions } from '../lead-states.ts';
import { insertWhere } from '../../operation/statements.ts';
import { type Channel, isForProviders } from './channel.ts';
import { type LeadEvent, readLeadEvent } from './lead-event.ts';

/** Events that are planned at once. */
const AT_ONCE = 50;

/** Those of some channels by which providers are notified. */
const toProviders = (channels: readonly Channel[]) => channels.filter(isForProviders);

/** Whether a provider still needs to know: a lead that ended before delivery needs no work. */
const isNews = ({ change, lead }: LeadEvent): boolean =>
  change !== undefined || leadTransitions[lead.status].some((to) => to !== 'erased');

/**
 * Rows of a delivery through a channel that has bounds, written where it stays within them, once an
 * event; none for others.
 */
async function boundedDelivery(
  { name, bounds }: Channel,
  event: LeadEvent,
  lead: string,
  at: string,
  context: Context,
): Promise<SQL[]> {
  if (!bounds) return [];
  const { condition, rows } = await bounds(event, context);
  const planned = and(eq(deliveries.event, event.id), eq(deliveries.channel, name));
  const row = { event: event.id, channel: name, lead, createdAt: at, attempts: 0, dueAt: at };
  return [
    insertWhere(
      deliveries,
      row,
      sql`${condition} and not exists (select 1 from ${deliveries} where ${planned})`,
    ),
    ...rows(sql`changes() > 0`),
  ];
}

/**
 * Makes a delivery of each event of the outbox for each channel that takes it, and answers how many
 * events there were.
 * Several processes may do so at once; an event is planned once for a channel. A lead that no
 * channel takes is written down as such: it waits for an address.
 */
export async function planDeliveries(
  channels: readonly Channel[],
  context: Context,
): Promise<number> {
  const {
    database: { reader, writer },
    now,
    log,
  } = context;
  const at = now().toISOString();
  const events = await reader
    .select({ id: outbox.id, lead: outbox.lead })
    .from(outbox)
    .where(lte(outbox.dueAt, at))
    .orderBy(asc(outbox.dueAt))
    .limit(AT_ONCE);
  for (const { id, lead } of events) {
    const event = await readLeadEvent(id, context);
    const wanted = event !== undefined && isNews(event);
    const taking = wanted ? channels.filter((channel) => channel.takes(event)) : [];
    const unaddressed = wanted && !toProviders(taking).length && !event.change;
    if (unaddressed)
      log.warn(
        { event: id, subsite: event.lead.subsite },
        'A lead cannot be delivered: no address is set for it.',
      );
    const bounded: SQL[] = [];
    for (const channel of taking)
      if (event) bounded.push(...(await boundedDelivery(channel, event, lead, at, context)));
    await writer.batch([
      writer.update(outbox).set({ dueAt: null }).where(eq(outbox.id, id)),
      ...(unaddressed ? toProviders(channels) : taking.filter(({ bounds }) => !bounds)).map(
        ({ name }) =>
          writer
            .insert(deliveries)
            .values({
              event: id,
              channel: name,
              lead,
              createdAt: at,
              ...(unaddressed ? { outcome: NO_ADDRESS } : { dueAt: at }),
            })
            .onConflictDoNothing(),
      ),
      ...bounded.map((row) => writer.run(row)),
    ]);
  }
  return events.length;
}

/**
 * Plans the leads anew that no address was set for, where one is now: records and settings change
 * between two starts.
 */
export async function planUnaddressed(
  channels: readonly Channel[],
  context: Context,
): Promise<void> {
  const {
    database: { background, writer },
    now,
  } = context;
  for (let last = ''; ;) {
    const waiting = await background
      .selectDistinct({ id: deliveries.event })
      .from(deliveries)
      .where(and(isUnaddressed, gt(deliveries.event, last)))
      .orderBy(deliveries.event)
      .limit(AT_ONCE);
    for (const { id } of waiting) {
      const event = await readLeadEvent(id, context);
      if (!event || !isNews(event)) continue;
      if (!toProviders(channels).some((channel) => channel.takes(event))) continue;
      await writer.batch([
        writer.update(outbox).set({ dueAt: now().toISOString() }).where(eq(outbox.id, id)),
        writer.delete(deliveries).where(and(eq(deliveries.event, id), isUnaddressed)),
      ]);
    }
    const end = waiting.at(-1);
    if (!end) return;
    last = end.id;
  }
}
