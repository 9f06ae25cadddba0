import { and, eq } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import type { personMail } from '../../text/index.ts';
import { findStateAfterCustomerAction } from '../conversation/conversation.ts';
import { conversationOf, type LeadLog, type LoggedState } from '../lead-log.ts';
import { selectPersonMailCount } from './person-mail-count.ts';
import { findReachedMailLimit } from './person-mail-topic.ts';

/** Key of the sentence about the email limit for a lead. */
export type MailLimit = keyof typeof personMail.last;

/**
 * The limit that a lead has reached with `mailCount` emails; undefined if the person still gets
 * email about messages.
 */
export function findMailLimit(
  log: LoggedState,
  mailCount: number,
  now: Date,
): MailLimit | undefined {
  const acceptsMessages =
    findStateAfterCustomerAction('reply', conversationOf(log), now) !== undefined;
  return acceptsMessages ? findReachedMailLimit(log.status, mailCount) : undefined;
}

/**
 * Reads the email limit that a lead has reached, for its receipt page; undefined if the person gets
 * no email. @throws {DatabaseUnavailableError}
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
