import type { Catalog, Item } from '../../registry/schemas/catalog.ts';
import { formatMoney, humanizeName } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { items as text } from '../../text/index.ts';

/** A filter that narrows a long list of items. Every filter matches at least two items. */
export interface ItemFilter {
  label: string;
  /** Filters in the same group exclude each other; filters from different groups combine. */
  group: 'status' | 'kind' | 'price';
  includes: (item: Item) => boolean;
}

/** Minimum number of items for a list to have filters. */
const MIN_FILTERED_ITEMS = 16;

/** Number of filters that the stylesheet supports. */
const MAX_FILTERS = 16;

const ROUND_AMOUNTS = [1, 2, 5].flatMap((digit) => [1, 10, 100, 1_000].map((unit) => digit * unit));

/** The nearest round amount. */
const toRoundAmount = (amount: number): number =>
  ROUND_AMOUNTS.toSorted((a, b) => Math.abs(a - amount) - Math.abs(b - amount))[0]!;

/**
 * Price ranges that each include about a third of the items: “up to $50”, “$50 to $100”, “over
 * $100”.
 */
function createPriceFilters(items: readonly Item[]): ItemFilter[] {
  const amounts = items.flatMap(({ price }) => (price ? [price.amount] : [])).sort((a, b) => a - b);
  const currency = items.find(({ price }) => price)?.price?.currency;
  const thirdIndex = Math.floor(amounts.length / 3);
  if (currency === undefined || thirdIndex === 0) return [];
  const [low, high] = [
    toRoundAmount(amounts[thirdIndex]!),
    toRoundAmount(amounts[2 * thirdIndex]!),
  ];
  if (low === high) return [];
  const createPriceRangeFilter =
    (minAmount: number, maxAmount: number) =>
    ({ price }: Item): boolean =>
      price !== undefined && minAmount < price.amount && price.amount <= maxAmount;
  const [from, to] = [formatMoney(low, currency), formatMoney(high, currency)];
  return [
    {
      label: fill(text.upTo, { most: from }),
      group: 'price',
      includes: createPriceRangeFilter(-1, low),
    },
    {
      label: fill(text.between, { from, to }),
      group: 'price',
      includes: createPriceRangeFilter(low, high),
    },
    {
      label: fill(text.over, { least: to }),
      group: 'price',
      includes: createPriceRangeFilter(high, Infinity),
    },
  ];
}

/** The kind of an item is its first tag; the other tags are reasons for listing it. */
const kindOf = ({ tags = [] }: Item): string | undefined => tags[0];

/** True if two items are of the same kind. */
export const isSameKind = (one: Item, other: Item): boolean => kindOf(one) === kindOf(other);

/**
 * The filters for a long list: availability, each kind of item, and three price ranges. If there
 * are too many filters, the last kinds are omitted, because a partial set of price ranges would be
 * useless.
 */
export function createItemFilters({ items }: Catalog): ItemFilter[] {
  if (items.length < MIN_FILTERED_ITEMS) return [];
  const kinds = new Set(items.map(kindOf).filter((kind) => kind !== undefined));
  const isUseful = ({ includes }: ItemFilter) => {
    const count = items.filter(includes).length;
    return count >= 2 && count < items.length;
  };
  const filters: ItemFilter[] = [
    {
      label: text.available,
      group: 'status' as const,
      includes: ({ status = 'available' }: Item) => status === 'available',
    },
    ...[...kinds].map((kind) => ({
      label: humanizeName(kind),
      group: 'kind' as const,
      includes: (item: Item) => kindOf(item) === kind,
    })),
    ...createPriceFilters(items),
  ].filter(isUseful);
  const kindsEnd = filters.findLastIndex(({ group }) => group === 'kind') + 1;
  const surplus = Math.max(0, filters.length - MAX_FILTERS);
  return filters.toSpliced(kindsEnd - surplus, surplus);
}
