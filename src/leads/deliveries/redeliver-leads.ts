import { and, eq, gt, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { leads, outbox } from '../../../db/schema.ts';
import { FIRST_EVENT_KIND } from '../lead-rows.ts';
import { isUndecided, leadStatuses } from '../lead-states.ts';
import type { Context } from '../../operation/context.ts';
import { channelNames, PERSON_CHANNEL } from './channel.ts';
import { isLate, isLateForProvider, isUnaddressed, SETTLED_OUTCOME } from './late-deliveries.ts';
import { writeInChunks } from '../../operation/chunks.ts';
import { Problem } from '../../operation/problem.ts';

const hasLateDelivery = sql`exists (select 1 from ${deliveries} where ${deliveries.lead} = ${outbox.lead} and ${deliveries.event} = ${outbox.id} and ${isLate})`;

/**
 * Statements that retry the leads' late messages now: they reschedule
 * the events of messages to providers, delete unaddressed deliveries, and reschedule all other deliveries.
 */
function retryLateMessages(belongsToLeads: SQL, time: string, { writer }: Context['database']) {
  const events = writer
    .select({ event: deliveries.event })
    .from(deliveries)
    .where(and(isLateForProvider, belongsToLeads));
  return [
    writer.update(outbox).set({ dueAt: outbox.createdAt }).where(inArray(outbox.id, events)),
    writer.delete(deliveries).where(and(isLate, isUnaddressed, belongsToLeads)),
    writer.update(deliveries).set({ dueAt: time, attempts: 0 }).where(and(isLate, belongsToLeads)),
  ] as const;
}

/**
 * Statements that plan the leads' canceled messages to providers and the person again, because the
 * operator explicitly asked for these leads.
 */
function restoreCanceledMessages(
  belongsToLeads: SQL,
  time: string,
  { writer }: Context['database'],
) {
  const isSettled = and(
    belongsToLeads,
    eq(deliveries.outcome, SETTLED_OUTCOME),
    isNull(deliveries.sentAt),
    inArray(deliveries.channel, [...channelNames, PERSON_CHANNEL]),
  );
  return [
    writer
      .update(deliveries)
      .set({ createdAt: time, dueAt: time, attempts: 0, outcome: null })
      .where(isSettled),
  ] as const;
}

async function redeliver(
  tokens: readonly string[],
  { database, now }: Context,
  { restoresCanceled = false } = {},
): Promise<number> {
  const { writer } = database;
  const time = now().toISOString();
  const isNotErased = and(inArray(leads.token, tokens), ne(leads.status, 'erased'));
  const redeliveredTokens = writer.select({ token: leads.token }).from(leads).where(isNotErased);
  const isFirstEvent = and(
    inArray(outbox.lead, redeliveredTokens),
    eq(outbox.kind, FIRST_EVENT_KIND),
  );
  const events = writer.select({ id: outbox.id }).from(outbox).where(isFirstEvent);
  const belongsToLeads = inArray(deliveries.lead, redeliveredTokens);
  const belongsToEvents = and(belongsToLeads, inArray(deliveries.event, events));
  const [{ rowsAffected }] = await writer.batch([
    // A message that was late is still counted as late.
    writer
      .update(outbox)
      .set({ dueAt: sql`case when ${hasLateDelivery} then ${outbox.createdAt} else ${time} end` })
      .where(isFirstEvent),
    ...retryLateMessages(belongsToLeads, time, database),
    ...(restoresCanceled ? restoreCanceledMessages(belongsToLeads, time, database) : []),
    writer
      .update(deliveries)
      .set({
        createdAt: sql`case when ${isLate} then ${deliveries.createdAt} else ${time} end`,
        dueAt: time,
        attempts: 0,
        sentAt: null,
        outcome: null,
      })
      .where(and(belongsToEvents, inArray(deliveries.channel, [...channelNames]))),
  ]);
  return rowsAffected;
}

/**
 * Notifies the provider of a lead again, with the same event ID, even if it was delivered before,
 * and sends the lead's other undelivered messages, such as email to the person, even if they were
 * canceled. Also sends through channels that were added since.
 * @throws {Problem} gone when it was erased
 * @throws {DatabaseUnavailableError}
 */
export async function redeliverLead(receiptToken: string, context: Context): Promise<void> {
  if (!(await redeliver([receiptToken], context, { restoresCanceled: true })))
    throw new Problem('gone', 'This lead was erased; there is nothing to deliver.');
}

/** Restricts a redelivery; an absent member imposes no restriction. */
export interface RedeliverySelection {
  /** Tokens of the leads. */
  leads?: readonly string[] | undefined;
  /** Only leads that are neither confirmed nor ended. */
  open?: boolean | undefined;
}

const isOpen = inArray(leads.status, leadStatuses.filter(isUndecided));

/**
 * Redelivers every lead that is neither confirmed nor ended, as `redeliverLead` does, and returns
 * how many; with `selection.leads`, only those among them. Canceled messages are sent only
 * for leads in `selection.leads`.
 * @throws {DatabaseUnavailableError}
 */
export async function redeliverOpenLeads(
  context: Context,
  selection: Pick<RedeliverySelection, 'leads'> = {},
): Promise<number> {
  const { database } = context;
  const open = await database.background
    .select({ token: leads.token })
    .from(leads)
    .where(and(isOpen, selection.leads && inArray(leads.token, [...selection.leads])));
  const tokens = open.map(({ token }) => token);
  const restoresCanceled = selection.leads !== undefined;
  let count = 0;
  await writeInChunks(database, async (limit) => {
    const next = tokens.splice(0, limit);
    if (next.length) count += await redeliver(next, context, { restoresCanceled });
    return next.length;
  });
  return count;
}

/**
 * Retries every undelivered message to a provider or person now, optionally only those about the
 * selected leads, and returns the number of deliveries. Includes messages out of retries, leads
 * without an address, and new channels to providers.
 * @throws {DatabaseUnavailableError}
 */
export async function redeliverLateMessages(
  { database, now }: Context,
  selection: RedeliverySelection = {},
): Promise<number> {
  const time = now().toISOString();
  const isSelected = and(
    selection.leads && inArray(deliveries.lead, [...selection.leads]),
    selection.open
      ? sql`exists (select 1 from ${leads} where ${leads.token} = ${deliveries.lead} and ${isOpen})`
      : undefined,
  );
  let last = '';
  let count = 0;
  await writeInChunks(database, async (limit) => {
    const next = await database.background
      .selectDistinct({ lead: deliveries.lead })
      .from(deliveries)
      .where(and(isLate, gt(deliveries.lead, last), isSelected))
      .orderBy(deliveries.lead)
      .limit(limit);
    if (!next.length) return 0;
    const tokens = next.map(({ lead }) => lead);
    last = tokens.at(-1)!;
    const belongsToLeads = inArray(deliveries.lead, tokens);
    const [, unaddressed, rescheduled] = await database.writer.batch(
      retryLateMessages(belongsToLeads, time, database),
    );
    count += unaddressed.rowsAffected + rescheduled.rowsAffected;
    return tokens.length;
  });
  return count;
}
