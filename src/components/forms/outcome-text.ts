import { fill } from '../../text/fill.ts';
import { formOutcome as text } from '../../text/index.ts';
import type { FormFault } from '../../site/forms/form-fault.ts';

/**
 * The outcome of a rejected form, as shown to the user: whether the request may have arrived, and
 * what sending it again does. `phone` is the number to call instead.
 */
export function describeOutcome(
  { status, retryAt, detail, errors }: Pick<FormFault, 'status' | 'retryAt' | 'detail' | 'errors'>,
  phone: string,
): string {
  if (status === 429 && retryAt && !errors.length)
    return fill(text.tooMany, { time: retryAt, phone });
  if (status === 409 && !errors.length) return text.stillSending;
  if (status === 422) return text.changed;
  if (status >= 500) return text.unsure;
  return errors.length ? text.notSent : fill(text.notSentBecause, { reason: detail });
}
