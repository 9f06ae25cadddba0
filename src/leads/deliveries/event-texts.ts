import { isAgreed, isCancellation, isEnded } from '../lead-states.ts';
import type { DayRange } from '../../site/calendar/days.ts';
import type { Offer } from '../conversation/conversation.ts';
import { findRequestedDays } from '../status/agreement.ts';
import { describeConfirmation } from '../status/describe-terms.ts';
import type { ShownTerms } from '../status/shown-terms.ts';
import { actionOf, itemsOf, type Registry } from '../../site/registry.ts';
import { formatOfferedItem, formatPlannedDays } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { agreedUntilEnd, providerMail } from '../../text/index.ts';
import { formatOffer, formatPriceWithPayer } from '../../site/words/offer-words.ts';
import type { LeadEvent, LeadTransition } from './lead-event.ts';
import { describeEventNotification } from './person/person-mail-topic.ts';

const { eventTexts, events } = providerMail;

function describeCustomerChange(
  { from, to }: LeadTransition,
  declinedOffer: Offer | undefined,
  { agreed, salesTaxPercent }: ShownTerms,
  days: DayRange | undefined,
): string {
  if (from === to)
    return to === 'confirmed' && days
      ? `${eventTexts.wrote} ${eventTexts.keepsDays}`
      : eventTexts.wrote;
  if (isAgreed(to)) {
    const offer =
      agreed &&
      [formatOfferedItem(agreed), formatPriceWithPayer(agreed, 'provider', salesTaxPercent)]
        .filter(Boolean)
        .join(', ');
    return [
      to === 'accepted' ? eventTexts.accepted : eventTexts.acceptedAndConfirmed,
      ...(offer === undefined ? [] : [fill(eventTexts.agreed, { offer })]),
    ].join(' ');
  }
  if (!declinedOffer) return eventTexts.replied;
  return fill(eventTexts.offerDeclined, {
    offer: formatOffer(declinedOffer, 'provider', salesTaxPercent),
  });
}

function providerSentenceKeyOf(
  { from, to, kind, offer }: LeadTransition,
  replacedOffer: Offer | undefined,
): keyof typeof eventTexts.byYou {
  if (kind === 'change') return 'changed';
  if (offer) return replacedOffer ? 'replaced' : 'quoted';
  if (isCancellation(from, to)) return 'canceled';
  return from !== to && Object.hasOwn(eventTexts.byYou, to)
    ? (to as keyof typeof eventTexts.byYou)
    : 'sent';
}

function describeErasure(
  { lead, erasedHold }: LeadEvent,
  { from, by }: LeadTransition,
  registry: Registry,
): string {
  const item =
    erasedHold && itemsOf(registry, lead.subsite).find(({ id }) => id === erasedHold.item);
  const booking =
    erasedHold &&
    (formatOfferedItem({ itemTitle: item?.title, ...erasedHold }) ?? formatPlannedDays(erasedHold));
  const { erased, released } = eventTexts;
  const freedText =
    from === 'confirmed'
      ? booking === undefined
        ? released.confirmed
        : fill(released.booking, { booking })
      : booking !== undefined && !isEnded(from) && fill(released.hold, { booking });
  return [
    erased[by === 'provider' ? 'operator' : by],
    by !== 'system' && freedText,
    by !== 'system' && actionOf(registry, lead)?.purpose === 'subscription'
      ? eventTexts.eraseSubscription
      : eventTexts.eraseCopies,
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Tells the reader what the provider's messages had agreed on before an event ended the request; ''
 * if nothing.
 */
export const describeEndedTexts = ({ endedTexts }: Pick<LeadEvent, 'endedTexts'>): string =>
  endedTexts.length
    ? fill(agreedUntilEnd, { text: endedTexts.join(' ').replaceAll(/\s+/g, ' ') })
    : '';

/**
 * The key of the sentence that tells the provider about an answer, which may also close a question.
 */
function answerKeyOf(
  { replacedOffer }: LeadEvent,
  change: LeadTransition,
  { closesQuestion }: ShownTerms,
): keyof typeof eventTexts.byYou {
  const key = providerSentenceKeyOf(change, replacedOffer);
  return key === 'confirmed' && closesQuestion ? 'closed' : key;
}

/**
 * Sums up an event in a few words. Email programs show these words in their list of messages, so
 * the provider sees what happened without opening the email.
 */
export function nameEvent(
  event: LeadEvent,
  change: LeadTransition,
  registry: Registry,
  terms: ShownTerms,
): string {
  const { from, to, by } = change;
  if (to === 'withdrawn')
    return actionOf(registry, event.lead)?.purpose === 'subscription'
      ? events.unsubscribed
      : events.withdrawn[by === 'person' ? 'person' : 'operator'];
  if (to === 'expired' || to === 'erased') return events[to];
  if (by !== 'person')
    return events[by === 'provider' ? 'byYou' : 'forYou'][answerKeyOf(event, change, terms)];
  if (from === to) return events.wrote;
  if (to === 'accepted') return events.accepted;
  if (isAgreed(to)) return events.acceptedAndConfirmed;
  return event.declinedOffer ? events.offerDeclined : events.replied;
}

/** Describes an event in sentences, for the provider. */
export function describeEvent(
  event: LeadEvent,
  change: LeadTransition,
  registry: Registry,
  terms: ShownTerms,
  addressMailCount: number,
): string {
  const { from, to, by } = change;
  const days = findRequestedDays(event.lead, registry);
  if (to === 'withdrawn') {
    if (actionOf(registry, event.lead)?.purpose === 'subscription') return eventTexts.unsubscribed;
    const words = by === 'person' ? eventTexts.withdrawn : eventTexts.withdrawnByOperator;
    const sentence =
      from !== 'confirmed'
        ? words.open
        : days
          ? fill(words.dated, { days: formatPlannedDays(days) })
          : words.confirmed;
    return [sentence, describeEndedTexts(event)].filter(Boolean).join(' ');
  }
  if (to === 'expired') return eventTexts.expired;
  if (to === 'erased') return describeErasure(event, change, registry);
  if (by === 'person') return describeCustomerChange(change, event.declinedOffer, terms, days);
  const { replacedOffer } = event;
  const sentence = answerKeyOf(event, change, terms);
  return [
    fill(by === 'provider' ? eventTexts.byYou[sentence] : eventTexts.forYou[sentence], {
      offer: replacedOffer ? formatOffer(replacedOffer, 'provider', terms.salesTaxPercent) : '',
    }),
    sentence === 'confirmed' && describeConfirmation(terms, 'confirmed'),
    describeEndedTexts(event),
    describeEventNotification({ ...event, change }, addressMailCount).text,
  ]
    .filter(Boolean)
    .join(' ');
}
