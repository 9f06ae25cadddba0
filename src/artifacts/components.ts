import { z } from 'zod';
import { CONTRACT_PATTERN } from '../site/contract.ts';

const named = z.registry<{ id: string }>();

/** Names a schema so that the OpenAPI document can refer to it. */
export function component<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  named.add(schema, { id });
  return schema;
}

/** Name of a schema that `component` has named, or undefined. */
export const componentName = (schema: z.ZodType): string | undefined => named.get(schema)?.id;

/** Every named schema as JSON Schema (2020-12), for `#/components/schemas`. */
export function componentSchemas(): Record<string, Record<string, unknown>> {
  const { schemas } = z.toJSONSchema(named, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
  );
}

/** An absolute http or https URL. */
export const absoluteUrl = z.url({ protocol: /^https?$/ });

/** A site-relative path. */
export const sitePath = z.string().regex(/^\//);

/** The digest of an action’s contract. */
export const contractMember = z
  .string()
  .regex(new RegExp(CONTRACT_PATTERN))
  .describe(
    'Digest of what a caller of the action relies on: SHA-256 of its canonical JSON (RFC 8785). Send it as contract, or in If-Match, and a request is refused where it has changed.',
  );
