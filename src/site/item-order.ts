import type { Catalog, Item } from '../registry/catalog.ts';

/**
 * Items in display order: articles by date, newest first, anything else in the order of the record.
 */
export const inOrder = (
  { schemaType }: Pick<Catalog, 'schemaType'>,
  items: readonly Item[],
): readonly Item[] =>
  schemaType === 'Article'
    ? items.toSorted(({ date: a = '' }, { date: b = '' }) => (a < b ? 1 : a > b ? -1 : 0))
    : items;
