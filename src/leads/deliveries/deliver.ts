import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { DatabaseUnavailableError } from '../../../db/unavailable.ts';
import { deliveries, deliveryAttempts } from '../../../db/schema-deliveries.ts';
import type { Context } from '../../operation/context.ts';
import { addMilliseconds } from '../../operation/time-arithmetic.ts';
import {
  type AttemptResult,
  type Channel,
  isPermanentRejection,
  type Outcome,
  SEND_TIMEOUT_MS,
} from './channel.ts';
import { describeDeliveryFault } from './delivery-faults.ts';
import { readLeadEvent } from './lead-event.ts';
import { planCallAfterMail } from './rejected-address.ts';
import { HOUR_MS } from '../../site/calendar/durations.ts';

/** Retry policy and limits of one process. */
export interface DeliveryPolicy {
  /** Lease of a delivery, in ms; longer than any attempt takes. */
  leaseMs: number;
  concurrency: number;
  attempts: number;
  /** Returns the pause after the given number of failed attempts, in ms. */
  computePauseMs: (failed: number) => number;
}

/**
 * Exponential backoff with jitter: 5 s, 15 s, 45 s, … up to 6 h; twenty attempts take about three
 * days.
 */
export const deliveryPolicy: DeliveryPolicy = {
  leaseMs: 4 * SEND_TIMEOUT_MS,
  concurrency: 8,
  attempts: 20,
  computePauseMs: (failed) =>
    Math.min(6 * HOUR_MS, 5_000 * 3 ** (failed - 1)) * (0.75 + Math.random() / 2),
};

/** Called after each attempt, for metrics. */
export type OnAttempt = (attempt: { channel: string; outcome: Outcome }) => void;

/**
 * Outcomes after which a delivery is not retried. A delivery without an address is planned again
 * once the lead has one.
 */
const finalOutcomes: ReadonlySet<Outcome> = new Set([
  'sent',
  'erased',
  'outdated',
  'gone',
  'no_address',
]);

/** Outcomes that are intended, so the operator need not know about them. */
const intendedOutcomes: ReadonlySet<Outcome> = new Set(['sent', 'erased', 'outdated']);

type Row = typeof deliveries.$inferSelect;

async function leaseDueDeliveries(
  worker: string,
  names: readonly string[],
  { leaseMs, concurrency }: DeliveryPolicy,
  { database, now }: Context,
): Promise<Row[]> {
  const time = now();
  const iso = time.toISOString();
  const isDue = and(
    lte(deliveries.dueAt, iso),
    inArray(deliveries.channel, [...names]),
    or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, iso)),
    // People read email in the order in which it arrives, so an earlier event that is also due goes
    // first, but does not hold up later events while it waits for its next attempt.
    sql`not (${deliveries.channel} in ('mail', 'person') and exists (select 1 from ${deliveries} as earlier where earlier.lead = ${deliveries.lead} and earlier.event < ${deliveries.event} and earlier.channel = ${deliveries.channel} and earlier.due_at <= ${iso}))`,
  );
  // Check first, to avoid a write if nothing is due.
  const [firstDueDelivery] = await database.reader
    .select({ event: deliveries.event })
    .from(deliveries)
    .where(isDue)
    .limit(1);
  if (!firstDueDelivery) return [];
  const first = database.writer
    .select({ row: sql`rowid` })
    .from(deliveries)
    .where(isDue)
    .orderBy(deliveries.dueAt)
    .limit(concurrency);
  return database.writer
    .update(deliveries)
    .set({ leaseOwner: worker, leaseUntil: addMilliseconds(time, leaseMs) })
    .where(sql`rowid in ${first}`)
    .returning();
}

