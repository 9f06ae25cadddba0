import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { networks } from './networks.ts';
import { listSingleFaults } from './single-faults.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: true, allowUnionTypes: true });
formats.default(ajv);

function findOpenObjects(schema: unknown, pointer = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const keywords = schema as Record<string, unknown>;
  return [
    ...(keywords.type === 'object' && keywords.additionalProperties !== false ? [pointer] : []),
    ...Object.entries(keywords).flatMap(([name, inner]) =>
      findOpenObjects(inner, `${pointer}/${name}`),
    ),
  ];
}

describe.each(networks)('the capabilities of $name', ({ site, json }) => {
  const capabilities: any[] = json('/api/v1/capabilities').capabilities;

  it.each(capabilities.map((capability) => [capability.id, capability.inputSchema]))(
    '%s accepts its example and reports any single error',
    (_, schema) => {
      const check = ajv.compile(schema);
      expect(findOpenObjects(schema)).toEqual([]);
      const example = schema.examples?.[0];
      expect(check(example), JSON.stringify(check.errors)).toBe(true);
      const faults = listSingleFaults(schema, example);
      expect(faults.filter(({ value }) => check(value)).map(({ fault }) => fault)).toEqual([]);
      expect(faults.length).toBeGreaterThan(1);
    },
  );

  const intakes = capabilities
    .filter((capability) => capability.action)
    .map((capability) => {
      const { subsite: name, action: verb } = capability;
      const action = site.registry.subsites
        .find((subsite) => subsite.name === name)!
        .actions.find((each) => each.verb === verb)!;
      return { ...capability, action };
    });

  it('have the fields of their action, and say which others the action does not accept', () => {
    for (const { id, action, inputSchema, limitations } of intakes) {
      const names = Object.keys(inputSchema.properties.fields.properties);
      expect(names, id).toEqual(expect.arrayContaining(Object.keys(action.fields)));
      const addedNames = names.filter((field) => !Object.hasOwn(action.fields, field));
      const limitation = limitations.find((text: string) => text.includes('does not accept'));
      expect(
        addedNames.filter((field) => !limitation?.includes(field)),
        id,
      ).toEqual([]);
      expect(limitation === undefined, id).toBe(addedNames.length === 0);
    }
  });

  it('have titles that do not repeat a word', () => {
    const titles: string[] = capabilities.map(({ title }) => title);
    expect(titles.filter((title) => /(\b\p{L}+): \1$/iu.test(title))).toEqual([]);
  });

  it('include every required field of the action in their examples', () => {
    for (const { action, inputSchema } of intakes) {
      expect(Object.keys(inputSchema.examples[0].fields)).toEqual(
        expect.arrayContaining(
          Object.keys(action.fields).filter((field) => action.fields[field].required),
        ),
      );
    }
  });
});
