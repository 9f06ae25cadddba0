import { shortenText } from '../../site/words/shorten-text.ts';
import type { Site } from '../../site/site.ts';
import { formatPlannedDays, formatPromisedTime, formatTime } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import {
  acceptedOffer,
  confirmationPrice,
  endedOffer as endedWords,
  lapsedOffers,
  providerMail,
  receipt,
  shownTerms as text,
} from '../../text/index.ts';
import {
  describePublishedTerms,
  formatOffer,
  formatOfferedPrice,
  formatPriceWithPayer,
  isChargedPrice,
} from '../../site/words/offer-words.ts';
import type { Registry } from '../../site/registry.ts';
import type { LeadLog } from '../lead-log.ts';
import { findOfferedHold } from '../conversation/conversation.ts';
import {
  findAgreedDays,
  hasAskedForOtherDays,
  listEndingTexts,
  mentionsTime,
} from './agreement.ts';
import { isAboutMissingText } from './lead-warnings.ts';
import type { AppliedPrice } from './receipt.ts';
import type { ShownTerms } from './shown-terms.ts';

/**
 * The price and its notes as text for the person; `hasWords` is true if the provider wrote
 * something about the price.
 */
export const listPriceLines = (
  { terms, publishedTerms, ...price }: AppliedPrice,
  hasWords: boolean,
  salesTaxPercent: number | undefined,
): string[] => [
  `Price: ${formatOfferedPrice(price, 'person', salesTaxPercent)}`,
  ...(terms === undefined ? [] : [terms]),
  ...(publishedTerms === undefined
    ? []
    : [describePublishedTerms(publishedTerms, { isAccepted: true, hasWords })]),
];

