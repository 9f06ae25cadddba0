/** Kinds of action field, spec.md "Field spec". */
export const fieldTypes = ['string', 'enum', 'number', 'date', 'zip', 'phone', 'email'] as const;

/** Longest text of a `string` field, in characters. */
export const MAX_TEXT = 4000;
/** US ZIP or ZIP+4, as text. */
export const ZIP_PATTERN = '^[0-9]{5}(?:-[0-9]{4})?$';
/** Addresses that can be written to without a display name (RFC 5321 `Dot-string`): one `@`, a dotted domain, no spaces. */
export const EMAIL_PATTERN =
  "^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$";
/** Characters that a phone number may contain; parsing decides whether the number is valid. */
export const PHONE_PATTERN = '^\\+?[0-9(][0-9 ().-]{5,24}[0-9]$';
/** Text with at least one character that is not white space. */
export const FILLED_PATTERN = '\\S';

type FieldType = (typeof fieldTypes)[number];

/** Structure inside a text field, checked when an action is submitted. */
type FieldContent =
  { kind: 'subsite' } | { kind: 'codes'; codes: string[] } | { kind: 'offerings'; max: number };

/**
 * One field of an action: the definition behind its form input, JSON Schema and run-time check. What each member means
 * stands in the schema of records, src/registry/field.ts.
 */
export interface Field {
  type: FieldType;
  required: boolean;
  enum?: string[];
  description?: string;
  example?: string;
  label?: string;
  hint?: string;
  options?: Record<string, string>;
  item?: boolean;
  known?: string;
  default?: string;
  notBefore?: string;
  minimum?: number;
  maximum?: number;
  integer?: boolean;
  content?: FieldContent;
}

/** The fields of an action by name; may be empty. */
export type Fields = Record<string, Field>;

/** The example of a field as the value that an action takes: a number for a number field, else text. */
const exampleValue = (type: Field['type'], example: string): string | number =>
  type === 'number' ? Number(example) : example;

/** JSON Schema (2020-12) of a single field's value. */
export function fieldJsonSchema(spec: Field): Record<string, unknown> {
  const described = {
    ...(spec.description && { description: spec.description }),
    ...(spec.example && { examples: [exampleValue(spec.type, spec.example)] }),
  };
  switch (spec.type) {
    case 'string':
      return {
        type: 'string',
        ...(spec.required && { minLength: 1, pattern: FILLED_PATTERN }),
        maxLength: MAX_TEXT,
        ...described,
      };
    case 'enum':
      return {
        type: 'string',
        enum: spec.enum,
        ...(spec.default && { default: spec.default }),
        ...described,
      };
    case 'number':
      return {
        type: spec.integer ? 'integer' : 'number',
        ...(spec.minimum !== undefined && { minimum: spec.minimum }),
        ...(spec.maximum !== undefined && { maximum: spec.maximum }),
        ...described,
      };
    case 'date':
      return { type: 'string', format: 'date', ...described };
    case 'zip':
      return { type: 'string', pattern: ZIP_PATTERN, ...described };
    case 'phone':
      return { type: 'string', pattern: PHONE_PATTERN, ...described };
    case 'email':
      return {
        type: 'string',
        format: 'email',
        pattern: EMAIL_PATTERN,
        maxLength: 254,
        ...described,
      };
    default:
      return spec.type satisfies never;
  }
}

/** JSON Schema (2020-12) of an action's `fields` object; unknown names are refused. */
export function fieldsJsonSchema(specs: Fields): Record<string, unknown> {
  const required = Object.keys(specs).filter((name) => specs[name]!.required);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [name, fieldJsonSchema(spec)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** A valid `fields` object made of the examples, numbers as numbers; fields without one are left out. */
export function exampleValues(specs: Fields): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(specs).flatMap(([name, { type, example }]) =>
      example === undefined ? [] : [[name, exampleValue(type, example)]],
    ),
  );
}
