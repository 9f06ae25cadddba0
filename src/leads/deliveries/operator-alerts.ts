import { and, eq, gt } from 'drizzle-orm';
import { alerts } from '../../../db/schema-deliveries.ts';
import type { Context } from '../../operation/context.ts';
import { addMilliseconds } from '../../operation/time-arithmetic.ts';
import { formatTime } from '../../site/words/words.ts';
import { type AlertCondition, alertConditions } from './alert-conditions.ts';
import { isPermanentRejection, SEND_TIMEOUT_MS } from './channel.ts';
import type { OnAttempt } from './deliver.ts';
import type { Sender, SendMail } from './send-mail.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import { DAY_MS, MINUTE_MS } from '../../site/calendar/durations.ts';
import { locale } from '../../language.ts';

export interface OperatorMail {
  send: SendMail;
  from: Sender;
  to: string;
}

/** Pause before the next email about other leads that meet the same condition. */
const REMINDER_PAUSE_MS = DAY_MS;

/**
 * Leads are counted up to this limit, because a larger count takes longer and is no more useful.
 */
const MAX_COUNTED_LEADS = 1_000;

const MAX_RETRY_PAUSE_MS = 15 * MINUTE_MS;

/** Pause after the given number of failed attempts, in ms: 10 s, 30 s, … up to 15 minutes. */
const computePauseMs = (failed: number): number =>
  Math.min(MAX_RETRY_PAUSE_MS, 10_000 * 3 ** Math.min(failed - 1, 9));

/** Name of email to the operator in metrics. */
const ALERT_CHANNEL = 'alert';

type Row = typeof alerts.$inferSelect;

/** True if no other process has changed the row since it was read. */
const isUnchanged = ({ name, event, dueAt }: Row) =>
  and(eq(alerts.name, name), eq(alerts.event, event), eq(alerts.dueAt, dueAt));

/** The latest time at which a retry is due, ISO 8601; only rejected alerts are due later. */
const latestRetryAt = (now: Date): string => addMilliseconds(now, MAX_RETRY_PAUSE_MS);

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
    'While the problem lasts, you will get at most one message a day, about new leads, and one when it has ended.',
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
  onAttempt: OnAttempt,
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
    .where(isUnchanged(row));
  if (!rowsAffected) return;
  const subject = `${condition.subject}: ${site.registry.network.name}`;
  // Each email has its own ID, which is the same in every attempt.
  const suffix = isActive ? row.notifiedAt && Date.parse(row.notifiedAt) : 'ended';
  const result = await send({
    from,
    to,
    subject: row.notifiedAt ? `Re: ${subject}` : isActive ? subject : `Ended: ${subject}`,
    text: await composeAlertText(row, condition, isActive, context),
    id: suffix ? `${row.event}.${suffix}` : row.event,
    ...(row.notifiedAt && { thread: row.event }),
    date: now(),
  });
  const { outcome, rejectedRecipients } = result;
  onAttempt({ channel: ALERT_CHANNEL, outcome });
  const isRejected = isPermanentRejection(result);
  if (rejectedRecipients)
    log.warn(
      { alert: row.name, rejectedRecipients },
      'The mail server rejected some of the addresses in ALERTS_TO. See: npm run leads -- test-mail',
    );
  if (isRejected)
    log.error(
      { alert: row.name, outcome },
      'The mail server permanently rejected every address in ALERTS_TO, so the alert is not retried. Correct ALERTS_TO, restart the server, and test it: npm run leads -- test-mail',
    );
  else if (outcome !== 'sent')
    log.warn(
      { alert: row.name, outcome },
      'An email to ALERTS_TO was not sent and will be retried.',
    );
  if (outcome !== 'sent' && (isActive || !isRejected))
    await writer
      .update(alerts)
      .set({
        attempts: row.attempts + 1,
        dueAt: addMilliseconds(
          now(),
          isRejected ? REMINDER_PAUSE_MS : computePauseMs(row.attempts + 1),
        ),
      })
      .where(isSameAlert);
  else if (isActive) {
    const sentAt = now().toISOString();
    await writer
      .update(alerts)
      .set({ notifiedAt: sentAt, attempts: 0, dueAt: sentAt })
      .where(isSameAlert);
  } else await writer.delete(alerts).where(isSameAlert);
}

/**
 * Makes permanently rejected alerts due again, because ALERTS_TO may have changed since the last
 * start.
 * @throws {DatabaseUnavailableError}
 */
export async function retryRejectedAlerts({ database, now }: Context): Promise<void> {
  await database.writer
    .update(alerts)
    .set({ dueAt: now().toISOString() })
    .where(gt(alerts.dueAt, latestRetryAt(now())));
}

/**
 * Sends the operator one email when a condition starts, one a day about leads that have met it
 * since, and one when it ends, no matter how many processes check it and how often they restart. A
 * failed email is retried; if the condition ends first, one email reports both. An email whose
 * addresses the mail server permanently rejects is not retried; while the condition lasts, there is
 * one attempt a day.
 * @throws {DatabaseUnavailableError}
 */
export async function notifyOperator(
  operator: OperatorMail,
  context: Context,
  onAttempt: OnAttempt = () => undefined,
): Promise<void> {
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
    if (!row) continue;
    // The email was rejected. If the condition returns, a new alert starts.
    if (!isActive && row.dueAt > latestRetryAt(now())) {
      await writer.delete(alerts).where(isUnchanged(row));
      continue;
    }
    if (row.dueAt > time) continue;
    if (isActive && row.notifiedAt !== null) {
      const isRecent = row.notifiedAt > addMilliseconds(now(), -REMINDER_PAUSE_MS);
      const newLeads = isRecent ? [] : await condition.findSince(row.notifiedAt, 1, context);
      if (!newLeads.length) continue;
    }
    if (isActive || row.notifiedAt !== null || row.attempts > 0)
      await notify(row, condition, isActive, operator, context, onAttempt);
    // It ended before an email about it was sent.
    else await writer.delete(alerts).where(isUnchanged(row));
  }
}
