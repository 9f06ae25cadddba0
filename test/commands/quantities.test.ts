import { readFileSync, globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pluralize, formatQuantity } from '../../src/site/words/quantity.ts';

it('quantities agree with their nouns', () => {
  expect([0, 1, 2].map((count) => formatQuantity(count, 'fault'))).toEqual([
    '0 faults',
    '1 fault',
    '2 faults',
  ]);
  expect([1, 2n].map((count) => formatQuantity(count, 'delivery', 'deliveries'))).toEqual([
    '1 delivery',
    '2 deliveries',
  ]);
  expect(pluralize(1, 'it', 'them')).toBe('it');
});

it('only one module chooses between singular and plural', () => {
  const chosen = globSync('{src,db}/**/*.{ts,astro,js}').filter((file) =>
    /=== 1 \? (?:'[a-z ]+'|`\$\{[^}]+\} [a-z]+`) : (?:'[a-z ]+s'|`\$\{[^}]+\} [a-z]+s`)|=== 1 \? '' : 's'/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(chosen).toEqual([]);
});
