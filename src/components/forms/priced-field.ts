import type { Field } from '../../fields/fields.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { Item } from '../../registry/schemas/catalog.ts';
import { humanizeOption } from '../../site/words/field-words.ts';
import { formatItemPriceLine } from '../../site/words/record-words.ts';

/**
 * Adds prices to the options of the field that selects a hold's item; leaves any other field
 * unchanged.
 */
export function withOptionPrices(
  { effect }: Action,
  name: string,
  field: Field,
  items: readonly Item[],
): Field {
  if (effect?.kind !== 'hold' || effect.itemField !== name || !field.enum) return field;
  const labels = field.enum.map((value) => {
    const price = items.find(({ id }) => id === value)?.price;
    const label = field.options?.[value] ?? humanizeOption(value);
    return [value, price ? `${label}, ${formatItemPriceLine(price, 'item')}` : label] as const;
  });
  return { ...field, options: Object.fromEntries(labels) };
}
