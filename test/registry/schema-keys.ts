import { z } from 'zod';
import type { Loose } from './sample.ts';

/** JSON Schema of a kind of record, as far as keys are concerned. */
interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  const?: unknown;
  $ref?: string;
}

/**
 * A key of a record: its place by schema (`actions[].fields{}.type`), where it stands in a value,
 * and whether it must.
 */
export interface Place {
  key: string;
  path: (string | number)[];
  required: boolean;
}

export const schemaOf = (schema: z.ZodType): SchemaNode =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as SchemaNode;

const alternatives = (node: SchemaNode): SchemaNode[] => [
  node,
  ...(node.anyOf ?? []),
  ...(node.oneOf ?? []),
];

/** Every key that a schema knows. Values that may be any JSON have no keys of their own. */
export function keysOf(schema: SchemaNode, above = ''): string[] {
  return alternatives(schema).flatMap(({ properties = {}, additionalProperties, items }) => [
    ...Object.entries(properties).flatMap(([name, node]) => {
      const key = above ? `${above}.${name}` : name;
      return [key, ...keysOf(node, key)];
    }),
    ...(typeof additionalProperties === 'object' && !additionalProperties.$ref
      ? keysOf(additionalProperties, `${above}{}`)
      : []),
    ...(items ? keysOf(items, `${above}[]`) : []),
  ]);
}

const fits = ({ properties = {} }: SchemaNode, value: Loose) =>
  Object.entries(properties).every(
    ([name, node]) => node.const === undefined || node.const === value[name],
  );

/** Every key of a value, by its schema. */
export function placesOf(
  schema: SchemaNode,
  value: unknown,
  above = '',
  path: Place['path'] = [],
): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return alternatives(schema)
    .filter((node) => fits(node, value))
    .flatMap(({ properties = {}, required = [], additionalProperties, items }) => [
      ...Object.entries(properties).flatMap(([name, node]) => {
        if (!(name in value)) return [];
        const key = above ? `${above}.${name}` : name;
        const at = [...path, name];
        return [
          { key, path: at, required: required.includes(name) },
          ...placesOf(node, (value as Loose)[name], key, at),
        ];
      }),
      ...(typeof additionalProperties === 'object' && !additionalProperties.$ref
        ? Object.entries(value).flatMap(([name, inner]) =>
            placesOf(additionalProperties, inner, `${above}{}`, [...path, name]),
          )
        : []),
      ...(items && Array.isArray(value)
        ? value.flatMap((inner, index) => placesOf(items, inner, `${above}[]`, [...path, index]))
        : []),
    ]);
}
