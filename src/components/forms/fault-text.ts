import { type Field, kindOf } from '../../fields/fields.ts';
import { NOT_BEFORE_START } from '../../site/date-rule.ts';
import { fill } from '../../text/fill.ts';
import { formFaults, formOutcome as text } from '../../text/index.ts';
import type { FormFault } from '../form-fault.ts';

/** What stands otherwise in a form than in the body: choices beside the message, and rows in place of a JSON array, with prices in dollars. */
const formWords: readonly (readonly [RegExp, string])[] = [
  [/Choose one of: .*/, formFaults.choose],
  [/^Choose a day on or after \w+\.$/, NOT_BEFORE_START],
  [/^This is not a telephone number in use\..*/, formFaults.numberNotInUse],
  [/needs priceCents, a whole number of cents from 0 to \d+/g, formFaults.price],
  [/has a desc that is no text of at most (\d+) characters/g, formFaults.description],
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
  if (status === 429 && retryAt) return fill(text.tooMany, { time: retryAt });
  if (status === 409 && !errors.length) return text.onItsWay;
  if (status === 422) return text.changed;
  if (status >= 500) return text.unsure;
  return errors.length ? text.notSent : fill(text.notSentBecause, { reason: detail });
}
