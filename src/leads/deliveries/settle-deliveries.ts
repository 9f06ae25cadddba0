import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { outbox } from '../../../db/schema.ts';
import { FIRST_EVENT_KIND } from '../lead-rows.ts';
import type { Context } from '../../operation/context.ts';
import { writeInChunks } from '../../operation/chunks.ts';
import {
  hasGivenUp,
  isLate,
  isPlanned,
  isUnaddressed,
  SETTLED_OUTCOME,
} from './late-deliveries.ts';

/** Selects the undelivered messages that match every member; at least one member must be set. */
export interface DeliverySelection {
  /** Messages about these leads, by token; an empty list does not restrict the selection. */
  leads?: readonly string[] | undefined;
  /** Messages sent through this channel. */
  channel?: string | undefined;
  /** Messages that failed for good. */
  givenUp?: boolean | undefined;
  /** Messages without an address. */
  unaddressed?: boolean | undefined;
}

/** An undelivered message that is or would be canceled. */
export interface CanceledMessage {
  /** Reference of the lead. */
  reference: string;
  /** ID of the event that the message reports. */
  event: string;
  channel: string;
}

/**
 * Conditions that together select the messages. Each has an index; a combined query would read
 * every delivery.
 */
function createConditions({
  leads = [],
  channel,
  givenUp,
  unaddressed,
}: DeliverySelection): (SQL | undefined)[] {
  const states = [...(givenUp ? [hasGivenUp] : []), ...(unaddressed ? [isUnaddressed] : [])];
  const isOnChannel = channel === undefined ? undefined : eq(deliveries.channel, channel);
  if (leads.length)
    return [and(isLate, inArray(deliveries.lead, [...leads]), isOnChannel, ...states)];
  if (states.length) return [and(isLate, isOnChannel, ...states)];
  return isOnChannel
    ? [isPlanned, hasGivenUp, isUnaddressed].map((state) => and(isLate, isOnChannel, state))
    : [];
}

const message = {
  reference: sql<string>`(select first.id from ${outbox} as first where first.lead = ${deliveries}.lead and first.kind = ${FIRST_EVENT_KIND})`,
  event: deliveries.event,
  channel: deliveries.channel,
};

const sortByReference = (messages: readonly CanceledMessage[]): CanceledMessage[] =>
  messages.toSorted((a, b) => (a.reference < b.reference ? -1 : a.reference > b.reference ? 1 : 0));

/** Lists the messages that `settleDeliveries` would cancel. @throws {DatabaseUnavailableError} */
export async function listMessagesToSettle(
  selection: DeliverySelection,
  { database: { background } }: Pick<Context, 'database'>,
): Promise<CanceledMessage[]> {
  const messages: CanceledMessage[] = [];
  for (const condition of createConditions(selection))
    messages.push(...(await background.select(message).from(deliveries).where(condition)));
  return sortByReference(messages);
}

/**
 * Cancels undelivered messages, and returns them. They are neither retried nor counted as late.
 * @throws {DatabaseUnavailableError}
 */
export async function settleDeliveries(
  selection: DeliverySelection,
  { database }: Pick<Context, 'database'>,
): Promise<CanceledMessage[]> {
  const { writer } = database;
  const settled: CanceledMessage[] = [];
  for (const condition of createConditions(selection))
    await writeInChunks(database, async (limit) => {
      const next = writer
        .select({ row: sql`rowid` })
        .from(deliveries)
        .where(condition)
        .limit(limit);
      const rows = await writer
        .update(deliveries)
        .set({ dueAt: null, outcome: SETTLED_OUTCOME })
        .where(sql`rowid in ${next}`)
        .returning(message);
      settled.push(...rows);
      return rows.length;
    });
  return sortByReference(settled);
}
