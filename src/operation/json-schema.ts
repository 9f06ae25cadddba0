import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { JsonSchema } from './operation.ts';
import { hasEntries, isWrapper } from './validate.ts';

/** Restores descriptions after a transformation, and removes members that are not JSON Schema. */
function annotate(schema: v.GenericSchema, { expectation: _, ...json }: JsonSchema): JsonSchema {
  const inner = isWrapper(schema) ? schema.wrapped : schema;
  const entries = hasEntries(inner) ? inner.entries : undefined;
  const properties = json['properties'] as Record<string, JsonSchema> | undefined;
  const description = v.getDescription(inner) ?? v.getDescription(schema);
  return {
    ...json,
    ...(description !== undefined && { description }),
    ...(entries &&
      properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [
            name,
            entries[name] ? annotate(entries[name], property) : property,
          ]),
        ),
      }),
  };
}

/**
 * Declares what a custom check adds to a schema: a pattern, or a maximum length in code points,
 * which JSON Schema counts too.
 */
export const declareLimits: NonNullable<ConversionConfig['overrideAction']> = ({
  valibotAction,
  jsonSchema,
}) => {
  const { requirement, pattern } = valibotAction as {
    requirement?: { maxLength?: number };
    pattern?: string;
  };
  if (valibotAction.type === 'raw_check' && pattern !== undefined)
    return { ...jsonSchema, pattern };
  return valibotAction.type === 'check' && requirement?.maxLength !== undefined
    ? { ...jsonSchema, maxLength: requirement.maxLength }
    : undefined;
};

/**
 * JSON Schema (2020-12) of the input; only the description mentions checks that JSON Schema cannot
 * express.
 */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
    // The only custom schema is the free-form object.
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'custom'
        ? { ...jsonSchema, type: 'object', additionalProperties: true }
        : undefined,
    overrideAction: declareLimits,
  });
  return annotate(schema, rest);
}