async function recordOutcome(
  row: Row,
  worker: string,
  result: AttemptResult,
  ms: number,
  { attempts: maxAttempts, computePauseMs }: DeliveryPolicy,
  context: Context,
): Promise<void> {
  const { database, now } = context;
  const { writer } = database;
  const { outcome, response } = result;
  const time = now();
  const attempts = row.attempts + 1;
  const isFinal = finalOutcomes.has(outcome);
  const givenUp = !isFinal && (attempts >= maxAttempts || isPermanentRejection(result));
  const dueAt = isFinal || givenUp ? null : addMilliseconds(time, computePauseMs(attempts));
  const isCanceled = sql`${deliveries.dueAt} is null`;
  const ownsLease = and(
    eq(deliveries.lead, row.lead),
    eq(deliveries.event, row.event),
    eq(deliveries.channel, row.channel),
    eq(deliveries.target, row.target),
    eq(deliveries.leaseOwner, worker),
  );
  await writer.batch([
    writer.insert(deliveryAttempts).values({
      event: row.event,
      channel: row.channel,
      target: row.target,
      at: time.toISOString(),
      ms,
      outcome,
      response,
    }),
    // A delivery that was erased or canceled during the attempt is not retried, and keeps its
    // outcome unless the attempt succeeded.
    writer
      .update(deliveries)
      .set({
        attempts,
        dueAt: sql`iif(${isCanceled}, null, ${dueAt})`,
        ...(outcome === 'sent'
          ? { outcome, sentAt: time.toISOString() }
          : {
              outcome: sql`iif(${isCanceled}, ${deliveries.outcome}, ${givenUp ? 'given_up' : outcome})`,
            }),
        leaseOwner: null,
        leaseUntil: null,
      })
      .where(ownsLease),
    ...(await planCallAfterMail(row, result, context)),
  ]);
}

async function send(row: Row, channel: Channel, context: Context): Promise<AttemptResult> {
  const event = await readLeadEvent(row.event, context);
  const isErased = !event || (!event.change && event.lead.status === 'erased');
  return isErased ? { outcome: 'erased' } : channel.send(event, context, row.target);
}

async function attempt(
  row: Row,
  worker: string,
  channel: Channel,
  policy: DeliveryPolicy,
  context: Context,
  onAttempt: OnAttempt,
): Promise<void> {
  const startedAt = performance.now();
  const result = await send(row, channel, context).catch((error: unknown): AttemptResult => {
    if (error instanceof DatabaseUnavailableError) throw error;
    const { event, channel: name } = row;
    context.log.error({ err: error, event, channel: name }, 'A message could not be created.');
    return { outcome: 'internal_error' };
  });
  const { outcome, rejectedRecipients } = result;
  onAttempt({ channel: row.channel, outcome });
  if (!intendedOutcomes.has(outcome))
    context.log.warn(
      {
        event: row.event,
        channel: row.channel,
        outcome,
        reason: describeDeliveryFault(row.channel, outcome, result.response ?? null),
        attempt: row.attempts + 1,
      },
      'An event was not delivered.',
    );
  if (rejectedRecipients)
    context.log.warn(
      { event: row.event, channel: row.channel, rejectedRecipients },
      'The mail server rejected some of the addresses in LEADS_TO. Test each: npm run leads -- test-mail <address>',
    );
  await recordOutcome(
    row,
    worker,
    result,
    Math.round(performance.now() - startedAt),
    policy,
    context,
  );
}

/**
 * Attempts all due deliveries that no other worker has leased, and returns the number of attempts.
 * Delivery is at least once: if a worker dies before it records the outcome, another worker retries
 * after the lease expires.
 */
export async function deliver(
  worker: string,
  channels: readonly Channel[],
  context: Context,
  policy: DeliveryPolicy = deliveryPolicy,
  onAttempt: OnAttempt = () => undefined,
): Promise<number> {
  const leasedDeliveries = await leaseDueDeliveries(
    worker,
    channels.map(({ name }) => name),
    policy,
    context,
  );
  const results = await Promise.allSettled(
    leasedDeliveries.map((row) =>
      attempt(
        row,
        worker,
        channels.find(({ name }) => name === row.channel)!,
        policy,
        context,
        onAttempt,
      ),
    ),
  );
  const fault = results.find((result) => result.status === 'rejected');
  if (fault) throw fault.reason;
  return leasedDeliveries.length;
}
