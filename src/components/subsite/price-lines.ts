import type { Subsite } from '../../registry/subsite.ts';
import { currencyOf, findNonItemPrices } from '../../site/prices.ts';
import { itemsOf, type Registry } from '../../site/registry.ts';
import { capitalize, formatMoney } from '../../site/words/words.ts';
import { servicePage as text } from '../../text/index.ts';

/** A line of a price table. */
export interface PriceLine {
  name: string;
  amount: string;
  notes?: string | undefined;
}

/**
 * Everything that a subsite charges besides the prices of its listed items: prices, commission and
 * deposits.
 */
export function listPriceLines(subsite: Subsite, registry: Registry): PriceLine[] {
  const { name, commission, actions } = subsite;
  const currency = currencyOf(subsite, registry.subsites) ?? 'USD';
  return [
    ...findNonItemPrices(subsite, itemsOf(registry, name)).map((price) => ({
      name: capitalize(price.unit),
      amount: price.amount === 0 ? text.free : formatMoney(price.amount, price.currency),
      notes: price.notes,
    })),
    ...(commission
      ? [{ name: text.commission, amount: `${commission.percent}%`, notes: commission.notes }]
      : []),
    ...actions.flatMap(({ effect }) =>
      effect?.kind === 'hold' && effect.deposit !== undefined
        ? [{ name: text.deposit, amount: formatMoney(effect.deposit, currency) }]
        : [],
    ),
  ];
}
