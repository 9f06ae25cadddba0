import type { Item } from '../../registry/schemas/catalog.ts';
import type { Pricing, Subsite } from '../../registry/schemas/subsite.ts';
import { CURRENCY } from './currency.ts';

export const publishedPricesOf = ({ pricing }: Subsite): Pricing[] | undefined =>
  pricing?.map(({ extra: _, for: __, ...price }) => price);

/**
 * Finds the featured price of a subsite: the first price in its record that is not an extra.
 * `isLowest` is true if there are others and none is lower. Undefined if the subsite publishes no
 * price, or only extras.
 */
export function findHeadlinePrice({
  pricing = [],
}: Subsite): { price: Pricing; isLowest: boolean } | undefined {
  const standalonePrices = pricing.filter(({ extra }) => !extra);
  const [price] = standalonePrices;
  const nonzeroPrices = standalonePrices.filter(({ amount }) => amount > 0);
  return (
    price && {
      price,
      isLowest:
        price.amount > 0 &&
        nonzeroPrices.length > 1 &&
        nonzeroPrices.every(({ amount }) => amount >= price.amount),
    }
  );
}

/**
 * Whether a service has only monthly prices, so that its offers are also per month: it publishes at
 * least one price, and all except extras and free items are monthly.
 */
export function isPricedByMonth({ pricing = [] }: Pick<Subsite, 'pricing'> = {}): boolean {
  const units = pricing.flatMap(({ unit, amount, extra }) => (amount > 0 && !extra ? [unit] : []));
  return units.length > 0 && units.every((unit) => /^month\b|\bper month$|, month$/.test(unit));
}

/**
 * The currency of a subsite's prices or, if it publishes none, of the first other subsite that
 * does.
 */
export const currencyOf = (
  subsite: Subsite | undefined,
  others: readonly Subsite[],
): string | undefined =>
  [...(subsite ? [subsite] : []), ...others].find(({ pricing }) => pricing?.length)?.pricing?.[0]
    ?.currency;

/** Lists the deposits for holds of a subsite’s items. */
export const listHoldDeposits = ({ actions }: Subsite): { amount: number; currency: string }[] =>
  actions.flatMap(({ effect }) =>
    effect?.kind === 'hold' && effect.deposit !== undefined
      ? [{ amount: effect.deposit, currency: CURRENCY }]
      : [],
  );

/** True if all published prices of a network are in one currency. */
export const hasOneCurrency = ({ subsites }: { subsites: readonly Subsite[] }): boolean =>
  new Set(subsites.flatMap(({ pricing = [] }) => pricing.map(({ currency }) => currency))).size ===
  1;

const formatAmount = ({ amount, currency }: Pricing) => `${amount} ${currency}`;

const isItemPrice = (price: Pricing, { price: itemPrice }: Item): boolean =>
  itemPrice !== undefined && formatAmount(itemPrice) === formatAmount(price);

/** Finds the prices that no listed item has, so that a page shows each price once. */
export const findNonItemPrices = (
  { pricing = [] }: Pick<Subsite, 'pricing'>,
  items: readonly Item[],
): Pricing[] => pricing.filter((price) => !items.some((item) => isItemPrice(price, item)));

/**
 * Finds the note that says what a listed item’s price includes or depends on: the item’s own note
 * or, if it has none, that of the only subsite price with this amount.
 */
export function findPriceNote(
  { pricing = [] }: Pick<Subsite, 'pricing'>,
  item: Item,
): string | undefined {
  const matchingPrices = pricing.filter((price) => isItemPrice(price, item));
  return item.price?.notes ?? (matchingPrices.length === 1 ? matchingPrices[0]?.notes : undefined);
}
