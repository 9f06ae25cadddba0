import type { Item } from '../catalog.ts';
import type { Pricing } from '../subsite.ts';
import { wordsIn } from '../prose.ts';
import { duplicateViolations } from './duplicates.ts';
import type { Rule } from './rule.ts';

/** Words in a unit that do not name a thing. */
const FILLER_WORDS = new Set(['a', 'an', 'and', 'of', 'on', 'or', 'per', 'the']);

/** The words of a price that name what is sold: “kayak” in “kayak, day” for a price by the day. */
const findProductWords = (price: string, unit: string): string[] => {
  const unitWords = wordsIn(unit);
  return wordsIn(price).filter((word) => !unitWords.includes(word) && !FILLER_WORDS.has(word));
};

/** True if, judging by the words of both, a subsite's price is for this item. */
function isPriceOf(price: Pricing, { id, title, price: itemPrice }: Item): boolean {
  if (!itemPrice) return false;
  const words = wordsIn(price.unit);
  const named = findProductWords(price.unit, itemPrice.unit);
  const itemWords = wordsIn(`${id} ${title}`);
  return (
    named.length > 0 &&
    wordsIn(itemPrice.unit).every((word) => words.includes(word)) &&
    named.every((word) => itemWords.includes(word))
  );
}

/** The same thing has the same price wherever it is published. */
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
];
