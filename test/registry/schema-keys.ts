import { z } from 'zod';
import type { EditableRecord } from './sample-registry.ts';

/** The parts of a record’s JSON Schema that concern keys. */
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
 * A key with its schema path (`actions[].fields{}.type`), its path in a value, and whether it is
 * required.
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

/** All keys in a schema. A value that may be any JSON has no keys. */
export function keysOf(schema: SchemaNode, prefix = ''): string[] {
  return alternatives(schema).flatMap(({ properties = {}, additionalProperties, items }) => [
    ...Object.entries(properties).flatMap(([name, node]) => {
      const key = prefix ? `${prefix}.${name}` : name;
      return [key, ...keysOf(node, key)];
    }),
    ...(typeof additionalProperties === 'object' && !additionalProperties.$ref
      ? keysOf(additionalProperties, `${prefix}{}`)
      : []),
    ...(items ? keysOf(items, `${prefix}[]`) : []),
  ]);
}

const matchesConstants = ({ properties = {} }: SchemaNode, value: EditableRecord) =>
  Object.entries(properties).every(
    ([name, node]) => node.const === undefined || node.const === value[name],
  );

/** All keys in a value, according to its schema. */
export function placesOf(
  schema: SchemaNode,
  value: unknown,
  prefix = '',
  path: Place['path'] = [],
): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return alternatives(schema)
    .filter((node) => matchesConstants(node, value))
    .flatMap(({ properties = {}, required = [], additionalProperties, items }) => [
      ...Object.entries(properties).flatMap(([name, node]) => {
        if (!(name in value)) return [];
        const key = prefix ? `${prefix}.${name}` : name;
        const keyPath = [...path, name];
        return [
          { key, path: keyPath, required: required.includes(name) },
          ...placesOf(node, (value as EditableRecord)[name], key, keyPath),
        ];
      }),
      ...(typeof additionalProperties === 'object' && !additionalProperties.$ref
        ? Object.entries(value).flatMap(([name, inner]) =>
            placesOf(additionalProperties, inner, `${prefix}{}`, [...path, name]),
          )
        : []),
      ...(items && Array.isArray(value)
        ? value.flatMap((inner, index) => placesOf(items, inner, `${prefix}[]`, [...path, index]))
        : []),
    ]);
}
