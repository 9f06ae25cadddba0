import type { Warning } from '../status/lead-warnings.ts';
import type { Action } from '../../registry/schemas/action.ts';
import { listContactFieldNames } from '../../site/forms/contact-rule.ts';
import { CHECKED_EMAIL_INPUT } from '../../site/forms/form-inputs.ts';
import type { Context } from '../../operation/context.ts';
import type { Call } from '../../operation/operation.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import type { InputFault } from '../../operation/problem.ts';
import { fill } from '../../text/fill.ts';
import { contact as text } from '../../text/index.ts';
import type { LeadInput } from './lead-input.ts';
import { findMistypedDomain, type MistypedDomain } from './mistyped-domain.ts';

/** An email address, and its location in the caller's body. */
interface SentEmail {
  address: string;
  pointer: string;
}

function listEmails(
  { contact, fields }: Pick<LeadInput, 'contact' | 'fields'>,
  action: Action | undefined,
  fieldsPath: readonly string[],
): SentEmail[] {
  // A body with `data` has the address at the top level.
  const contactPath = fieldsPath[0] === 'data' ? ['email'] : ['contact', 'email'];
  const addresses = [
    [formatPointer(...contactPath), contact.email] as const,
    ...(action ? listContactFieldNames(action, ['email']) : []).map(
      (name) => [formatPointer(...fieldsPath, name), fields[name]] as const,
    ),
  ];
  return addresses.flatMap(([pointer, address]) =>
    typeof address === 'string' ? [{ address, pointer }] : [],
  );
}

const findMistypedEmails = (
  ...lead: Parameters<typeof listEmails>
): (SentEmail & MistypedDomain)[] =>
  listEmails(...lead).flatMap((email) => {
    const found = findMistypedDomain(email.address);
    return found ? [{ ...found, ...email }] : [];
  });

/**
 * Errors for the address that the service sends from, because email to it would come back to the
 * service.
 */
export const findSenderFaults = (
  input: Pick<LeadInput, 'contact' | 'fields'>,
  action: Action | undefined,
  { senderAddress }: Pick<Context, 'senderAddress'>,
  fieldsPath: readonly string[],
): InputFault[] =>
  senderAddress === undefined
    ? []
    : listEmails(input, action, fieldsPath)
        .filter(({ address }) => address.toLowerCase() === senderAddress.toLowerCase())
        .map(({ pointer }) => ({ pointer, message: text.sender, instruction: text.sender }));

/**
 * Asks the sender of a form to check an email address with a mistyped domain. The same address is
 * accepted when the form is sent again.
 */
export const findEmailFaults = (
  input: Pick<LeadInput, 'contact' | 'fields'>,
  action: Action | undefined,
  { channel, checkedEmails = [] }: Pick<Call, 'channel' | 'checkedEmails'>,
  fieldsPath: readonly string[],
): InputFault[] =>
  channel === 'form'
    ? findMistypedEmails(input, action, fieldsPath)
        .filter(({ address }) => !checkedEmails.includes(address))
        .map(({ address, domain, intendedDomain, pointer }) => ({
          pointer,
          kind: 'mistyped',
          message: `The domain of the email address looks mistyped; you probably meant ${intendedDomain}. Correct the address, or send the form again with it in ${CHECKED_EMAIL_INPUT} if it is right.`,
          instruction: fill(text.mistyped, {
            address: `${address.slice(0, -domain.length)}${intendedDomain}`,
          }),
        }))
    : [];

/** Tells a program which email domains look mistyped, for the notice on the receipt. */
export const createEmailAdvice = (
  input: Pick<LeadInput, 'contact' | 'fields' | 'sandbox'>,
  action: Action | undefined,
  { channel }: Pick<Call, 'channel'>,
): Warning[] =>
  channel === 'form'
    ? []
    : findMistypedEmails(input, action, []).map(({ domain, intendedDomain }) => ({
        code: 'mistyped_email',
        message: [
          `The email domain ${domain} looks mistyped; you probably meant ${intendedDomain}.`,
          input.sandbox
            ? 'If so, correct the address.'
            : 'If so, erase this request (DELETE statusUrl) and submit it again with the correct address and a new idempotency key.',
        ].join(' '),
      }));
