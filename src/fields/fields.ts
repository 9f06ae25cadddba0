import { z } from 'zod';
import { isFreeName, key, line, TAKEN_NAME } from '../registry/text.ts';

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

const fieldName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]*(?:_[a-z0-9]+)*$/, 'is not a field name. Use snake_case or camelCase')
  .refine(isFreeName, TAKEN_NAME);

/** Structure inside a text field, checked when an action is submitted. */
const fieldContent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('subsite').describe('The text is the name of a subsite.') }),
  z.strictObject({
    kind: z.literal('codes').describe('The text is a comma-separated list of codes.'),
    codes: z
      .array(key.or(z.string().regex(/^[a-z_]+$/)))
      .min(1)
      .describe('Codes that the list may contain.'),
  }),
  z.strictObject({
    kind: z
      .literal('offerings')
      .describe('The text is a JSON array of offerings {name, desc, priceCents, kind}.'),
    max: z.int().min(1).max(20).describe('Most offerings in the array.'),
  }),
]);

/** One field of an action: the definition behind its form input, JSON Schema and run-time check. */
export const field = z
  .strictObject({
    type: z
      .enum(fieldTypes)
      .describe('Kind of the value: string, enum, number, date, zip, phone or email.'),
    required: z.boolean().describe('Whether the action is refused without it.'),
    enum: z
      .array(line(80))
      .min(1)
      .optional()
      .describe('Values to choose from; only with type enum.'),
    description: line(300)
      .optional()
      .describe('One sentence for agents and developers: what to send here.'),
    example: line(300).optional().describe('Sample value as text; never real personal data.'),
    label: line(60)
      .optional()
      .describe('Label of the form input; the field name in words when left out.'),
    hint: line(160)
      .optional()
      .describe('What helps a person to fill it in, shown beneath the label.'),
    options: z
      .record(z.string(), line(60))
      .optional()
      .describe('What people read for each value of an enum or code of a list.'),
    item: z
      .boolean()
      .optional()
      .describe(
        'Whether the text is the id of an item of the subsite: its page sends it, and the form lists the items.',
      ),
    known: line(80)
      .optional()
      .describe(
        'Value that the form sends by itself, because asking a person for it makes no sense.',
      ),
    default: line(80).optional().describe('Value taken when an optional enum field is left out.'),
    notBefore: fieldName
      .optional()
      .describe('Date field of the same action that this date may not precede.'),
    minimum: z.number().optional().describe('Least value of a number field.'),
    maximum: z.number().optional().describe('Greatest value of a number field.'),
    integer: z.boolean().optional().describe('Whether a number field takes whole numbers only.'),
    content: fieldContent.optional().describe('Structure inside the text, checked on submission.'),
  })
  .superRefine((value, context) => {
    const fault = (at: string, message: string) =>
      context.addIssue({ code: 'custom', path: [at], message });
    if (value.type === 'enum' && !value.enum)
      fault('enum', 'is missing. List the values of an enum field');
    if (value.type !== 'enum' && value.enum)
      fault('enum', 'belongs to enum fields only. Remove it or set type: enum');
    if (value.enum && new Set(value.enum).size < value.enum.length)
      fault('enum', 'names a value twice. Keep one');
    if (value.default !== undefined && !value.enum?.includes(value.default))
      fault('default', 'is not one of the enum values. Choose one of them');
    if (value.notBefore !== undefined && value.type !== 'date')
      fault('notBefore', 'belongs to date fields only. Remove it or set type: date');
    const choices = value.enum ?? (value.content?.kind === 'codes' ? value.content.codes : []);
    for (const option of Object.keys(value.options ?? {}))
      if (!choices.includes(option))
        fault(
          'options',
          `names ${option}, which is no value of this field. Remove it or correct it`,
        );
    if (value.item && value.type !== 'string')
      fault('item', 'belongs to string fields only. Remove it or set type: string');
    if (value.content && value.type !== 'string')
      fault('content', 'belongs to string fields only. Remove it or set type: string');
    const { minimum = -Infinity, maximum = Infinity } = value;
    if (minimum > maximum)
      fault(
        'maximum',
        'is less than the minimum. Write a maximum that is not less than the minimum',
      );
    else if (value.integer && Math.ceil(minimum) > Math.floor(maximum))
      fault('maximum', 'leaves no whole number above the minimum. Widen the bounds');
    for (const bound of ['minimum', 'maximum', 'integer'] as const)
      if (value[bound] !== undefined && value.type !== 'number')
        fault(bound, 'belongs to number fields only. Remove it or set type: number');
  })
  .describe('One field of an action.');

/** The fields of an action by name; may be empty. */
export const fields = z.record(fieldName, field);

export type Field = z.infer<typeof field>;
export type Fields = z.infer<typeof fields>;

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
