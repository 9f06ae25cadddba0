import { listFutureDateFields } from '../../fields/fields.ts';
import type { ReceiptView } from '../../http/views.ts';
import { shortenText } from '../../site/words/shorten-text.ts';
import type { Action } from '../../registry/schemas/action.ts';
import { customerForm as text } from '../../text/index.ts';

/** Maximum length of a quoted message. */
const MAX_QUOTE_CHARACTERS = 280;

/**
 * The action's hint about what to write to the provider, shown until the person has written or the
 * provider has read the request.
 */
export const messageHintOf = (
  { lead: { status, messages } }: Pick<ReceiptView, 'lead'>,
  action: Action | undefined,
): string | undefined =>
  status === 'new' && messages.every(({ from }) => from !== 'person')
    ? action?.messageHint
    : undefined;

/**
 * What a person may want to change or add with a message: booked or held days, details, requested
 * dates, or what they wrote. Undefined if the message answers something.
 */
export function changesOf(
  view: Pick<ReceiptView, 'lead' | 'newMessages' | 'state' | 'days'>,
  action: Action | undefined,
): keyof typeof text.change | undefined {
  const { status, offer, request } = view.lead;
  if (status === 'needs_info' || offer) return undefined;
  if (view.days) return 'confirmedDays';
  if (view.newMessages.length > 0) return undefined;
  if (view.state.held) return 'days';
  if (messageHintOf(view, action) !== undefined) return 'details';
  const dates = listFutureDateFields(action?.fields ?? {});
  return request.fields.some(({ name }) => dates.includes(name)) ? 'dates' : 'text';
}

/** The name of the message form. */
export const messageLabelOf = (changes: ReturnType<typeof changesOf>): string =>
  changes ? text.change[changes] : text.write;

/** The name of the link to the message form. */
export const messageLinkOf = (
  status: ReceiptView['lead']['status'],
  changes: ReturnType<typeof changesOf>,
): string => (status === 'needs_info' ? text.answerQuestion : messageLabelOf(changes));

/** The person's latest message and its time, so that a second message is visibly a new one. */
export function quoteLatestMessage({
  messages,
}: Pick<ReceiptView['lead'], 'messages'>): { at: string; quote: string } | undefined {
  const latest = messages.findLast(({ from, text }) => from === 'person' && text !== undefined);
  if (latest?.text === undefined) return undefined;
  return { at: latest.at, quote: shortenText(latest.text.trim(), MAX_QUOTE_CHARACTERS) };
}
