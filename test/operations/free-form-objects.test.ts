import { expect, it } from 'vitest';
import * as v from 'valibot';
import { jsonSchemaOf } from '../../src/operation/json-schema.ts';
import { jsonObject } from '../../src/operation/validate.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { sites } from './setup/fixture.ts';

it('a free-form object allows any member, so that generated types do too', () => {
  expect(jsonSchemaOf(v.strictObject({ input: jsonObject }))).toMatchObject({
    properties: { input: { type: 'object', additionalProperties: true } },
  });
});

it('the body of an action has the format of its source and of its callback', () => {
  const { components = {} } = submitAction.describe(sites[0]!.site);
  const bodies = Object.values(components).filter(
    (schema) => 'callback' in ((schema['properties'] as object | undefined) ?? {}),
  );
  expect(bodies.length).toBeGreaterThan(0);
  for (const { properties } of bodies)
    expect(properties).toMatchObject({
      source: { pattern: expect.any(String) },
      callback: { properties: { url: { type: 'string' } }, required: ['url'] },
    });
});
