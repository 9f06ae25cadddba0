import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm';
import { alerts, deliveries } from '../../../db/schema-deliveries.ts';
import { leads, outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { addMilliseconds } from '../../operation/time-arithmetic.ts';
import { formatTime } from '../../site/words/words.ts';
import { SEND_TIMEOUT_MS } from './channel.ts';
import type { Sender, SendMail } from './send-mail.ts';
import { describeLateDeliveries, isLateForOperator } from './delivery-faults.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import { DAY_MS, MINUTE_MS } from '../../site/calendar/durations.ts';
import { locale } from '../../language.ts';

export interface OperatorMail {
  send: SendMail;
  from: Sender;
  to: string;
}

/** A lead that meets a condition, and the time when the condition began. */
type AffectedLead = { lead: string; at: string };

/** A condition that triggers an email to the operator when it starts and when it ends. */
interface AlertCondition {
  subject: string;
  /**
   * Describes the condition, given a count such as “1 lead” and, in words, the time of the oldest
   * lead.
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

/** Pause before the next email about other leads that meet the same condition. */
const REMINDER_PAUSE_MS = DAY_MS;

const subtractMilliseconds = ({ now }: Context, ms: number): string => addMilliseconds(now(), -ms);

/** Messages that have been undelivered since this time, ISO 8601, are part of an alert. */
const computeUndeliveredCutoff = (context: Context): string =>
  subtractMilliseconds(context, UNDELIVERED_AGE_MS);

/** Leads with a message that has been undelivered long enough, requested after `after`, ISO 8601. */
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

const alertConditions: Readonly<Record<string, AlertCondition>> = {
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
    // Messages that were not late when the last email was sent.
    findSince: (time, limit, context) =>
      findUndeliveredLeads(addMilliseconds(new Date(time), -UNDELIVERED_AGE_MS), limit, context),
  },
  overdue: {
    subject: 'Leads are overdue',
    describeStart: (count, isSingle, oldestTime) =>
      `${count} ${isSingle ? 'was' : 'were'} not answered within the promised time; the oldest was due ${oldestTime}.`,
    endText: 'No lead is overdue, and none has expired unanswered in the past 24 hours.',
    commands: [
      'List the expired leads: npm run leads -- list --state expired',
      'List the leads that wait for an answer: npm run leads -- list --waiting',
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

/**
 * Leads are counted up to this limit, because a larger count takes longer and is no more useful.
 */
const MAX_COUNTED_LEADS = 1_000;

/** Pause after the given number of failed attempts, in ms: 10 s, 30 s, … up to 15 minutes. */
const computePauseMs = (failed: number): number =>
  Math.min(15 * MINUTE_MS, 10_000 * 3 ** Math.min(failed - 1, 9));

type Row = typeof alerts.$inferSelect;

/** Text of the email about the start or the end of a condition. It contains no data about leads. */
async function composeAlertText(
  { beganAt, notifiedAt }: Row,
  { describeStart, endText, describeCauses, commands, find }: AlertCondition,
  isActive: boolean,
  context: Context,
): Promise<string> {
  const { base, registry } = context.site;
  const formatLocalTime = (time: string) => formatTime(time, registry.network.timeZone);
  if (!isActive)
    return notifiedAt === null
      ? `${endText} The problem began ${formatLocalTime(beganAt)}. The email about it may not have reached you.\n`
      : `${endText} The previous message, sent ${formatLocalTime(notifiedAt)}, reported the problem.\n`;
  const affectedLeads = await find(MAX_COUNTED_LEADS + 1, context);
  const { size } = new Set(affectedLeads.map(({ lead }) => lead));
  const [oldestTime = beganAt] = affectedLeads.map(({ at }) => at).sort();
  const count =
    size > MAX_COUNTED_LEADS
      ? `More than ${MAX_COUNTED_LEADS.toLocaleString(locale)} leads`
      : formatQuantity(Math.max(1, size), 'lead');
  return [
    describeStart(count, size <= 1, formatLocalTime(oldestTime)),
    ...((await describeCauses?.(MAX_COUNTED_LEADS, context)) ?? []),
    '',
    ...commands,
    `Inbox: ${base}/inbox`,
    '',
    'While it lasts, you will get at most one message a day, about new leads, and one when the problem has ended.',
    '',
  ].join('\n');
}

/** Attempts to send an email under a lease, and records the result. */
async function notify(
  row: Row,
  condition: AlertCondition,
  isActive: boolean,
  { send, from, to }: OperatorMail,
  context: Context,
): Promise<void> {
  const {
    database: { writer },
    log,
    now,
    site,
  } = context;
  const isSameAlert = and(eq(alerts.name, row.name), eq(alerts.event, row.event));
  const { rowsAffected } = await writer
    .update(alerts)
    .set({ dueAt: addMilliseconds(now(), 4 * SEND_TIMEOUT_MS) })
    .where(and(isSameAlert, eq(alerts.dueAt, row.dueAt)));
  if (!rowsAffected) return;
  const subject = `${condition.subject}: ${site.registry.network.name}`;
  // Each email has its own ID, which is the same in every attempt.
  const suffix = isActive ? row.notifiedAt && Date.parse(row.notifiedAt) : 'ended';
  const { outcome } = await send({
    from,
    to,
    subject: row.notifiedAt ? `Re: ${subject}` : isActive ? subject : `Ended: ${subject}`,
    text: await composeAlertText(row, condition, isActive, context),
    id: suffix ? `${row.event}.${suffix}` : row.event,
    ...(row.notifiedAt && { thread: row.event }),
    date: now(),
  });
  if (outcome !== 'sent') {
    log.warn(
      { alert: row.name, outcome },
      'An email to ALERTS_TO was not sent and will be retried.',
    );
    await writer
      .update(alerts)
      .set({
        attempts: row.attempts + 1,
        dueAt: addMilliseconds(now(), computePauseMs(row.attempts + 1)),
      })
      .where(isSameAlert);
  } else if (isActive) {
    const sentAt = now().toISOString();
    await writer
      .update(alerts)
      .set({ notifiedAt: sentAt, attempts: 0, dueAt: sentAt })
      .where(isSameAlert);
  } else await writer.delete(alerts).where(isSameAlert);
}

/**
 * Sends the operator one email when a condition starts, one a day about leads that have met it
 * since, and one when it ends, no matter how many processes check it and how often they restart. A
 * failed email is retried; if the condition ends first, one email reports both.
 * @throws {DatabaseUnavailableError}
 */
export async function notifyOperator(operator: OperatorMail, context: Context): Promise<void> {
  const {
    database: { reader, writer },
    now,
    tokens,
  } = context;
  for (const [name, condition] of Object.entries(alertConditions)) {
    const isActive = (await condition.find(1, context)).length > 0;
    const time = now().toISOString();
    const stored = reader.select().from(alerts).where(eq(alerts.name, name));
    let [row] = await stored;
    if (!row && isActive) {
      await writer
        .insert(alerts)
        .values({ name, event: tokens.event(now()), beganAt: time, dueAt: time })
        .onConflictDoNothing();
      [row] = await stored;
    }
    if (!row || row.dueAt > time) continue;
    if (isActive && row.notifiedAt !== null) {
      const isRecent = row.notifiedAt > subtractMilliseconds(context, REMINDER_PAUSE_MS);
      const newLeads = isRecent ? [] : await condition.findSince(row.notifiedAt, 1, context);
      if (!newLeads.length) continue;
    }
    if (isActive || row.notifiedAt !== null || row.attempts > 0)
      await notify(row, condition, isActive, operator, context);
    // It ended before an email about it was sent.
    else
      await writer
        .delete(alerts)
        .where(and(eq(alerts.event, row.event), eq(alerts.dueAt, row.dueAt)));
  }
}
