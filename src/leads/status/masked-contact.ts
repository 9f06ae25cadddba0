import { eq } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import { formatPhone } from '../../fields/kinds/phone.ts';
import type { Context } from '../../operation/context.ts';

const MASK = '•••';

/** Masks an email address so that the owner can still spot a typo: “d•••@example.com”. */
function maskEmail(email: string): string {
  const atSign = email.lastIndexOf('@');
  const [first = '', ...rest] = email.slice(0, atSign);
  return `${rest.length ? first : ''}${MASK}${email.slice(atSign)}`;
}

/** Masks a phone number except for the last four digits: “(•••) •••-0142”. */
const maskPhone = (phone: string): string => formatPhone(phone).replaceAll(/\d(?=.*\d{4}$)/g, '•');

/** A lead's contact details for its receipt page. */
export interface MaskedContact {
  email?: string;
  phone?: string;
  /** Whether the service emails the person about the lead. */
  isMailed: boolean;
}

/**
 * Reads a lead's masked email address and phone number, for its receipt page. Returns neither in
 * the sandbox. @throws {DatabaseUnavailableError}
 */
export async function readMaskedContact(
  token: string,
  { database, sendsPersonMail = false }: Pick<Context, 'database' | 'sendsPersonMail'>,
): Promise<MaskedContact> {
  const [lead] = await database.reader
    .select({
      email: leads.contactEmail,
      phone: leads.contactPhone,
      notify: leads.notify,
      suspicions: leads.suspicions,
    })
    .from(leads)
    .where(eq(leads.token, token));
  return {
    ...(lead?.email && { email: maskEmail(lead.email) }),
    ...(lead?.phone && { phone: maskPhone(lead.phone) }),
    isMailed: Boolean(lead?.email && sendsPersonMail && lead.notify && !lead.suspicions.length),
  };
}
