import type { Context } from '../../operation/context.ts';
import type { LeadRecord } from '../lists/lead-records.ts';
import { countAddressMail } from './address-mail.ts';
import { PERSON_CHANNEL } from './channel.ts';
import { findUnmailedReason } from './person-mail-topic.ts';
import { receivesMail } from './stop-mail.ts';

/** Tells the operator why the person gets no email at all about a lead. */
const reasons = {
  noContact: 'The person left no email address.',
  noEmail: 'The person left no email address.',
  unwanted:
    'The person does not want email about this lead, or one IP address sent too many leads (EMAILED_LEADS_PER_ADDRESS).',
  suspected: 'The lead looks like spam, so the address may be someone else’s.',
  dailyLimit: 'The address has received its daily maximum.',
} as const satisfies Record<NonNullable<ReturnType<typeof findUnmailedReason>>, string>;

/**
 * Tells the operator why no email about a lead is planned for the person; undefined if email is
 * planned. Email that is not sent has no row in `deliveries`, so the reason follows from the lead.
 * @throws {DatabaseUnavailableError}
 */
export async function explainUnmailedPerson(
  { token, channel, email, phone, status, suspicions, deliveries }: LeadRecord,
  context: Context,
): Promise<string | undefined> {
  if (status === 'erased' || deliveries.some((delivery) => delivery.channel === PERSON_CHANNEL))
    return undefined;
  if (channel === 'import') return 'The lead was imported; the person contacted a partner.';
  const notify = await receivesMail(token, context);
  const addressMailCount = await countAddressMail('request', email, context);
  const reason = findUnmailedReason({ email, phone, notify, suspicions, addressMailCount });
  if (reason !== undefined) return reasons[reason];
  if (!context.isPersonMailEnabled) return 'SMTP_URL and MAIL_FROM are not set.';
  return 'The server has not planned it yet, or the address has already received its daily maximum.';
}
