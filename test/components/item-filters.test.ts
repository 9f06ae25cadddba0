import { expect, it } from 'vitest';
import { createItemFilters } from '../../src/components/items/item-filters.ts';
import type { Catalog, Item } from '../../src/registry/schemas/catalog.ts';

it('a list of many kinds keeps all price ranges, and at most 16 filters', () => {
  const items = Array.from({ length: 60 }, (_, index) => ({
    id: `item-${index}`,
    tags: [`kind-${index % 20}`],
    status: index % 2 ? 'available' : 'sold',
    price: { amount: 10 * (index + 1), currency: 'USD' },
  })) as unknown as Item[];
  const filters = createItemFilters({ items } as unknown as Catalog);
  const countOf = (group: string) => filters.filter((filter) => filter.group === group).length;
  expect([countOf('status'), countOf('kind'), countOf('price')]).toEqual([1, 12, 3]);
});
