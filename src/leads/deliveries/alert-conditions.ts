import { and, asc, desc, gt, lte, sql } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { leads, outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { addMilliseconds } from '../../operation/time-arithmetic.ts';
import { DAY_MS, MINUTE_MS } from '../../site/calendar/durations.ts';
import { describeLateDeliveries, isLateForOperator } from './delivery-faults.ts';

/** A lead that meets a condition, and the time when the condition began. */
type AffectedLead = { lead: string; at: string };

/** A condition that triggers an email to the operator when it starts and when it ends. */
export interface AlertCondition {
  subject: string;
  /**
   * Describes the condition, given a count, such as “1 lead”, and the time of the oldest lead in
   * words.
   */
  describeStart: (count: string, isSingle: boolean, oldestTime: string) => string;
  endText: string;
  /** Commands that help the operator. */
  commands: readonly string[];
  /** Describes the causes, one per line. */
  describeCauses?: (limit: number, context: Context) => Promise<string[]>;
  /** Finds leads that meet the condition, at most `limit` from each table. */
  find: (limit: number, context: Context) => Promise<AffectedLead[]>;
  /** Finds leads that have met the condition since a time (ISO 8601). */
  findSince: (time: string, limit: number, context: Context) => Promise<AffectedLead[]>;
}

const UNDELIVERED_AGE_MS = 15 * MINUTE_MS;
/**
 * How long an unanswered lead still counts as overdue after it expires, although the operator can
 * no longer do anything about it.
 */
const OVERDUE_AFTER_EXPIRY_MS = DAY_MS;

const subtractMilliseconds = ({ now }: Context, ms: number): string => addMilliseconds(now(), -ms);

/** Messages that have been undelivered since before this time (ISO 8601) are part of an alert. */
const computeUndeliveredCutoff = (context: Context): string =>
  subtractMilliseconds(context, UNDELIVERED_AGE_MS);

/**
 * Leads with a message that was requested after `after` (ISO 8601) and has been undelivered long
 * enough for an alert.
 */
async function findUndeliveredLeads(
  after: string,
  limit: number,
  context: Context,
): Promise<AffectedLead[]> {
  const { background } = context.database;
  const since = computeUndeliveredCutoff(context);
  return (
    await background.batch([
      background
        .select({ lead: deliveries.lead, at: deliveries.createdAt })
        .from(deliveries)
        .where(
          and(isLateForOperator, gt(deliveries.createdAt, after), lte(deliveries.createdAt, since)),
        )
        // Tokens sort by time.
        .orderBy(asc(deliveries.lead))
        .limit(limit),
      background
        .select({ lead: outbox.lead, at: sql<string>`${outbox.dueAt}` })
        .from(outbox)
        .where(and(gt(outbox.dueAt, after), lte(outbox.dueAt, since)))
        .orderBy(asc(outbox.lead))
        .limit(limit),
    ])
  ).flat();
}

/** Overdue leads: due after `dueAfter` (ISO 8601), or expired unanswered after `expiredAfter`. */
async function findLeadsOverdueSince(
  { dueAfter, expiredAfter }: Readonly<Record<'dueAfter' | 'expiredAfter', string>>,
  limit: number,
  context: Context,
): Promise<AffectedLead[]> {
  const { background } = context.database;
  const overdueColumns = { lead: sql<string>`${leads.token}`, at: sql<string>`${leads.respondBy}` };
  // Without named indexes, SQLite would read and sort every lead in a state. The conditions contain
  // literal values to match these indexes.
  return (
    await background.batch([
      background
        .select({ ...overdueColumns, at: sql<string>`${leads.dueAt}` })
        .from(sql`${leads} indexed by leads_due`)
        .where(
          and(
            lte(leads.dueAt, subtractMilliseconds(context, 0)),
            gt(leads.dueAt, dueAfter),
            sql`${leads.suspicions} = '[]'`,
          ),
        )
        .orderBy(asc(leads.dueAt))
        .limit(limit),
      background
        .select(overdueColumns)
        .from(sql`${leads} indexed by leads_unanswered`)
        .where(
          and(
            sql`${leads.status} = 'expired' and ${leads.answeredMs} is null and ${leads.suspicions} = '[]'`,
            gt(leads.updatedAt, expiredAfter),
          ),
        )
        .orderBy(desc(leads.updatedAt))
        .limit(limit),
    ])
  ).flat();
}

/** The alert conditions, by the name of their row in the table `alerts`. */
export const alertConditions: Readonly<Record<string, AlertCondition>> = {
  undelivered: {
    subject: 'Messages about leads are not being delivered',
    describeStart: (count, _isSingle, oldestTime) =>
      `Messages about ${count} have been undelivered for 15 minutes or longer, the oldest since ${oldestTime}.`,
    endText:
      'No message has been undelivered for 15 minutes or longer, except email to addresses that the mail server rejects.',
    commands: [
      'List them: npm run leads -- list --undelivered',
      'Try again now: npm run leads -- redeliver --late',
    ],
    describeCauses: (limit, context) =>
      describeLateDeliveries({ until: computeUndeliveredCutoff(context), limit }, context),
    find: (limit, context) => findUndeliveredLeads('', limit, context),
    // Finds messages that were not yet late when the last email was sent.
    findSince: (time, limit, context) =>
      findUndeliveredLeads(addMilliseconds(new Date(time), -UNDELIVERED_AGE_MS), limit, context),
  },
  overdue: {
    subject: 'Leads are overdue',
    describeStart: (count, isSingle, oldestTime) =>
      `${count} ${isSingle ? 'was' : 'were'} not answered within the promised time; the oldest was due ${oldestTime}.`,
    endText: 'No lead is overdue, and none has expired unanswered in the past 24 hours.',
    commands: [
      'List the leads waiting for an answer: npm run leads -- list --waiting',
      'List the expired leads: npm run leads -- list --state expired',
    ],
    find: (limit, context) =>
      findLeadsOverdueSince(
        {
          dueAfter: '',
          expiredAfter: subtractMilliseconds(context, OVERDUE_AFTER_EXPIRY_MS),
        },
        limit,
        context,
      ),
    findSince: (time, limit, context) =>
      findLeadsOverdueSince({ dueAfter: time, expiredAfter: time }, limit, context),
  },
};
