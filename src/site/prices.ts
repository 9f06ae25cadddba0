import type { Item } from '../registry/catalog.ts';
import type { Pricing, Subsite } from '../registry/subsite.ts';

/**
 * The prices of a subsite as they are published, spec.md "Pricing entry"; undefined where it has
 * none.
 */
export const publishedPrices = ({ pricing }: Subsite): Pricing[] | undefined =>
  pricing?.map(({ extra: _, ...price }) => price);

/**
 * The price that a subsite is known by: the first of its record that is not an extra. `from` says
 * that it is the least of several. Undefined where the subsite publishes no price, or extras alone.
 */
export function headlinePrice({
  pricing = [],
}: Subsite): { price: Pricing; from: boolean } | undefined {
  const whole = pricing.filter(({ extra }) => !extra);
  const [price] = whole;
  const paid = whole.filter(({ amount }) => amount > 0);
  return (
    price && {
      price,
      from:
        price.amount > 0 && paid.length > 1 && paid.every(({ amount }) => amount >= price.amount),
    }
  );
}

/**
 * The currency in which a subsite publishes its prices, or where it has none, another one of the
 * network.
 */
export const currencyOf = (
  subsite: Subsite | undefined,
  others: readonly Subsite[],
): string | undefined =>
  [...(subsite ? [subsite] : []), ...others].find(({ pricing }) => pricing?.length)?.pricing?.[0]
    ?.currency;

const money = ({ amount, currency }: Pricing) => `${amount} ${currency}`;

const isSame = (price: Pricing, { price: own }: Item): boolean =>
  own !== undefined && money(own) === money(price);

/** The prices of a subsite that none of its listed items has: a page says each price once. */
export const pricesBesideItems = (
  { pricing = [] }: Pick<Subsite, 'pricing'>,
  items: readonly Item[],
): Pricing[] => pricing.filter((price) => !items.some((item) => isSame(price, item)));

/**
 * What a listed item’s price includes, or what changes it; the subsite says it where the item does
 * not.
 */
export function priceNote(
  { pricing = [] }: Pick<Subsite, 'pricing'>,
  item: Item,
): string | undefined {
  const same = pricing.filter((price) => isSame(price, item));
  return item.price?.notes ?? (same.length === 1 ? same[0]?.notes : undefined);
}
