import type { Catalog, Item } from '../registry/catalog.ts';
import { isSoldOrPast } from './registry.ts';

/**
 * Items in display order: articles by date, newest first; others in the order of the record, with
 * sold and past ones at the end.
 */
export const inDisplayOrder = (
  { schemaType }: Pick<Catalog, 'schemaType'>,
  items: readonly Item[],
): readonly Item[] =>
  schemaType === 'Article'
    ? items.toSorted(({ date: a = '' }, { date: b = '' }) => (a < b ? 1 : a > b ? -1 : 0))
    : items.toSorted((one, other) => Number(isSoldOrPast(one)) - Number(isSoldOrPast(other)));
