import { keysOf } from '../site/json-object.ts';
import type { FieldKind } from './kind.ts';
import type { FieldSpec, FieldValue } from './spec.ts';
import { isCalendarDate } from './kinds/date.ts';
import { kinds } from './kinds/index.ts';

type FieldType = keyof typeof kinds;

export const fieldTypes = keysOf(kinds);

export interface Field extends FieldSpec {
  type: FieldType;
}

/** The fields of an action by name; may be empty. */
export type Fields = Record<string, Field>;

/** The implementation of a field kind. */
export const kindOf = ({ type }: Pick<Field, 'type'>): FieldKind => kinds[type];

/** Names of the date fields whose dates must not be in the past. */
export const listFutureDateFields = (specs: Fields): string[] =>
  Object.entries(specs).flatMap(([name, field]) =>
    kindOf(field).isDay && !field.past ? [name] : [],
  );

/**
 * Whether a submitted value is a date, YYYY-MM-DD. A capability's field may accept other text in
 * place of a date.
 */
export const isDayValue = (field: Pick<Field, 'type'>, value: unknown): value is string =>
  kindOf(field).isDay === true && typeof value === 'string' && isCalendarDate(value);

/** Whether a submitted value cannot identify or locate anyone. */
export const isNeverPersonal = (field: Field, value: unknown): boolean =>
  kindOf(field).isNeverPersonal?.(value, field) ?? false;

/** Whether the field's value is a subsite's name, which is an identifier not meant for people. */
export const isSubsiteField = ({ content }: Pick<Field, 'content'>): boolean =>
  content?.kind === 'subsite';

/** Parses the text of a field into its value: a number for a number field. */
export const parseValue = (field: Pick<Field, 'type'>, text: string): FieldValue =>
  kindOf(field).read?.(text) ?? text;

export const fieldJsonSchemaOf = (field: Field): Record<string, unknown> => ({
  ...kindOf(field).jsonSchema(field),
  ...(field.description && { description: field.description }),
  ...(field.example && { examples: [parseValue(field, field.example)] }),
});

/** Describes for software which services the form lists in a field for a subsite's name. */
const describeServices = ({ unsure, groups }: NonNullable<Field['services']>): string =>
  `The form lists ${[...new Set(Object.values(groups).flat())].join(', ')}, and ${unsure} for a person who is not sure; other subsites are valid, too.`;

/**
 * Describes an action's field for software. A field for a phone number or an email address replaces
 * the corresponding contact detail.
 */
export function describeField(field: Field): string | undefined {
  const { contactMethod } = kindOf(field);
  const sentences = [
    field.description,
    field.services && describeServices(field.services),
    contactMethod && `If it is sent, contact.${contactMethod} can be omitted.`,
  ];
  return sentences.filter(Boolean).join(' ') || undefined;
}

/** JSON Schema (2020-12) of an action's `fields` object; unknown names are rejected. */
export function fieldsJsonSchemaOf(specs: Fields): Record<string, unknown> {
  const entries = Object.entries(specs);
  const required = entries.flatMap(([name, field]) => (field.required ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, field]) => [
        name,
        fieldJsonSchemaOf({ ...field, description: describeField(field) }),
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** A valid `fields` object from the examples; fields without an example are omitted. */
export const exampleValuesOf = (specs: Fields): Record<string, FieldValue> =>
  Object.fromEntries(
    Object.entries(specs).flatMap(([name, field]) =>
      field.example === undefined ? [] : [[name, parseValue(field, field.example)]],
    ),
  );

/** Values that the form sends automatically because the record specifies them, by field. */
export const knownValuesOf = (specs: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(specs).flatMap(([name, { known }]) =>
      known === undefined ? [] : [[name, known]],
    ),
  );

/**
 * Formats a value for people, with dates and choices in words; without a field, the value is
 * unchanged.
 */
export function formatFieldValue(value: unknown, field: Field | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (field && kindOf(field).format?.(text, field)) ?? text;
}
