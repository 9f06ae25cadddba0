import { namesOf } from '../site/json-object.ts';
import type { FieldKind } from './kind.ts';
import type { FieldSpec, FieldValue } from './spec.ts';
import { kinds } from './kinds/index.ts';

type FieldType = keyof typeof kinds;

/** Names of the kinds of field. */
export const fieldTypes = namesOf(kinds);

/** One field of an action. */
export interface Field extends FieldSpec {
  type: FieldType;
}

/** The fields of an action by name; may be empty. */
export type Fields = Record<string, Field>;

/** How the program handles fields of a kind. */
export const kindOf = ({ type }: Pick<Field, 'type'>): FieldKind => kinds[type];

/**
 * Names of the fields whose days are to come: all days but those whose record takes past ones too.
 */
export const toComeFields = (specs: Fields): string[] =>
  Object.entries(specs).flatMap(([name, field]) =>
    kindOf(field).isDay && !field.past ? [name] : [],
  );

/** The value of a field from its text: a number for a number field. */
export const readValue = (field: Pick<Field, 'type'>, text: string): FieldValue =>
  kindOf(field).read?.(text) ?? text;

/** JSON Schema (2020-12) of a single field's value. */
export const fieldJsonSchema = (field: Field): Record<string, unknown> => ({
  ...kindOf(field).jsonSchema(field),
  ...(field.description && { description: field.description }),
  ...(field.example && { examples: [readValue(field, field.example)] }),
});

/** JSON Schema (2020-12) of an action's `fields` object; unknown names are refused. */
export function fieldsJsonSchema(specs: Fields): Record<string, unknown> {
  const entries = Object.entries(specs);
  const required = entries.flatMap(([name, field]) => (field.required ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldJsonSchema(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * A valid `fields` object made of the examples, numbers as numbers; fields without one are left
 * out.
 */
export const exampleValues = (specs: Fields): Record<string, FieldValue> =>
  Object.fromEntries(
    Object.entries(specs).flatMap(([name, field]) =>
      field.example === undefined ? [] : [[name, readValue(field, field.example)]],
    ),
  );

/**
 * What was written into a field, or under a name that is no field, as people read it: dates and
 * choices in words.
 */
export function valueInWords(value: unknown, field: Field | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (field && kindOf(field).inWords?.(text, field)) ?? text;
}
