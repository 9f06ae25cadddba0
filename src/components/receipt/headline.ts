import type { ReceiptView } from '../../http/views.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { ServiceOfRequest } from '../../site/service-of-request.ts';
import { fill } from '../../text/fill.ts';
import { receipt, states } from '../../text/index.ts';

const text = receipt.done;

/** The item that a question is about, for titles. */
export const itemSuffixOf = (
  { item }: Pick<ReceiptView, 'item'>,
  action: Action | undefined,
): string => (action?.purpose === 'question' && item ? `: ${item.title}` : '');

/** The outcome of a confirmed request, or of a new request with an immediate effect. */
function describeOutcome(
  { lead, extra, item, state }: Pick<ReceiptView, 'lead' | 'extra' | 'item' | 'state'>,
  action: Action | undefined,
): string | undefined {
  if (state.headlineKey === 'confirmed') {
    if (extra.previewUrl) return extra.isPublished ? text.published : text.publishable;
    const sentence = action?.purpose === 'question' ? text.agreed : text.confirmed;
    return item && fill(sentence, { item: item.title });
  }
  if (lead.status !== 'new' || state.headlineKey === 'subscribed') return undefined;
  if (state.held && item) return fill(text.held, { item: item.title });
  if (extra.previewUrl) return text.storefront;
  return extra.service && fill(text.service, { service: extra.service.title });
}

/** The headline of a receipt. */
export const headlineOf = (
  view: Pick<ReceiptView, 'lead' | 'extra' | 'item' | 'state'>,
  { action, requestNoun }: Pick<ServiceOfRequest, 'action' | 'requestNoun'>,
): string =>
  describeOutcome(view, action) ??
  fill(states[view.state.headlineKey].headline, { request: requestNoun }) +
    itemSuffixOf(view, action);
