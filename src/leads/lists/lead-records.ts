import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { deliveries, deliveryAttempts } from '../../../db/schema-deliveries.ts';
import { leads, outbox } from '../../../db/schema.ts';
import type { Database } from '../../../db/index.ts';
import { eventRevisionOf, FIRST_EVENT_KIND } from '../lead-rows.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { entryOf, type LogEntry, selectEntries } from '../lead-log.ts';
import { isFirstEvent, type ListedLead, summaryColumns } from './list-leads.ts';
import type { Outcome } from '../deliveries/channel.ts';
import { lastOutcome, lastResponse } from '../deliveries/delivery-faults.ts';
import { Problem } from '../../operation/problem.ts';
import { normalizeReference } from '../../operation/tokens.ts';

/** All data about a lead, for its page. */
export interface LeadRecord extends ListedLead {
  /** Reference of the person's earlier lead for the same action. */
  repeatOf: string | null;
  eraseAt: string;
  history: LogEntry[];
  deliveries: Awaited<ReturnType<typeof selectDeliveries>>;
  attempts: Awaited<ReturnType<typeof selectAttempts>>;
}

/**
 * Condition for accessible leads; undefined if all leads are accessible. The plus sign keeps SQLite
 * from reading all leads of a subsite when another condition selects only a few.
 */
export const isAccessible = (access: LeadAccess): SQL | undefined =>
  access === 'all' ? undefined : inArray(sql`+${leads.subsite}`, [...access]);

/**
 * Finds an accessible lead by reference, token, or the ID of any of its events, which appear in the
 * log.
 */
export async function findReceiptTokenAndStatus(
  referenceOrToken: string,
  access: LeadAccess,
  { database }: Pick<Context, 'database'>,
) {
  const [row] = await database.writer
    .select({ token: leads.token, status: leads.status })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .where(
      and(
        or(eq(outbox.id, normalizeReference(referenceOrToken)), eq(outbox.lead, referenceOrToken)),
        isAccessible(access),
      ),
    )
    .limit(1);
  return row;
}

/**
 * Finds the token of an accessible lead by reference or token.
 * @throws {Problem} unknown_receipt
 */
export async function findReceiptToken(
  referenceOrToken: string,
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<string> {
  const found = await findReceiptTokenAndStatus(referenceOrToken, access, context);
  if (!found) throw new Problem('unknown_receipt', 'No lead matches this reference.');
  return found.token;
}

/**
 * Finds the tokens of leads, without duplicates, before any of them is changed.
 * @throws {Problem} unknown_receipt when any lead does not exist; gone when any lead was erased
 */
export async function findReceiptTokens(
  referencesOrTokens: readonly string[],
  context: Pick<Context, 'database'>,
): Promise<string[]> {
  const found = new Set<string>();
  const [unknownReferences, erasedReferences]: [string[], string[]] = [[], []];
  for (const reference of new Set(referencesOrTokens)) {
    const lead = await findReceiptTokenAndStatus(reference, 'all', context);
    if (!lead) unknownReferences.push(reference);
    else if (lead.status === 'erased') erasedReferences.push(reference);
    else found.add(lead.token);
  }
  if (unknownReferences.length)
    throw new Problem(
      'unknown_receipt',
      `No lead matches the reference ${unknownReferences.join(', ')}. Nothing was changed.`,
    );
  if (erasedReferences.length)
    throw new Problem(
      'gone',
      `The lead ${erasedReferences.join(', ')} was already erased. Nothing was changed.`,
    );
  return [...found];
}

const selectDeliveries = (receiptToken: string, writer: Database['writer']) =>
  writer
    .select({
      event: deliveries.event,
      kind: outbox.kind,
      /** Number of history entries as of the event. */
      revision: eventRevisionOf(outbox.payload),
      channel: deliveries.channel,
      attempts: deliveries.attempts,
      outcome: sql<Outcome | null>`${deliveries.outcome}`,
      /** Outcome of the last attempt, even if the delivery failed for good. */
      lastOutcome,
      /** Status code of the response to the last attempt. */
      lastResponse,
      sentAt: deliveries.sentAt,
      dueAt: deliveries.dueAt,
    })
    .from(deliveries)
    .innerJoin(outbox, eq(outbox.id, deliveries.event))
    .where(eq(deliveries.lead, receiptToken))
    .orderBy(asc(deliveries.createdAt), asc(deliveries.channel));

const selectAttempts = (receiptToken: string, writer: Database['writer']) =>
  writer
    .select({
      event: deliveryAttempts.event,
      channel: deliveryAttempts.channel,
      at: deliveryAttempts.at,
      ms: deliveryAttempts.ms,
      outcome: deliveryAttempts.outcome,
      response: deliveryAttempts.response,
    })
    .from(deliveryAttempts)
    .where(
      inArray(
        deliveryAttempts.event,
        writer.select({ id: outbox.id }).from(outbox).where(eq(outbox.lead, receiptToken)),
      ),
    )
    .orderBy(asc(deliveryAttempts.id));

/** Reads all data about an accessible lead. @throws {Problem} unknown_receipt */
export async function readLead(
  referenceOrToken: string,
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<LeadRecord> {
  const { writer } = context.database;
  const earlierEvent = alias(outbox, 'earlier');
  const receiptToken = await findReceiptToken(referenceOrToken, access, context);
  const [[lead], history, sentEvents, attempts] = await writer.batch([
    writer
      .select({
        ...summaryColumns,
        fields: leads.fields,
        data: leads.data,
        repeatOf: earlierEvent.id,
        eraseAt: leads.eraseAt,
      })
      .from(leads)
      .innerJoin(outbox, isFirstEvent)
      .leftJoin(
        earlierEvent,
        and(eq(earlierEvent.lead, leads.repeatOf), eq(earlierEvent.kind, FIRST_EVENT_KIND)),
      )
      .where(eq(leads.token, receiptToken)),
    selectEntries([receiptToken], writer),
    selectDeliveries(receiptToken, writer),
    selectAttempts(receiptToken, writer),
  ]);
  return {
    token: receiptToken,
    ...lead!,
    fields: lead!.fields ?? {},
    history: history.map(entryOf),
    deliveries: sentEvents,
    attempts,
  };
}
