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

it('an input schema error suggests the required name for a similar unknown name', async () => {
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

it('a body error suggests the required name for a similar unknown name', async () => {
  const body = v.strictObject({ topic: v.string() });
  expect(await refusal(() => throwIfAny(check(body, { zzzzzzzz: 'x' }).errors))).toMatchObject(
    expectedErrors,
  );
});
