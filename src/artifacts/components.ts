import { z } from 'zod';
import { CONTRACT_PATTERN } from '../site/contract.ts';

const namedSchemas = z.registry<{ id: string }>();

/** Names a schema so that the OpenAPI document can reference it. */
export function registerComponent<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  namedSchemas.add(schema, { id });
  return schema;
}

/** The name that `registerComponent` assigned to a schema; undefined if it has none. */
export const componentNameOf = (schema: z.ZodType): string | undefined =>
  namedSchemas.get(schema)?.id;

/** All named schemas as JSON Schema (2020-12), for `#/components/schemas`. */
export function buildComponentSchemas(): Record<string, Record<string, unknown>> {
  const { schemas } = z.toJSONSchema(namedSchemas, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
  );
}

export const absoluteUrlSchema = z.url({ protocol: /^https?$/ });

export const sitePathSchema = z.string().regex(/^\//);

export const contractDigestSchema = z
  .string()
  .regex(new RegExp(CONTRACT_PATTERN))
  .describe(
    'SHA-256 of the action’s contract as canonical JSON (RFC 8785). Send it as contract or in If-Match to have the request rejected if the contract has changed.',
  );
