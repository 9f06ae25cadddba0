import { type Field, kindOf } from '../../fields/fields.ts';
import { NOT_BEFORE_START } from '../../site/date-rule.ts';
import type { FormFault } from '../form-fault.ts';

/** What stands otherwise in a form than in the body: choices beside the message, and rows in place of a JSON array, with prices in dollars. */
const formWords: readonly (readonly [RegExp, string])[] = [
  [/Choose one of: .*/, 'Choose one of these.'],
  [/^Choose a day on or after \w+\.$/, NOT_BEFORE_START],
  [/^This is not a telephone number in use\..*/, 'This number is not in use. Check its digits.'],
  [
    /needs priceCents, a whole number of cents from 0 to \d+/g,
    'needs a price in dollars with at most two decimals, for example 45 or 12.50',
  ],
  [
    /has a desc that is no text of at most (\d+) characters/g,
    'has a description of more than $1 characters',
  ],
];

/** How a message begins that says what a body must hold: a form says what to do instead. */
const ofBody = /^(?:It is required\.|Write |This is not a day of the calendar)/;

/** A fault’s message for the person at the form; what is left out or is no such value is asked for as the script asks for it. */
export const faultText = (
  { message }: FormFault['errors'][number],
  field: Field | undefined,
): string =>
  field && !(field.content && message.startsWith('Write ')) && ofBody.test(message)
    ? kindOf(field).instruction(field)
    : formWords.reduce((text, [body, form]) => text.replace(body, form), message);

/** What became of a refused form, for the person at it: whether it can have arrived, and what sending it again does. */
export function outcomeText({
  status,
  retryAt,
  detail,
  errors,
}: Pick<FormFault, 'status' | 'retryAt' | 'detail' | 'errors'>): string {
  if (status === 429 && retryAt)
    return `This has not been sent yet. Too many requests were sent or are still open. Send it again after ${retryAt}.`;
  if (status === 409 && !errors.length)
    return 'This is still on its way. Send it again in a moment: it counts once.';
  if (status === 422)
    return 'This has not been sent yet. The same form was sent before with something else in it; send it again to make it a request of its own.';
  if (status >= 500)
    return 'We cannot tell whether this has arrived. Send it again in a moment: it counts once.';
  return errors.length ? 'This has not been sent yet.' : `This has not been sent yet. ${detail}`;
}
