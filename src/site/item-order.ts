import type { Catalog, Item } from '../registry/catalog.ts';

const isOver = ({ status }: Item): boolean => status === 'sold' || status === 'past';

/**
 * Items in display order: articles by date, newest first; others in the order of the record, with
 * sold and past ones at the end.
 */
export const inOrder = (
  { schemaType }: Pick<Catalog, 'schemaType'>,
  items: readonly Item[],
): readonly Item[] =>
  schemaType === 'Article'
    ? items.toSorted(({ date: a = '' }, { date: b = '' }) => (a < b ? 1 : a > b ? -1 : 0))
    : items.toSorted((one, other) => Number(isOver(one)) - Number(isOver(other)));
