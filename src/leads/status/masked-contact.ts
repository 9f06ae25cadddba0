import { eq } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import { phoneInWords } from '../../fields/kinds/phone.ts';
import type { Context } from '../../operation/context.ts';

const MASK = '•••';

/** Masks an email address so that the owner can still spot a typo: “d•••@example.com”. */
function maskedEmail(email: string): string {
  const atSign = email.lastIndexOf('@');
  const [first = '', ...rest] = email.slice(0, atSign);
  return `${rest.length ? first : ''}${MASK}${email.slice(atSign)}`;
}

/** Masks a phone number except for the last four digits: “(•••) •••-0142”. */
const maskedPhone = (phone: string): string =>
  phoneInWords(phone).replaceAll(/\d(?=.*\d{4}$)/g, '•');

/**
 * Reads a lead's masked email address and phone number, for its receipt page; empty in the sandbox.
 * @throws {DatabaseUnavailable}
 */
export async function readMaskedContact(
  token: string,
  { database }: Pick<Context, 'database'>,
): Promise<string[]> {
  const [contact] = await database.reader
    .select({ email: leads.contactEmail, phone: leads.contactPhone })
    .from(leads)
    .where(eq(leads.token, token));
  return [
    ...(contact?.email ? [maskedEmail(contact.email)] : []),
    ...(contact?.phone ? [maskedPhone(contact.phone)] : []),
  ];
}
