import { expect, it } from 'vitest';
import { writtenTextOf } from '../../src/components/receipt/written-text.ts';

it('shows an offering with its price as a price, apart from its description', () => {
  const values = {
    'products.0.name': 'Bath and brush',
    'products.0.desc': 'Small dogs up to 25 lb, about 1 hour',
    'products.0.price': '45',
    'products.1.name': 'Grooming plan',
    'products.1.price': '$60',
    'products.1.kind': 'monthly',
    'products.2.name': ' ',
    idea: ' We groom dogs. ',
  };
  expect(
    ['products.0', 'products.1', 'products.2', 'idea', 'town'].map((input) =>
      writtenTextOf(values, input),
    ),
  ).toEqual([
    'Bath and brush, $45 (Small dogs up to 25 lb, about 1 hour)',
    'Grooming plan, $60 a month',
    '',
    'We groom dogs.',
    '',
  ]);
});
