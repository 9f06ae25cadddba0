import { expect, it } from 'vitest';
import { validateAgainstSchema } from '../../src/operation/json-schema-check.ts';
import { validateValue, throwIfAnyFaults } from '../../src/operation/validate.ts';
import * as v from 'valibot';
import { string } from '../../src/fields/kinds/string.ts';
import { errorsOf } from './setup/refusal.ts';

const expectedErrors = {
  '/zzzzzzzz': expect.objectContaining({
    message: 'This name is unknown. Use one of topic, or remove it.',
  }),
};

it('an input schema error lists the known names for an unlike unknown name', async () => {
  const schema = {
    type: 'object',
    properties: { topic: { type: 'string' } },
    required: ['topic'],
    additionalProperties: false,
  };
  expect(
    await errorsOf(() => throwIfAnyFaults(validateAgainstSchema(schema, { zzzzzzzz: 'x' }, ''))),
  ).toMatchObject(expectedErrors);
});

it('a body error lists the known names for an unlike unknown name', async () => {
  const body = v.strictObject({ topic: v.string() });
  expect(
    await errorsOf(() => throwIfAnyFaults(validateValue(body, { zzzzzzzz: 'x' }).errors)),
  ).toMatchObject(expectedErrors);
});

it.each([
  [
    { start_date: '2026-12-01', end_date: '2026-12-02' },
    { '/start_date': 'Did you mean pickup_date?', '/end_date': 'Did you mean return_date?' },
  ],
  [
    { start_date: '2026-12-01', from: '2026-12-01' },
    {
      '/start_date': 'Use one of pickup_date, return_date, size, or remove it.',
      '/from': 'Use one of pickup_date, return_date, size, or remove it.',
    },
  ],
  [
    { pickup_date: '2026-12-01', delivery_date: '2026-12-02' },
    { '/delivery_date': 'Use one of pickup_date, return_date, size, or remove it.' },
  ],
  [
    { trailer_kind: '6x12' },
    { '/trailer_kind': 'Use one of pickup_date, return_date, size, or remove it.' },
  ],
])('a body error never suggests the wrong date: %j', async (sent, advice) => {
  const body = v.strictObject({
    pickup_date: v.string(),
    return_date: v.string(),
    size: v.optional(v.string()),
  });
  const errors = await errorsOf(() => throwIfAnyFaults(validateValue(body, sent).errors));
  for (const [pointer, message] of Object.entries(advice))
    expect(errors).toHaveProperty([pointer, 'message'], `This name is unknown. ${message}`);
});

it.each(['https://example.com/shop/oak-desk', '/shop/oak-desk', 'oak-desk ', 'shop/oak-deks'])(
  'the error for the item %j suggests the ID in it',
  (text) => {
    const schema = string.check(
      { type: 'string', item: true, required: true } as never,
      { items: ['oak-desk', 'pine-chair'], subsites: [] } as never,
    );
    const { issues = [] } = v.safeParse(schema, text);
    expect(issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/Did you mean oak-desk\?$/),
    ]);
  },
);
