import { computeTax } from '../prices/sales-tax.ts';
import { formatMoney, formatOfferedItem } from './words.ts';
import { customerForm, offerPrices, paidPrices, priceParts, shownTerms } from '../../text/index.ts';
import { fill } from '../../text/fill.ts';

/** Who reads an offer: the person who sent the request, or the provider. */
export type OfferReader = keyof typeof offerPrices.person;

/** A price, which the customer pays unless the provider is the payer. */
interface OfferedPrice {
  readonly amount: string;
  readonly currency: string;
  readonly payer?: 'provider' | undefined;
  /** Present if the amount is due every month. */
  readonly per?: 'month' | undefined;
  /** The refundable deposit in addition to the price, a decimal number. */
  readonly deposit?: string | undefined;
}

/** Whether the customer pays a price: the service is neither free of charge nor paid for by the
 * provider. */
export const isChargedPrice = ({ amount, payer }: Omit<OfferedPrice, 'currency'>): boolean =>
  Number(amount) !== 0 && payer !== 'provider';

/**
 * Formats an offer’s price with its deposit: “$450”, “$29 a month”, “$450 plus $31.50 sales tax =
 * $481.50” or “free of charge”. Sales tax is added only to what the customer pays.
 */
function formatAmount(offer: OfferedPrice, salesTaxPercent: number | undefined): string {
  const price = Number(offer.amount);
  if (price === 0) return priceParts.free;
  const format = (amount: number): string => formatMoney(amount, offer.currency);
  const { tax, total } = isChargedPrice(offer) ? computeTax(offer.amount, salesTaxPercent) : {};
  const priceWithTax =
    tax === undefined
      ? format(price)
      : fill(priceParts.withTax, {
          price: format(price),
          tax: format(Number(tax)),
          total: format(Number(total)),
        });
  const periodPrice = offer.per ? fill(priceParts.monthly, { price: priceWithTax }) : priceWithTax;
  return offer.deposit === undefined
    ? periodPrice
    : fill(priceParts.withDeposit, {
        price: periodPrice,
        deposit: format(Number(offer.deposit)),
      });
}

/** Formats a published price, followed by the total with sales tax, if any. */
export const formatTotalWithTax = (price: string, withTax: string | undefined): string =>
  withTax === undefined ? price : fill(shownTerms.totalWithTax, { price, total: withTax });

/** Formats an offer’s price as a noun: “$450”, or “$450, paid to you” if the provider pays. */
export function formatOfferedPrice(
  offer: OfferedPrice,
  reader: OfferReader,
  salesTaxPercent?: number,
): string {
  const price = formatAmount(offer, salesTaxPercent);
  return offer.payer === 'provider' ? fill(paidPrices[reader], { price }) : price;
}

/** Formats the item and days of an offer, and its price. */
export const formatOffer = (
  offer: Parameters<typeof formatOfferedItem>[0] & OfferedPrice,
  reader: OfferReader,
  salesTaxPercent?: number,
): string =>
  [formatOfferedItem(offer), formatOfferedPrice(offer, reader, salesTaxPercent)]
    .filter(Boolean)
    .join(', ');

/** Describes the price of an offer and who pays it. */
export function formatPriceWithPayer(
  offer: OfferedPrice,
  reader: OfferReader,
  salesTaxPercent?: number,
): string {
  const price = formatAmount(offer, salesTaxPercent);
  return Number(offer.amount) === 0
    ? price
    : fill(offerPrices[offer.payer ?? 'person'][reader], { price });
}

/**
 * Describes the published terms of an offer. Once the offer is accepted, they apply as published
 * unless the provider wrote something else, which then takes precedence.
 */
export const describePublishedTerms = (
  terms: string,
  { isAccepted, hasWords }: Record<'isAccepted' | 'hasWords', boolean>,
): string =>
  fill(
    isAccepted
      ? hasWords
        ? customerForm.agreedTermsAfterWords
        : customerForm.agreedTerms
      : customerForm.publishedTerms,
    { terms },
  );
