import { expect, it } from 'vitest';
import { kindOf } from '../../src/fields/fields.ts';

const listOptions = (count: number) => () =>
  Array.from({ length: count }, (_, index) => ({ value: `v${index}`, label: `V${index}` }));

it.each([1, 2, 5].flatMap((count) => [true, false].map((required) => [count, required] as const)))(
  'a list of %i services or items starts with an empty option (required: %s)',
  (count, required) => {
    for (const more of [{ content: { kind: 'subsite' } }, { item: true }] as const) {
      const spec = { type: 'string' as const, required, ...more };
      const { kind, options, initialValue } = kindOf(spec).control(spec, {
        name: 'service',
        items: listOptions(count),
        subsites: listOptions(count),
      });
      expect(kind).toBe('select');
      expect(options!.map(({ value }) => value)).toEqual([
        '',
        ...listOptions(count)().map(({ value }) => value),
      ]);
      expect(initialValue).toBe('');
    }
  },
);

it.each([3, 5])(
  'an optional choice of %i can be left open even if one is chosen at first',
  (count) => {
    const values = Array.from({ length: count }, (_, index) => `v${index}`);
    const spec = { type: 'enum' as const, required: false, enum: values, initial: 'v1' };
    const context = { name: 'plan', items: () => [], subsites: () => [] };
    const { options, initialValue } = kindOf(spec).control(spec, context);
    expect(initialValue).toBe('v1');
    expect(options!.map(({ value }) => value)).toContain('');
    const requiredSpec = { ...spec, required: true };
    const { options: required } = kindOf(requiredSpec).control(requiredSpec, context);
    expect(required!.map(({ value }) => value)).toEqual(values);
  },
);

it('a choice lists its values in the order of its labels, with unlabeled values last', () => {
  const spec = {
    type: 'enum' as const,
    required: true,
    enum: ['other', 'unlabeled', 'hair', 'auto', 'nails'],
    options: { auto: 'Auto care', hair: 'Hair', nails: 'Nail studio', other: 'Something else' },
  };
  const { options } = kindOf(spec).control(spec, {
    name: 'category',
    items: () => [],
    subsites: () => [],
  });
  expect(options!.map(({ value }) => value)).toEqual([
    '',
    'auto',
    'hair',
    'nails',
    'other',
    'unlabeled',
  ]);
});

it('lists the services of a record under their headings, after “Not sure”', () => {
  const spec = {
    type: 'string' as const,
    required: true,
    content: { kind: 'subsite' as const },
    services: { unsure: 'v0', groups: { Repairs: ['v3', 'v1'], Rentals: ['v2', 'v1'] } },
  };
  const control = kindOf(spec).control(spec, {
    name: 'service',
    items: () => [],
    subsites: listOptions(5),
  });
  expect(control).toMatchObject({
    kind: 'select',
    initialValue: 'v0',
    options: [
      { value: 'v0', label: 'Not sure' },
      { value: 'v3', label: 'V3', group: 'Repairs' },
      { value: 'v1', label: 'V1', group: 'Repairs' },
      { value: 'v2', label: 'V2', group: 'Rentals' },
      { value: 'v1', label: 'V1', group: 'Rentals' },
    ],
  });
  expect(kindOf(spec).format!('v0', spec)).toBe('Not sure');
});