/** Terms with labels, for the provider. */
export function describeTerms(
  shown: ShownTerms,
  { registry }: Pick<Site, 'registry'>,
): (readonly [name: string, value: string])[] {
  const { agreement, agreed, open, ended, lapsed, previousAgreement, total, prices, notes } = shown;
  const { publishedTerms } = shown;
  const { deposit, heldUntil, salesTaxPercent, warnings = [], previewUrl } = shown;
  const pairs = [
    [text.written, agreement?.texts.join('\n') || undefined],
    [text.agreed, agreed && formatPriceWithPayer(agreed, 'provider', salesTaxPercent)],
    [text.before, previousAgreement?.prices.provider],
    [text.ended, ended && formatOfferedPrice(ended, 'provider', salesTaxPercent)],
    ...(lapsed ? [[text.lapsed[lapsed.ending], renderLapsedOffer(shown, registry)] as const] : []),
    [text.total, total?.price],
    [text.published, total ? undefined : prices],
    [text.withTax, total?.withTax],
    [text.notes, notes],
    [text.minimumTerm, shown.minimumTerm],
    [text.publishedTerms, agreed || open ? publishedTerms : undefined],
    [text.deposit, deposit],
    [text.heldUntil, heldUntil && formatPromisedTime(heldUntil, registry.network.timeZone)],
    [text.storefront, previewUrl],
    // The provider needs no advice to call its own number or to write to itself.
    ...warnings
      .filter((warning) => warning.code !== 'emergency' && !isAboutMissingText(warning))
      .map(({ message }) => [text.warning, message] as const),
  ] as const;
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** The last offer with the provider's message, if the offer lapsed; undefined otherwise. */
function renderLapsedOffer(
  { lapsed, salesTaxPercent }: ShownTerms,
  { network }: Registry,
): string | undefined {
  if (!lapsed) return undefined;
  const { offer, at, note } = lapsed;
  const sent = fill(text.sentAt, {
    offer: formatOffer(offer, 'provider', salesTaxPercent),
    at: formatTime(at, network.timeZone),
  });
  return [sent, offer.description, note].filter(Boolean).join('\n');
}

/** Tells the provider how its last offer ended; undefined unless it lapsed. */
export const describeLapsedOffer = ({
  lapsed,
  salesTaxPercent,
}: Pick<ShownTerms, 'lapsed' | 'salesTaxPercent'>): string | undefined =>
  lapsed &&
  fill(lapsedOffers[lapsed.ending], {
    offer: formatOffer(lapsed.offer, 'provider', salesTaxPercent),
  });

/** What a confirmed request now covers, for the provider: its days, and the text that applies. */
export function listAgreedFacts(
  log: LeadLog,
  { booking }: Pick<ShownTerms, 'booking'>,
  registry: Registry,
): string[] {
  if (log.status !== 'confirmed') return [];
  const days = findAgreedDays(log, registry);
  return [
    booking ?? (days && formatPlannedDays(days)),
    ...listEndingTexts(log.entries, undefined),
  ].filter((words) => words !== undefined);
}

/**
 * Tells the provider what is booked, and which price applies, before (`confirming`) or after
 * (`confirmed`) a confirmation. Undefined if neither is known.
 */
export function describeConfirmation(
  terms: ShownTerms,
  stage: keyof typeof confirmationPrice,
): string | undefined {
  const { booking, open, salesTaxPercent } = terms;
  const messageText = stage === 'confirming' ? describeUndecidedMessages(terms, stage) : undefined;
  if (open && findOfferedHold(open)) {
    const offer = formatOffer(open, 'provider', salesTaxPercent);
    const offerText = fill(confirmationPrice.confirming.offersOther, { ...acceptedOffer, offer });
    return [messageText, offerText].filter(Boolean).join(' ');
  }
  const price = describePriceConfirmation(terms, stage);
  const bookingText = booking && fill(confirmationPrice[stage].books, { booking });
  const promiseText = stage === 'confirming' ? describePromise(terms) : undefined;
  const closedText =
    stage === 'confirming' && terms.closedDays !== undefined
      ? fill(confirmationPrice.confirming.closed, { days: terms.closedDays })
      : undefined;
  return (
    [closedText, messageText, bookingText, promiseText, price].filter(Boolean).join(' ') ||
    undefined
  );
}

/** Tells the provider what it has confirmed and what it still has to arrange; '' if nothing. */
export const describeSentConfirmation = (terms: ShownTerms): string =>
  [
    describeConfirmation(terms, 'confirmed'),
    terms.unsettledDetail && providerMail[terms.unsettledDetail],
  ]
    .filter(Boolean)
    .join(' ');

/** Maximum length of a quoted message, in characters. */
const MAX_QUOTE_CHARACTERS = 280;

/**
 * Warns the provider of messages that a confirmation leaves unresolved, given the terms before it.
 */
export function describeUndecidedMessages(
  { unanswered }: Pick<ShownTerms, 'unanswered'>,
  stage: keyof typeof confirmationPrice,
): string | undefined {
  if (!unanswered) return undefined;
  const { quote, offerOtherDays, requestOtherDays } = confirmationPrice.confirming;
  const quotes = unanswered.messages.map((message) =>
    fill(quote, {
      message: shortenText(message.replaceAll(/\s+/g, ' ').trim(), MAX_QUOTE_CHARACTERS),
    }),
  );
  return fill(confirmationPrice[stage].unanswered, {
    messages: quotes.join(' '),
    otherDays: unanswered.allowsOtherDays ? offerOtherDays : requestOtherDays,
  });
}

/** Tells the provider what a confirmation promises the customer if nothing is held. */
function describePromise({
  promiseWithoutHold,
  agreement,
  closesQuestion,
  lacksAddress,
  ...terms
}: ShownTerms): string | undefined {
  if (!promiseWithoutHold) return undefined;
  const { days, isVisit } = promiseWithoutHold;
  const { dated, visit, namedVisit, noAddress, nothing, onlyPriced, closes } =
    confirmationPrice.confirming;
  if (closesQuestion) return closes;
  const offer = terms.agreed ?? terms.open ?? terms.ended ?? terms.lapsed;
  const { description = '', texts = [] } = agreement ?? {};
  const time = [description, ...texts].findLast((words) => mentionsTime(words));
  const visitText =
    time === undefined ? visit : fill(namedVisit, { text: time.replaceAll(/\s+/g, ' ') });
  return (
    [
      days && fill(dated, { days: formatPlannedDays(days) }),
      isVisit && visitText,
      lacksAddress && noAddress,
    ]
      .filter(Boolean)
      .join(' ') ||
    (offer || terms.total || terms.item?.price !== undefined
      ? undefined
      : terms.priceIfConfirmed === undefined
        ? nothing
        : onlyPriced)
  );
}

/** Tells the provider which price applies to a confirmation; undefined if no price is known. */
function describePriceConfirmation(
  terms: ShownTerms,
  stage: keyof typeof confirmationPrice,
): string | undefined {
  const { agreed, open, ended, lapsed, priceIfConfirmed: published, salesTaxPercent } = terms;
  const words = confirmationPrice[stage];
  const offer = open ?? ended;
  if (agreed)
    return fill(words.agreed, { price: formatOfferedPrice(agreed, 'provider', salesTaxPercent) });
  const publishedText = published && fill(words.published, { price: published });
  if (lapsed) {
    const { withoutPrice, offerAgain } = confirmationPrice.confirming;
    const price = terms.closesQuestion ? undefined : (publishedText ?? withoutPrice);
    const isForOther = findOfferedHold(lapsed.offer) !== undefined;
    return [price, describeLapsedOffer(terms), !isForOther && offerAgain].filter(Boolean).join(' ');
  }
  if (!offer) return publishedText;
  const values = {
    offer: formatOffer(offer, 'provider', salesTaxPercent),
    box: acceptedOffer.box,
  };
  return published === undefined
    ? fill(words.unpriced, values)
    : fill(words.instead, { ...values, price: published });
}

/**
 * Tells the person what a confirmed request books, and that what they wrote about days did not
 * change it. Undefined without a confirmed hold.
 */
export function describeBooking(
  log: LeadLog,
  { booking }: Pick<ShownTerms, 'booking'>,
): string | undefined {
  if (log.status !== 'confirmed' || booking === undefined) return undefined;
  return [
    fill(confirmationPrice.confirmed.books, { booking }),
    ...(hasAskedForOtherDays(log) ? [receipt.daysUnchanged] : []),
  ].join(' ');
}

/**
 * Tells the person that an offered item is not held and, once the request is confirmed at a price,
 * to call. Undefined if no item is offered, or if the item is held.
 */
export function describeUnheldItem(
  { status }: Pick<LeadLog, 'status'>,
  { unheldItem: item, agreed }: Pick<ShownTerms, 'unheldItem' | 'agreed'>,
  { provider, phone }: { provider: string; phone: string },
): string | undefined {
  if (item === undefined) return undefined;
  return status === 'confirmed' && agreed && isChargedPrice(agreed)
    ? fill(receipt.unheldAgreed, { item, provider, phone })
    : fill(receipt.unheld, { item, provider });
}

/**
 * Tells the person that the provider confirmed without the open offer, and which price applies: the
 * published one, or what the provider wrote with the confirmation.
 */
export function describeEndedOffer(
  { ended, priceIfConfirmed: published, agreement, salesTaxPercent }: ShownTerms,
  provider: string,
): string | undefined {
  if (!ended) return undefined;
  const offer = formatOfferedPrice(ended, 'person', salesTaxPercent);
  const { written, unwritten } = endedWords[published === undefined ? 'unpriced' : 'published'];
  return fill(agreement?.texts.length ? written : unwritten, {
    offer,
    provider,
    price: published ?? '',
  });
}
