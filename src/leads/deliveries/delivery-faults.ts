import { lte, sql, type SQL } from 'drizzle-orm';
import { deliveries, deliveryAttempts } from '../../../db/schema-deliveries.ts';
import type { Context } from '../../operation/context.ts';
import { combineConditions } from '../../operation/statements.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import {
  CALLBACK_CHANNEL,
  isPermanentRejection,
  type Outcome,
  outcomeTexts,
  PERSON_CHANNEL,
  PUSH_CHANNEL,
} from './channel.ts';
import { ADDRESS_REJECTED_OUTCOME, isLate } from './late-deliveries.ts';

/** Names of the channels, as shown to the operator. */
export const channelLabels: Readonly<Record<string, string>> = {
  mail: 'email to the provider',
  webhook: 'webhook',
  [PERSON_CHANNEL]: 'email to the customer',
  [CALLBACK_CHANNEL]: 'callback to a program',
  [PUSH_CHANNEL]: 'A2A push notification',
};

const MAIL_SERVER_TEXT = 'Check that the mail server in SMTP_URL is running and reachable.';

const mailFixes: Partial<Record<Outcome, string>> = {
  tls: 'Use a mail server with TLS, or add ?tls=optional to SMTP_URL.',
  timeout: MAIL_SERVER_TEXT,
  connection: MAIL_SERVER_TEXT,
  address_rejected: 'This error is often temporary, so the message is retried; check the address.',
  refused:
    'Check MAIL_FROM, and the login in SMTP_URL; npm run leads -- test-mail <address> prints the mail server’s response.',
  failed:
    'This error is often temporary; npm run leads -- test-mail <address> prints the mail server’s response.',
};

/** What to do about an address that the mail server rejects permanently, by channel. */
const rejectedAddressFixes: Readonly<Record<string, string>> = {
  mail: 'This error is permanent, so the message is not retried. Correct notify in the record of the subsite, or LEADS_TO, and then run: npm run leads -- redeliver --late',
  [PERSON_CHANNEL]:
    'This error is permanent, so the message is not retried. Call the customer if they left a phone number. To try once more or to cancel the message, use: npm run leads -- redeliver|settle <lead>',
};

const webhookFixes: Partial<Record<Outcome, string>> = {
  timeout: 'The program at WEBHOOK_URL must respond within 15 seconds.',
  connection: 'The program at WEBHOOK_URL must be running and reachable, with a valid certificate.',
  private_address: 'Use a public address in WEBHOOK_URL, or set ALLOW_PRIVATE_TARGETS=1.',
  too_large: 'The program at WEBHOOK_URL must respond with at most 64 KiB.',
  redirected: 'Set WEBHOOK_URL to the URL to which it redirects.',
  refused:
    'The program at WEBHOOK_URL must accept signatures made with WEBHOOK_SECRET, and respond with a status from 200 to 299.',
  failed:
    'The program at WEBHOOK_URL responded with a status of 500 or above; see its log for the error.',
};

const fixes: Readonly<Record<string, Partial<Record<Outcome, string>>>> = {
  mail: mailFixes,
  [PERSON_CHANNEL]: mailFixes,
  webhook: webhookFixes,
};

/**
 * Why a delivery failed, with the status code of the response, and what to do about it. Contains no
 * address and no secret.
 */
export function describeDeliveryFault(
  channel: string,
  outcome: Outcome,
  response: string | null,
): string {
  const fix =
    outcome === 'no_address'
      ? 'Add notify to the record of the subsite, or set LEADS_TO.'
      : outcome === 'settled'
        ? 'To send the message after all: npm run leads -- redeliver <lead>'
        : isPermanentRejection({ outcome, response: response ?? undefined })
          ? rejectedAddressFixes[channel]
          : fixes[channel]?.[outcome];
  const reason = outcomeTexts[outcome];
  return [
    response === null ? reason : reason.replace(/\.$/, ` (${response}).`),
    ...(fix === undefined ? [] : [fix]),
  ].join(' ');
}

/**
 * SQL for a column of the last attempt at the delivery that the outer statement reads. Column names
 * include their tables, which drizzle omits in a statement with one table; the inner table would
 * then hide the outer one.
 */
const selectOfLastAttempt = (column: 'outcome' | 'response'): SQL<string | null> =>
  sql`(select last.${sql.identifier(column)} from ${deliveryAttempts} as last where last.event = ${deliveries}.event and last.channel = ${deliveries}.channel and last.target = ${deliveries}.target order by last.id desc limit 1)`;

/**
 * SQL for the outcome of the last attempt at the delivery that the outer statement reads, even if
 * retries are exhausted.
 */
export const lastOutcome: SQL<Outcome | null> = sql`iif(${deliveries.outcome} = 'given_up', coalesce(${selectOfLastAttempt('outcome')}, ${deliveries.outcome}), ${deliveries.outcome})`;

/**
 * SQL for the response's status code in the last attempt at the delivery that the outer statement
 * reads.
 */
export const lastResponse: SQL<string | null> = selectOfLastAttempt('response');

/**
 * True for undelivered messages that the operator can do something about; false for email to a
 * customer whose address the mail server rejects, even temporarily, because anyone can send such an
 * address.
 */
export const isLateForOperator: SQL = combineConditions(
  isLate,
  sql`not (${deliveries.channel} = ${PERSON_CHANNEL} and coalesce(${lastOutcome}, '') = ${ADDRESS_REJECTED_OUTCOME})`,
);

/**
 * Why messages to providers and email to customers are late: one line for each channel, reason and
 * status code, most frequent first. Reads at most `limit` deliveries, requested no later than
 * `until` (ISO 8601).
 * @throws {DatabaseUnavailableError}
 */
export async function describeLateDeliveries(
  { until, limit }: { until: string; limit: number },
  { database: { background } }: Pick<Context, 'database'>,
): Promise<string[]> {
  const late = background
    .select({
      channel: deliveries.channel,
      outcome: lastOutcome.as('last_outcome'),
      response: lastResponse.as('last_response'),
    })
    .from(deliveries)
    .where(combineConditions(isLateForOperator, lte(deliveries.createdAt, until)))
    .orderBy(deliveries.lead)
    .limit(limit)
    .as('late');
  const rows = await background
    .select({
      channel: late.channel,
      outcome: late.outcome,
      response: late.response,
      count: sql<number>`count(*)`,
    })
    .from(late)
    .groupBy(sql`1`, sql`2`, sql`3`)
    .orderBy(sql`count(*) desc`);
  return rows.map(
    ({ channel, outcome, response, count }) =>
      `${channelLabels[channel] ?? channel}, ${formatQuantity(count, 'message')}: ${outcome === null ? 'Not tried yet.' : describeDeliveryFault(channel, outcome, response)}`,
  );
}
