import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { createFieldsSchema } from '../../src/leads/submit/validate-fields.ts';
import {
  exampleValuesOf,
  fieldTypes,
  type Field,
  type Fields,
  fieldsJsonSchemaOf,
  isNeverPersonal,
  kindOf,
} from '../../src/fields/fields.ts';
import { listSingleFieldFaults, listActions } from './setup/actions.ts';
import { sites } from './setup/fixture.ts';
import { createPropertyParameters } from '../setup/seeds.ts';

const ajv = addFormats.default(new Ajv2020({ allErrors: false, strict: false }));
const { registry } = sites[0]!.site;

/** Values close to valid values, so that both outcomes occur. */
function createAlmostValidValue(field: Field): fc.Arbitrary<unknown> {
  const createDigits = (min: number, max: number) =>
    fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));
  const anyValue = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.jsonValue(),
    fc.constant(''),
    fc.constant(' '),
  );
  const similarValues: Record<Field['type'], fc.Arbitrary<unknown>> = {
    string: fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.integer({ min: 3995, max: 4005 }).map((length) => 'é'.repeat(length)),
      fc.integer({ min: 3995, max: 4005 }).map((length) => '😀'.repeat(length)),
    ),
    enum: fc.oneof(
      fc.constantFrom(...(field.enum ?? ['x'])),
      fc.constantFrom(...(field.enum ?? ['x'])).map((value) => `${value} `),
    ),
    number: fc.oneof(
      fc.integer({ min: -3, max: 12 }),
      fc.double(),
      fc.constantFrom(0.5, -0, 1e308, '3'),
    ),
    date: fc.oneof(
      fc
        .tuple(
          fc.integer({ min: 0, max: 9999 }),
          fc.integer({ min: 0, max: 13 }),
          fc.integer({ min: 0, max: 32 }),
        )
        .map(
          ([year, month, day]) =>
            `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
        ),
      fc.constantFrom(
        '2024-02-29',
        '2100-02-29',
        '0000-02-29',
        '2024-2-9',
        ' 2024-02-28',
        '2024-02-28\n',
        '10000-01-01',
      ),
    ),
    zip: fc.oneof(
      createDigits(4, 6),
      fc.tuple(createDigits(5, 5), createDigits(3, 5)).map((parts) => parts.join('-')),
      fc.constantFrom('33701\n', '٣٣٧٠١'),
    ),
    phone: fc.constantFrom(
      '(727) 555-0142',
      '+1 727 555 0142',
      '+442079460000',
      '727.555.0142',
      'x',
      '12',
      '+',
      '(727) 555-0142\n',
    ),
    email: fc.oneof(
      fc.emailAddress(),
      fc.constantFrom(
        'a@b.co',
        'a..b@c.de',
        '.a@b.co',
        'a.@b.co',
        `${'a'.repeat(65)}@b.co`,
        `a@${'b'.repeat(64)}.co`,
        'a@b',
        'a@-b.co',
        'a@b-.co',
        'a b@c.de',
        'ä@b.co',
        `a@${`${'b'.repeat(60)}.`.repeat(5)}co`,
        'a@b.co\n',
      ),
    ),
  };
  return fc.oneof(
    { weight: 5, arbitrary: similarValues[field.type] },
    { weight: 1, arbitrary: anyValue },
  );
}

/** Options for each field type, except `required`. */
const variants: Record<Field['type'], readonly Partial<Field>[]> = {
  string: [{}],
  enum: [{ enum: ['a', 'B c', 'ü'] }],
  number: [{}, { integer: true }, { minimum: 0, maximum: 5 }, { minimum: 1, integer: true }],
  date: [{}],
  zip: [{}],
  phone: [{}],
  email: [{}],
};

const definitions = (Object.keys(variants) as Field['type'][]).flatMap((type) =>
  variants[type].flatMap((more) =>
    [true, false].map((required): Field => ({ type, required, ...more })),
  ),
);

const createAlmostValidFields = (fields: Fields) =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(fields).map(([name, spec]) => [name, createAlmostValidValue(spec)]),
      ),
      { requiredKeys: [] },
    )
    .chain((value) =>
      fc.oneof(
        { weight: 8, arbitrary: fc.constant(value as unknown) },
        { weight: 1, arbitrary: fc.constant({ ...value, stray: 1 } as unknown) },
        { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<unknown> },
      ),
    );

/**
 * Whether text has nothing that people can read, such as a control character alone. The validator
 * rejects it as a required text, but the published pattern accepts it, because character properties
 * such as `\\p{Cc}` are not part of Python’s regular expressions.
 */
const isUnreadable = (value: unknown): boolean =>
  typeof value === 'string' && /\S/u.test(value) && /^[\s\p{Cc}\p{Cf}\ufffd]*$/u.test(value);

it('text that is too long is rejected with a message that tells people its length, and is never truncated', () => {
  const { check, control } = kindOf({ type: 'string' });
  const spec = { type: 'string' as const, required: true };
  const context = { subsites: [], items: [], parsePhone: () => undefined };
  const { issues } = v.safeParse(check(spec, context), 'x'.repeat(4_321));
  expect(issues).toMatchObject([
    {
      message: 'Enter 1 to 4000 characters of text.',
      expected: 'Shorten this to 4,000 characters. It has 4,321 now.',
    },
  ]);
  for (const name of ['notes', 'city']) {
    const shownControl = control(spec, { name, items: () => [], subsites: () => [] });
    expect(shownControl.attributes).not.toHaveProperty('maxlength');
  }
});

it.each(fieldTypes)('text from before a field became a %s may be personal', (type) => {
  const field = { type, required: false, enum: ['under_50', 'over_50'] };
  for (const text of ['about 100, ask Dana Reyes', '7275550142', 'June 5', ''])
    expect(isNeverPersonal(field, text), text).toBe(false);
});

describe('a field definition', () => {
  it('is tested for every kind', () => {
    expect(Object.keys(variants).sort()).toEqual([...fieldTypes].sort());
  });

  it.each(definitions.map((spec) => [JSON.stringify(spec), spec] as const))(
    'of %s has a JSON Schema and a validator that accept the same inputs',
    (_, spec) => {
      const { type, required } = spec;
      const fields = {
        one: spec,
        two: { type: 'string', required: false },
      } as const satisfies Fields;
      const validatePublished = ajv.compile(fieldsJsonSchemaOf(fields));
      const schema = createFieldsSchema(fields, registry);
      const counts = { true: 0, false: 0 };
      fc.assert(
        fc.property(createAlmostValidFields(fields), (value) => {
          const json = JSON.parse(JSON.stringify(value)) as unknown;
          // valibot accepts an array as an object; operations check the shape of the body
          // separately.
          const isAccepted = !Array.isArray(json) && v.safeParse(schema, json).success;
          counts[`${isAccepted}`]++;
          const isInexpressible =
            type === 'string' && required && isUnreadable((json as { one?: unknown } | null)?.one);
          expect(isAccepted).toBe(validatePublished(json) && !isInexpressible);
        }),
        createPropertyParameters<[unknown]>(500, { examples: [[{ one: '\u0006' }]] }),
      );
      expect(Math.min(counts.true, counts.false)).toBeGreaterThan(10);
    },
  );

  it('publishes no pattern with character properties, which Python cannot compile', () => {
    for (const { site } of sites)
      for (const { label, action } of listActions(site))
        expect(JSON.stringify(fieldsJsonSchemaOf(action.fields)), label).not.toMatch(
          /"pattern":"[^"]*\\\\p\{/,
        );
  });

  it('differs from its JSON Schema only where JSON Schema cannot express a rule', () => {
    for (const { site } of sites)
      for (const { label, action } of listActions(site)) {
        const validate = ajv.compile(fieldsJsonSchemaOf(action.fields));
        for (const { description, fields } of listSingleFieldFaults(action)) {
          const name = description.split(/[: ]/)[0]!;
          const spec = action.fields[name];
          const isInexpressible =
            spec?.type === 'phone' ||
            spec?.content !== undefined ||
            description.includes(' before ');
          if (!isInexpressible)
            expect(validate(JSON.parse(JSON.stringify(fields))), `${label} ${description}`).toBe(
              false,
            );
        }
        expect(validate(exampleValuesOf(action.fields)), label).toBe(true);
      }
  });

  it('stores a phone number as E.164, and reads a number without a country code as a US number', () => {
    const schema = createFieldsSchema({ phone: { type: 'phone', required: true } }, registry);
    const readPhone = (phone: string) => v.safeParse(schema, { phone }).output;
    expect(readPhone('(727) 555-0142')).toEqual({ phone: '+17275550142' });
    expect(readPhone('+44 20 7946 0000')).toEqual({ phone: '+442079460000' });
  });

  it('fills in the default of an enum, so that omitting the field is equivalent to choosing the default', () => {
    const schema = createFieldsSchema(
      { kind: { type: 'enum', required: false, enum: ['a', 'b'], default: 'a' } },
      registry,
    );
    expect(v.safeParse(schema, {}).output).toEqual({ kind: 'a' });
  });
});

it('the schema of a field for a service names the services that its form lists', () => {
  const fields = listActions(sites[0]!.site).flatMap(({ action }) =>
    Object.entries(action.fields).flatMap(([name, { services }]) =>
      services ? [{ action, name, services }] : [],
    ),
  );
  expect(fields.length).toBeGreaterThan(0);
  for (const { action, name, services } of fields) {
    const { properties } = fieldsJsonSchemaOf(action.fields) as {
      properties: Record<string, { description: string }>;
    };
    for (const service of [...Object.values(services.groups).flat(), services.unsure])
      expect(properties[name]!.description).toMatch(new RegExp(`\\b${service}\\b`));
  }
});
