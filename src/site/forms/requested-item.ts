import type { Action } from '../../registry/schemas/action.ts';
import type { Pricing } from '../../registry/schemas/subsite.ts';
import { labelOf } from '../words/field-words.ts';
import { formatItemPrice, formatPriceLine } from '../words/record-words.ts';
import { withDollarSigns } from '../words/words.ts';
import { itemFieldOf, itemPath, itemsOf, type Registry } from '../registry.ts';

export interface RequestedItem {
  id: string;
  /** Name of the field that contains the item’s ID. */
  field: string;
  label: string;
  title: string;
  /** The price in words, such as “$260” or “$65 per day”; undefined if none is published. */
  price: string | undefined;
  /** The published price if it is for the entire item, not per day or event. */
  total: Pick<Pricing, 'amount' | 'currency'> | undefined;
  /** What the price excludes or depends on, such as “Sales tax is added.” */
  notes: string | undefined;
  /** Site-relative path of the item’s page; undefined if it has none. */
  path: string | undefined;
}

/** Finds the item that a field of a request names; undefined if the catalog does not list it. */
export function findRequestedItem(
  registry: Registry,
  subsite: string,
  action: Action | undefined,
  fields: Readonly<Record<string, unknown>>,
): RequestedItem | undefined {
  const hold = action?.effect?.kind === 'hold' ? action.effect : undefined;
  const field = hold?.itemField ?? (action && itemFieldOf(action));
  const owner = hold?.catalog ?? subsite;
  const catalog = registry.catalogs[owner];
  if (field === undefined || !catalog) return undefined;
  const item = itemsOf(registry, owner).find(({ id }) => id === fields[field]);
  if (!item) return undefined;
  const price = item.price && formatItemPrice(item.price, catalog.noun);
  return {
    id: item.id,
    field,
    label: labelOf(field, action?.fields[field] ?? {}),
    title: item.title,
    price: price && formatPriceLine({ amount: price.amount, unit: price.per }),
    total: price && price.per === undefined && item.price!.amount > 0 ? item.price : undefined,
    notes: item.price?.notes === undefined ? undefined : withDollarSigns(item.price.notes),
    path: itemPath(catalog, item),
  };
}
