import { customerForm, offerPrices } from './en/receipt.ts';
import { fill } from './fill.ts';

/** Who reads an offer: the person who pays, or the provider. */
export type OfferReader = keyof typeof offerPrices;

/** Says who pays the price of an offer; `price` is the price in words. */
export const formatPriceWithPayer = (
  { amount }: { amount: string },
  price: string,
  reader: OfferReader,
): string => (Number(amount) === 0 ? price : fill(offerPrices[reader], { price }));

/**
 * The published terms of an offer. Once it is accepted, they apply as they are unless the provider
 * wrote something; `agreement` is what the provider wrote.
 */
export const describePublishedTerms = (
  terms: string,
  { isAccepted, agreement }: { isAccepted: boolean; agreement: string | undefined },
): string =>
  fill(
    isAccepted && agreement === undefined ? customerForm.agreedTerms : customerForm.publishedTerms,
    { terms },
  );
