import type { Item } from '../schemas/catalog.ts';
import type { Pricing } from '../schemas/subsite.ts';
import { wordsIn } from '../prose.ts';
import { duplicateViolations } from './duplicates.ts';
import type { Rule } from './rule.ts';

/** Words in a unit that do not identify a product. */
const FILLER_WORDS = new Set(['a', 'an', 'and', 'of', 'on', 'or', 'per', 'the']);

/**
 * Finds the words of a price that say what is sold: “kayak” in “kayak, day” if the unit is “day”.
 */
const findProductWords = (price: string, unit: string): string[] => {
  const unitWords = wordsIn(unit);
  return wordsIn(price).filter((word) => !unitWords.includes(word) && !FILLER_WORDS.has(word));
};

/**
 * True if all words of a subsite's price, except those of the unit, occur in the item's ID or
 * title.
 */
function namesItem(price: Pricing, unit: string, { id, title }: Item): boolean {
  const named = findProductWords(price.unit, unit);
  const itemWords = wordsIn(`${id} ${title}`);
  return named.length > 0 && named.every((word) => itemWords.includes(word));
}

/** True if the words of a subsite's price suggest that it is the price of this item. */
function isPriceOf(price: Pricing, item: Item): boolean {
  if (!item.price) return false;
  const words = wordsIn(price.unit);
  return (
    wordsIn(item.price.unit).every((word) => words.includes(word)) &&
    namesItem(price, item.price.unit, item)
  );
}

const PERIODS = ['hour', 'day', 'night', 'weekend', 'week', 'month', 'year'];
const periodOf = (unit: string) => wordsIn(unit).find((word) => PERIODS.includes(word));

/** Returns the periods of a subsite's price and an item's price if only the periods differ. */
function findPeriods(price: Pricing, item: Item): { period: string; other: string } | undefined {
  const period = periodOf(price.unit);
  const other = item.price && periodOf(item.price.unit);
  return period &&
    other &&
    period !== other &&
    item.price?.amount === price.amount &&
    namesItem(price, period, item)
    ? { period, other }
    : undefined;
}

/** Rules that give everything the same price wherever it is published. */
export const priceRules: Rule[] = [
  {
    name: 'unique-price',
    description: 'A subsite has one price per unit.',
    *check({ subsites }) {
      for (const { name, pricing = [] } of subsites)
        yield* duplicateViolations(
          pricing.map(({ unit }, index) => ({
            record: `subsites/${name}`,
            path: ['pricing', index, 'unit'],
            value: unit,
            index,
          })),
          (first) =>
            `is also the unit of pricing[${first.index}]. Keep one of the two, or explain in both what the price covers.`,
        );
    },
  },
  {
    name: 'item-price',
    description: 'An item costs the same in the catalog and in the prices of its subsite.',
    *check({ subsites, catalogs }) {
      for (const { name, pricing = [] } of subsites)
        for (const [index, price] of pricing.entries()) {
          const items = catalogs[name]?.items.filter((item) => isPriceOf(price, item)) ?? [];
          const [item] = items;
          if (items.length === 1 && item?.price && item.price.amount !== price.amount)
            yield {
              record: `subsites/${name}`,
              path: ['pricing', index, 'amount'],
              problem: `is ${price.amount}, but catalog/${name} has ${item.price.amount} for ${item.id}. Use the same amount in both.`,
            };
        }
    },
  },
  {
    name: 'item-period',
    description:
      'The same amount for an item is always for the same period, such as an hour or a day.',
    *check({ subsites, catalogs }) {
      for (const { name, pricing = [] } of subsites)
        for (const [index, price] of pricing.entries())
          for (const item of catalogs[name]?.items ?? []) {
            const periods = findPeriods(price, item);
            if (periods)
              yield {
                record: `subsites/${name}`,
                path: ['pricing', index, 'unit'],
                problem: `is for one ${periods.period}, but catalog/${name} has the same amount for one ${periods.other} of ${item.id}. Use the same unit in both.`,
              };
          }
    },
  },
];
