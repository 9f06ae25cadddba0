import type { Catalog, Item } from '../registry/schemas/catalog.ts';
import { isSoldOrPast } from './registry.ts';

/**
 * Sorts articles by date, newest first; other items stay in record order, with sold and past items
 * last.
 */
export const sortForDisplay = (
  { schemaType }: Pick<Catalog, 'schemaType'>,
  items: readonly Item[],
): readonly Item[] =>
  schemaType === 'Article'
    ? items.toSorted(({ date: a = '' }, { date: b = '' }) => (a < b ? 1 : a > b ? -1 : 0))
    : items.toSorted((a, b) => Number(isSoldOrPast(a)) - Number(isSoldOrPast(b)));
