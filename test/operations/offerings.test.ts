import { expect, it } from 'vitest';
import { contentKindOf } from '../../src/fields/content.ts';
import { formatFieldValue } from '../../src/fields/fields.ts';
import { listActions } from './setup/actions.ts';
import { sites } from './setup/fixture.ts';

const offerings = sites.flatMap(({ site }) =>
  listActions(site).flatMap(({ label, action }) =>
    Object.values(action.fields)
      .filter((field) => field.content?.kind === 'offerings')
      .map((field) => ({ label, field })),
  ),
);

it('the registry has fields with offerings', () => expect(offerings.length).toBeGreaterThan(0));

it('errors in offerings identify each offering by number, and by title only in messages for people', () => {
  const { message, instruction } = contentKindOf({ kind: 'offerings', max: 3 }).fault(
    { kind: 'offerings', max: 3 },
    JSON.stringify([
      { name: 'Mowing', priceCents: 4500, kind: 'one_time' },
      { name: 'Edging', priceCents: 'ten', kind: 'one_time' },
      { name: '', priceCents: 500, kind: 'one_time' },
    ]),
    [],
  )!;
  expect(message).toMatch(/^Offering 2 needs priceCents.*; Offering 3 needs a name/);
  expect(instruction).toMatch(
    /^Product or service 2 \(Edging\) needs a price.*; Product or service 3 needs a name/,
  );
});

it.each(offerings)('the offerings of $label are written as plain text', ({ field }) => {
  const text = JSON.stringify([
    { name: 'Dozen empanadas', desc: '', priceCents: 2450, kind: 'one_time' },
    { name: 'Box', desc: 'Two dozen, chosen by us', priceCents: 4500, kind: 'monthly' },
  ]);
  expect(formatFieldValue(text, field)).toBe(
    'Dozen empanadas, $24.50; Box, $45 a month (Two dozen, chosen by us)',
  );
  expect(formatFieldValue('three of these', field)).toBe('three of these');
});
