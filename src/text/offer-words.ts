import { formatOfferedPrice } from '../site/words/words.ts';
import { customerForm, offerPrices } from './en/receipt.ts';
import { fill } from './fill.ts';

/** Who reads an offer: the person who pays, or the provider. */
export type OfferReader = keyof typeof offerPrices;

/** The price of an offer in words, and who pays it. */
export function formatPriceWithPayer(
  offer: Parameters<typeof formatOfferedPrice>[0],
  reader: OfferReader,
  salesTaxPercent?: number,
): string {
  const price = formatOfferedPrice(offer, salesTaxPercent);
  return Number(offer.amount) === 0 ? price : fill(offerPrices[reader], { price });
}

/**
 * The published terms of an offer. Once it is accepted, they apply as they are unless the provider
 * wrote something.
 */
export const describePublishedTerms = (
  terms: string,
  { isAccepted, hasWords }: Record<'isAccepted' | 'hasWords', boolean>,
): string =>
  fill(isAccepted && !hasWords ? customerForm.agreedTerms : customerForm.publishedTerms, { terms });
