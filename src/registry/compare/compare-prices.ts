import { compareProperties, addChange, matchByKey, type Comparison } from './change.ts';
import type { Pricing } from '../schemas/subsite.ts';

const formatAmount = ({ amount, currency }: Pricing): string => `${amount} ${currency}`;

export function comparePrice(
  comparison: Comparison,
  before: Pricing | undefined,
  after: Pricing | undefined,
): void {
  const { unit } = after ?? before ?? { unit: '' };
  if (!before || !after) {
    const [price, verb] = before ? [before, 'removed'] : [after, 'added'];
    if (price)
      addChange(comparison, `the price for “${unit}”, ${formatAmount(price)}, was ${verb}`);
    return;
  }
  if (formatAmount(before) !== formatAmount(after))
    addChange(
      comparison,
      `the price for “${unit}” changed from ${formatAmount(before)} to ${formatAmount(after)}`,
    );
  compareProperties(comparison, before, after, ['amount', 'currency'], `the price for “${unit}”: `);
}

/** Matches prices by unit, and by position if several prices have the same unit. */
export function comparePrices(
  comparison: Comparison,
  before: readonly Pricing[],
  after: readonly Pricing[],
): void {
  const { removed, added, pairs, isReordered } = matchByKey(before, after, ({ unit }) => unit);
  for (const [oldPrice, newPrice] of pairs) comparePrice(comparison, oldPrice, newPrice);
  for (const price of removed) comparePrice(comparison, price, undefined);
  for (const price of added) comparePrice(comparison, undefined, price);
  if (isReordered) addChange(comparison, 'prices: the order changed');
}
