import { and, eq } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import type { personMail } from '../../text/index.ts';
import { findStateAfterCustomerAction } from '../conversation/conversation.ts';
import { conversationOf, type LeadLog, type LoggedState } from '../lead-log.ts';
import { selectPersonMailCount } from './person/person-mail-count.ts';
import { findReachedMailLimit } from './person/person-mail-topic.ts';

/** Key of the sentence about a limit on the emails about a lead. */
export type MailLimit = keyof typeof personMail.last;

/** Whether the customer can send a message about a lead. */
export const acceptsReplies = (log: LoggedState, now: Date): boolean =>
  findStateAfterCustomerAction('reply', conversationOf(log), now) !== undefined;

/**
 * The limit that a lead has reached with `mailCount` emails; undefined if the person still gets
 * email about messages.
 */
export const findMailLimit = (
  log: LoggedState,
  mailCount: number,
  now: Date,
): MailLimit | undefined =>
  acceptsReplies(log, now) ? findReachedMailLimit(log.status, mailCount) : undefined;

/**
 * Reads the email limit that a lead has reached, for its receipt page; undefined if the person gets
 * no email.
 * @throws {DatabaseUnavailableError}
 */
export async function readMailLimit(
  log: LeadLog,
  { database, now }: Pick<Context, 'database' | 'now'>,
): Promise<MailLimit | undefined> {
  const [row] = await database.reader
    .select({ mailCount: selectPersonMailCount(leads.token) })
    .from(leads)
    .where(and(eq(leads.token, log.receiptToken), eq(leads.notify, true)));
  return row && findMailLimit(log, row.mailCount, now());
}
