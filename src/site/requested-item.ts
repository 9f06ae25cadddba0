import type { Action } from '../registry/action.ts';
import { labelOf } from './field-words.ts';
import { itemPrice } from './record-words.ts';
import { itemFieldOf, itemPath, itemsOf, type Registry } from './registry.ts';

/** The item of a catalog that a request is about. */
export interface RequestedItem {
  /** Name of the field that names it. */
  field: string;
  /** What the form calls that field. */
  label: string;
  title: string;
  /** For example “$260” or “$65 per day”; undefined where none is published. */
  price: string | undefined;
  /** Site-relative path of its page; undefined where it has none. */
  path: string | undefined;
}

/**
 * The item that a request names by one of its fields; undefined where it names none that is still
 * in its catalog.
 */
export function requestedItem(
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
  const price = item.price && itemPrice(item.price, catalog.noun);
  return {
    field,
    label: labelOf(field, action?.fields[field] ?? {}),
    title: item.title,
    price: price && [price.amount, price.per].filter(Boolean).join(' '),
    path: itemPath(catalog, item),
  };
}
