import { expect, it } from 'vitest';
import * as v from 'valibot';
import { jsonSchemaOf } from '../../src/operation/json-schema.ts';
import { jsonObject } from '../../src/operation/validate.ts';
import { createCompactBodySchema } from '../../src/leads/submit/lead-channels.ts';
import { SOURCE_PATTERN } from '../../src/leads/submit/lead-input.ts';
import { listSiteActions } from '../../src/leads/submit/submit-action.ts';
import { sites } from './setup/fixture.ts';

type SiteAction = ReturnType<typeof listSiteActions>[number];

it('a free-form object allows any member, and so do generated types', () => {
  expect(jsonSchemaOf(v.strictObject({ input: jsonObject }))).toMatchObject({
    properties: { input: { type: 'object', additionalProperties: true } },
  });
});

it('the short body of an action declares the formats of its source and its callback', () => {
  const [{ subsite, action }] = listSiteActions(sites[0]!.site.registry) as [SiteAction];
  expect(createCompactBodySchema(subsite, action)).toMatchObject({
    properties: {
      source: { pattern: SOURCE_PATTERN },
      callback: { properties: { url: { type: 'string' } }, required: ['url'] },
    },
  });
});
