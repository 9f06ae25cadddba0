import { quoteLines } from '../../operation/quote-lines.ts';
import { labelBeforeValue } from '../../site/words/field-words.ts';
import { formatOfferedItem } from '../../site/words/words.ts';
import { mailedOffer } from '../../text/index.ts';
import { formatPriceWithPayer, type OfferReader } from '../../site/words/offer-words.ts';
import type { Offer } from '../conversation/conversation.ts';
import type { ShownTerms } from '../status/shown-terms.ts';

/** Collects the lines of a text, skipping missing parts; '' is an empty line. */
export const collectLines = (
  ...parts: readonly (string | readonly string[] | false | undefined)[]
): string[] => parts.flatMap((part) => (part === false || part === undefined ? [] : part));

const renderDescription = ({ description }: Offer): string[] | undefined =>
  description === undefined
    ? undefined
    : [labelBeforeValue(mailedOffer.includes), ...quoteLines(description)];

/**
 * An offer as lines of text; only quoted text starts with a bar. `accepted` describes the effect of
 * accepting the offer, if it has not ended; the terms supply the sales tax and what the offer is
 * for.
 */
export const renderOfferLines = (
  offer: Offer,
  reader: OfferReader,
  formatLocalTime: (time: string) => string,
  accepted: readonly [name: string, what: string] | undefined,
  { salesTaxPercent, offered }: Pick<ShownTerms, 'salesTaxPercent' | 'offered'>,
): string[] => {
  const render = (name: string, value: string) => `${labelBeforeValue(name)} ${value}`;
  const item = formatOfferedItem(offer) ?? offered;
  return collectLines(
    render(mailedOffer.price, formatPriceWithPayer(offer, reader, salesTaxPercent)),
    item && render(mailedOffer.item, item),
    renderDescription(offer),
    render(mailedOffer.openUntil, formatLocalTime(offer.expiresAt)),
    accepted && render(...accepted),
  );
};

/** What an accepted offer includes, as lines; empty if the offer has no description. */
export const renderIncludedLines = (offer: Offer): string[] =>
  collectLines(renderDescription(offer), offer.description !== undefined && '');
