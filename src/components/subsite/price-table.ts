import type { Subsite } from '../../registry/schemas/subsite.ts';
import { findNonItemPrices, listHoldDeposits } from '../../site/prices/prices.ts';
import { itemsOf, type Registry } from '../../site/registry.ts';
import { capitalize, formatMoney } from '../../site/words/words.ts';
import { servicePage as text } from '../../text/index.ts';

/** A line of a price table. */
interface PriceLine {
  name: string;
  amount: string;
  notes?: string | undefined;
}

export interface PriceTable {
  title: string;
  /** True if the main prices are those of the listed items. */
  isAddition: boolean;
  lines: readonly PriceLine[];
}

/**
 * Everything that a subsite charges in addition to the prices of its listed items: other prices,
 * commission and deposits. Undefined if there is nothing.
 */
export function createPriceTable(subsite: Subsite, registry: Registry): PriceTable | undefined {
  const { name, commission, pricing = [] } = subsite;
  const prices = findNonItemPrices(subsite, itemsOf(registry, name));
  const lines = [
    ...prices.map((price) => ({
      name: capitalize(price.unit),
      amount: price.amount === 0 ? text.free : formatMoney(price.amount, price.currency),
      notes: price.notes,
    })),
    ...(commission
      ? [{ name: text.commission, amount: `${commission.percent}%`, notes: commission.notes }]
      : []),
    ...listHoldDeposits(subsite).map(({ amount, currency }) => ({
      name: text.deposit,
      amount: formatMoney(amount, currency),
    })),
  ];
  if (!lines.length) return undefined;
  const isAddition = prices.length < pricing.length;
  return { title: isAddition ? text.otherPrices : text.prices, isAddition, lines };
}
