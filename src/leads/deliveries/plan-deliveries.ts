import { and, asc, eq, gt, lte, sql, type SQL } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { isUnaddressed, NO_ADDRESS_OUTCOME } from './late-deliveries.ts';
import { isEnded } from '../lead-states.ts';
import { insertWhere } from '../../operation/statements.ts';
import { type Channel, isForProviders } from './channel.ts';
import { type LeadEvent, readLeadEvent } from './lead-event.ts';

const BATCH_SIZE = 50;

/**
 * Whether the provider still needs to be notified of an event. A new lead that has already ended
 * needs no notification.
 */
const isRelevant = ({ change, lead }: LeadEvent): boolean =>
  change !== undefined || !isEnded(lead.status);

/**
 * Statements that plan a delivery once per event for a channel with limits, or store why there is
 * none; empty for channels without limits.
 */
async function createLimitedDelivery(
  { name, limit }: Channel,
  event: LeadEvent,
  time: string,
  context: Context,
): Promise<SQL[]> {
  if (!limit) return [];
  const { conditions, rows } = await limit(event, context);
  const { receiptToken } = event.person;
  const isSameDelivery = and(
    eq(deliveries.lead, receiptToken),
    eq(deliveries.event, event.id),
    eq(deliveries.channel, name),
  );
  const row = {
    event: event.id,
    channel: name,
    lead: receiptToken,
    createdAt: time,
    dueAt: time,
  };
  const isUnplanned = sql`not exists (select 1 from ${deliveries} where ${isSameDelivery})`;
  const isAllowed = sql.join(
    conditions.map(([, condition]) => condition),
    sql` and `,
  );
  const reasons = conditions.map(
    ([reason, condition]) => sql`when not ${condition} then ${reason}`,
  );
  return [
    insertWhere(deliveries, row, sql`${isAllowed} and ${isUnplanned}`),
    ...rows(sql`changes() > 0`),
    sql`update ${outbox} set payload = json_insert(payload, '$.unmailed', case ${sql.join(reasons, sql` `)} end) where id = ${event.id} and ${isUnplanned}`,
  ];
}

/**
 * Creates a delivery of each outbox event for each matching channel, and returns the number of
 * events. Concurrent processes plan an event only once per channel. A lead that no channel to
 * providers accepts is recorded as unaddressed.
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
  const time = now().toISOString();
  const events = await reader
    .select({ id: outbox.id, lead: outbox.lead })
    .from(outbox)
    .where(lte(outbox.dueAt, time))
    .orderBy(asc(outbox.dueAt))
    .limit(BATCH_SIZE);
  for (const { id, lead: receiptToken } of events) {
    const event = await readLeadEvent(id, context);
    // A purge may have deleted the event since the list was read.
    if (!event) continue;
    const needsDelivery = isRelevant(event);
    const matchingChannels = needsDelivery
      ? channels.filter((channel) => channel.accepts(event))
      : [];
    const awaitsAnswer = !event.change || (event.change.by === 'person' && event.dueAt !== null);
    const unaddressed = needsDelivery && awaitsAnswer && !matchingChannels.some(isForProviders);
    if (unaddressed)
      log.warn(
        { event: id, subsite: event.lead.subsite },
        'A lead cannot be delivered because it has no delivery address.',
      );
    const limitedRows: SQL[] = [];
    for (const channel of matchingChannels)
      limitedRows.push(...(await createLimitedDelivery(channel, event, time, context)));
    await writer.batch([
      writer.update(outbox).set({ dueAt: null }).where(eq(outbox.id, id)),
      ...(unaddressed
        ? channels.filter(isForProviders)
        : matchingChannels.filter(({ limit }) => !limit)
      ).map(({ name }) =>
        writer
          .insert(deliveries)
          .values({
            event: id,
            channel: name,
            lead: receiptToken,
            ...(unaddressed
              ? { createdAt: event.at, outcome: NO_ADDRESS_OUTCOME }
              : { createdAt: time, dueAt: time }),
          })
          .onConflictDoNothing(),
      ),
      ...limitedRows.map((row) => writer.run(row)),
    ]);
  }
  return events.length;
}

/**
 * Requeues unaddressed leads that now have an address, because records and settings may have
 * changed since the last start.
 */
export async function requeueUnaddressedLeads(
  channels: readonly Channel[],
  context: Context,
): Promise<void> {
  const {
    database: { background, writer },
    now,
  } = context;
  for (let last = ''; ;) {
    const waitingEvents = await background
      .select({ id: deliveries.event, lead: sql<string>`min(${deliveries.lead})` })
      .from(deliveries)
      .where(and(isUnaddressed, gt(deliveries.event, last)))
      .groupBy(deliveries.event)
      .orderBy(deliveries.event)
      .limit(BATCH_SIZE);
    for (const { id, lead: receiptToken } of waitingEvents) {
      const event = await readLeadEvent(id, context);
      if (!event || !isRelevant(event)) continue;
      if (!channels.filter(isForProviders).some((channel) => channel.accepts(event))) continue;
      await writer.batch([
        writer.update(outbox).set({ dueAt: now().toISOString() }).where(eq(outbox.id, id)),
        writer
          .delete(deliveries)
          .where(and(eq(deliveries.lead, receiptToken), eq(deliveries.event, id), isUnaddressed)),
      ]);
    }
    const end = waitingEvents.at(-1);
    if (!end) return;
    last = end.id;
  }
}
