import { eq } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import { formatPhone } from '../../fields/kinds/phone.ts';
import type { Context } from '../../operation/context.ts';
import { countAddressMail } from '../deliveries/person/address-mail.ts';
import { selectAddressRejection } from '../deliveries/person/person-mail-count.ts';
import { findNoEmailReason } from '../deliveries/person/person-mail-topic.ts';

const MASK = '•••';

/** Masks an email address so that the owner can still spot a typo: “d•••@example.com”. */
function maskEmail(email: string): string {
  const atSign = email.lastIndexOf('@');
  const [first = '', ...rest] = email.slice(0, atSign);
  return `${rest.length ? first : ''}${MASK}${email.slice(atSign)}`;
}

/** Masks a phone number except for the last four digits: “(•••) •••-0142”. */
const maskPhone = (phone: string): string => formatPhone(phone).replaceAll(/\d(?=.*\d{4}$)/g, '•');

export interface MaskedContact {
  email?: string;
  phone?: string;
  /**
   * When the person gets email about the lead: now, never, not until tomorrow, or not while the
   * mail server rejects their address.
   */
  mail: 'mailed' | 'unmailed' | 'dailyLimit' | 'rejected';
}

/**
 * Reads a lead's masked email address and phone number, for its receipt page. Returns neither in
 * the sandbox.
 */
export async function readMaskedContact(
  receiptToken: string,
  context: Context,
): Promise<MaskedContact> {
  const [lead] = await context.database.reader
    .select({
      email: leads.contactEmail,
      phone: leads.contactPhone,
      notify: leads.notify,
      suspicions: leads.suspicions,
      isAddressRejected: selectAddressRejection(leads.token),
    })
    .from(leads)
    .where(eq(leads.token, receiptToken));
  const { email = null, phone = null } = lead ?? {};
  const reason = findNoEmailReason({
    email,
    phone,
    notify: lead?.notify ?? false,
    suspicions: lead?.suspicions ?? [],
    addressMailCount: await countAddressMail('answer', email, context),
  });
  const isMailed = context.isCustomerEmailEnabled && reason === undefined;
  const plannedMail = isMailed ? 'mailed' : reason === 'dailyLimit' ? reason : 'unmailed';
  return {
    ...(email !== null && { email: maskEmail(email) }),
    ...(phone !== null && { phone: maskPhone(phone) }),
    mail: plannedMail !== 'unmailed' && lead?.isAddressRejected ? 'rejected' : plannedMail,
  };
}
