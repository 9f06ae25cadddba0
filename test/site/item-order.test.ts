import { expect, it } from 'vitest';
import { sortForDisplay } from '../../src/site/item-order.ts';

it('articles are listed newest first, and other items in record order', () => {
  const items = ['2026-03-18', '2026-05-12', undefined, '2026-02-10'].map((date, index) => ({
    id: `item-${index}`,
    title: 'Item',
    summary: 'A sample item.',
    ...(date && { date }),
  }));
  const listIds = (schemaType: 'Article' | 'Product') =>
    sortForDisplay({ schemaType }, items).map(({ id }) => id);
  expect(listIds('Article')).toEqual(['item-1', 'item-0', 'item-3', 'item-2']);
  expect(listIds('Product')).toEqual(items.map(({ id }) => id));
});

it('sold and past items come after available items', () => {
  const items = (['sold', 'available', 'past', undefined] as const).map((status, index) => ({
    id: `item-${index}`,
    title: 'Item',
    summary: 'A sample item.',
    ...(status && { status }),
  }));
  expect(sortForDisplay({ schemaType: 'Product' }, items).map(({ id }) => id)).toEqual([
    'item-1',
    'item-3',
    'item-0',
    'item-2',
  ]);
});
