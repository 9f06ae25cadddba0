import { offerPrices } from './en/receipt.ts';
import { fill } from './fill.ts';

/** Who reads an offer: the person who pays, or the provider. */
export type OfferReader = keyof typeof offerPrices;

/** Says who pays the price of an offer; `price` is the price in words. */
export const priceWithPayer = (
  { amount }: { amount: string },
  price: string,
  reader: OfferReader,
): string => (Number(amount) === 0 ? price : fill(offerPrices[reader], { price }));
