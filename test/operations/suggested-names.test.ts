import { expect, it } from 'vitest';
import { faultsBySchema } from '../../src/operation/json-schema-check.ts';
import { check, throwIfAny } from '../../src/operation/validate.ts';
import * as v from 'valibot';
import { refusal } from './setup/refusal.ts';

const expectedErrors = {
  '/zzzzzzzz': expect.objectContaining({
    message: 'This name is not known here. Did you mean topic?',
  }),
};

it('the required name is suggested for a similar unknown name in an input schema', async () => {
  const schema = {
    type: 'object',
    properties: { topic: { type: 'string' } },
    required: ['topic'],
    additionalProperties: false,
  };
  expect(
    await refusal(() => throwIfAny(faultsBySchema(schema, { zzzzzzzz: 'x' }, ''))),
  ).toMatchObject(expectedErrors);
});

it('the required name is suggested for a similar unknown name in a body', async () => {
  const body = v.strictObject({ topic: v.string() });
  expect(await refusal(() => throwIfAny(check(body, { zzzzzzzz: 'x' }).errors))).toMatchObject(
    expectedErrors,
  );
});
