import type { ReceiptView } from '../../http/views.ts';
import { customerForm as text } from '../../text/index.ts';

/**
 * What a person may want to change with a message: booked or held days, or what they wrote.
 * Undefined if the message answers something.
 */
export function changesOf({
  lead: { status, offer },
  newTexts,
  state,
  days,
}: Pick<ReceiptView, 'lead' | 'newTexts' | 'state' | 'days'>):
  keyof typeof text.change | undefined {
  if (status === 'needs_info' || offer || newTexts.length > 0) return undefined;
  if (days) return 'confirmedDays';
  return state.held ? 'days' : 'text';
}

/** The name of the message form, and of the link to it. */
export const messageLabelOf = (changes: ReturnType<typeof changesOf>): string =>
  changes ? text.change[changes] : text.write;
