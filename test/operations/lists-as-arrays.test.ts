import { Ajv2020 } from 'ajv/dist/2020.js';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { leads } from '../../db/schema.ts';
import {
  exampleValuesOf,
  fieldsJsonSchemaOf,
  kindOf,
  type Field,
} from '../../src/fields/fields.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import { client } from '../transports/setup/send.ts';
import { openFixture, sites } from './setup/fixture.ts';
import { listActions } from './setup/actions.ts';

const [, ACTION_PATH] = SHARED_LEAD_ENDPOINTS as [string, string];
const [{ site }] = sites as [(typeof sites)[number]];
const ajv = new Ajv2020({ allErrors: false, strict: false });

/** The example of a field whose text is a list, as an array. */
const listOf = ({ content, example = '' }: Field): unknown[] =>
  content?.kind === 'codes' ? example.split(',') : (JSON.parse(example) as unknown[]);

const actionsWithListField = listActions(site).flatMap((verb) =>
  Object.entries(verb.action.fields)
    .filter(([, { content }]) => content?.kind === 'codes' || content?.kind === 'offerings')
    .map(([name, field]) => ({ ...verb, label: `${verb.label} ${name}`, name, field })),
);

describe('a field whose text is a list', async () => {
  const fixture = await openFixture(site);
  const { json } = client(fixture);
  const submit = (
    { subsite, action, name }: (typeof actionsWithListField)[number],
    value: unknown,
  ) =>
    json(ACTION_PATH, {
      subsite: subsite.name,
      action: action.verb,
      fields: { ...exampleValuesOf(action.fields), [name]: value },
      contact: { email: 'dana@example.com' },
    });

  it('exists in the sample network', () => expect(actionsWithListField.length).toBeGreaterThan(1));

  it.each(actionsWithListField)('$label accepts an array, and stores it as text', async (verb) => {
    const response = await submit(verb, listOf(verb.field));
    expect(response.status).toBe(200);
    const { receiptToken } = (await response.json()) as { receiptToken: string };
    const [lead] = await fixture.context.database.reader
      .select({ fields: leads.fields })
      .from(leads)
      .where(eq(leads.token, receiptToken));
    expect(lead!.fields![verb.name]).toBe(verb.field.example);
  });

  it.each(actionsWithListField)(
    '$label accepts the arrays that its JSON Schema allows',
    async (verb) => {
      const validate = ajv.compile(fieldsJsonSchemaOf(verb.action.fields));
      const list = listOf(verb.field);
      const [first] = list;
      for (const [value, isValid] of [
        [verb.field.example, true],
        [list, true],
        [[first], true],
        [[], false],
        [[5], false],
        [[`${String(first)},x`], false],
        [Array.from({ length: 400 }, () => ({ name: 'A', more: 1 })), false],
        [{ 0: first }, false],
      ] as const) {
        const name = JSON.stringify(value).slice(0, 60);
        expect(validate({ ...exampleValuesOf(verb.action.fields), [verb.name]: value }), name).toBe(
          isValid,
        );
        const response = await submit(verb, value);
        expect(response.status, name).toBe(isValid ? 200 : 400);
        if (isValid) continue;
        const { errors } = (await response.json()) as { errors: { message: string }[] };
        expect(errors.map(({ message }) => message).join()).toMatch(
          /^(?:Send an array|Offering 1 )/,
        );
      }
    },
  );

  it.each(actionsWithListField)('$label is described as accepting an array', ({ field }) => {
    expect(kindOf(field).rule(field)).toMatch(/^Send an array .*text/);
  });
});
