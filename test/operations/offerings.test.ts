import { expect, it } from 'vitest';
import { valueInWords } from '../../src/fields/fields.ts';
import { verbsOf } from './setup/verbs.ts';
import { sites } from './setup/fixture.ts';

const offerings = sites.flatMap(({ site }) =>
  verbsOf(site).flatMap(({ label, action }) =>
    Object.values(action.fields)
      .filter((field) => field.content?.kind === 'offerings')
      .map((field) => ({ label, field })),
  ),
);

it('the registry has fields with offerings', () => expect(offerings.length).toBeGreaterThan(0));

it.each(offerings)('the offerings of $label are written as plain text', ({ field }) => {
  const text = JSON.stringify([
    { name: 'Dozen empanadas', desc: '', priceCents: 2450, kind: 'one_time' },
    { name: 'Box', desc: 'Two dozen, chosen by us', priceCents: 4500, kind: 'monthly' },
  ]);
  expect(valueInWords(text, field)).toBe(
    'Dozen empanadas, $24.50; Box, $45 a month (Two dozen, chosen by us)',
  );
  expect(valueInWords('three of these', field)).toBe('three of these');
});
