import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import * as v from 'valibot';
import {
  EMAIL_PATTERN,
  MAX_TEXT,
  PHONE_PATTERN,
  ZIP_PATTERN,
  type Field,
  type Fields,
} from './fields.ts';
import type { Registry } from '../site/registry.ts';
import { checkContent, textOfContent } from '../leads/content.ts';
import { atMost, filledText } from '../operation/texts.ts';
import { expecting, isObject } from '../operation/validate.ts';

/** A value of an action field after its check. */
export type FieldValue = string | number;
export type FieldValues = Record<string, FieldValue>;

/** Whether YYYY-MM-DD is a day of the calendar. */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** A telephone number as E.164; numbers without a country are read as numbers of the United States. */
export const phone = v.pipe(
  v.string(),
  v.regex(new RegExp(PHONE_PATTERN, 'u')),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const number = parsePhoneNumberFromString(dataset.value, 'US');
    if (number?.isValid()) return number.number;
    addIssue({
      message:
        'This is not a telephone number in use. Write it with its area code, for example (727) 555-0142, or with + and the country code.',
    });
    return NEVER;
  }),
  expecting(
    'Write a telephone number with its area code, for example (727) 555-0142, or with + and the country code.',
  ),
);

/** An address that can be written to. */
export const email = v.pipe(
  v.string(),
  v.maxLength(254),
  v.regex(new RegExp(EMAIL_PATTERN, 'u')),
  expecting('Write one mail address, for example dana@example.com.'),
);

function numberRange({ minimum, maximum, integer }: Field): string {
  const kind = integer ? 'a whole number' : 'a number';
  const range =
    minimum !== undefined && maximum !== undefined
      ? ` from ${minimum} to ${maximum}`
      : minimum !== undefined
        ? ` of at least ${minimum}`
        : maximum !== undefined
          ? ` of at most ${maximum}`
          : '';
  return `Write ${kind}${range}, without quotes or a unit.`;
}

function text(field: Field, registry: Registry): v.GenericSchema {
  const expectation = expecting<string>(
    field.content ? textOfContent(field.content) : `Write text of at most ${MAX_TEXT} characters.`,
  );
  const plain: v.GenericSchema<string, string> = field.required
    ? filledText(MAX_TEXT)
    : v.pipe(v.string(), atMost(MAX_TEXT));
  const { content } = field;
  return content
    ? v.pipe(
        plain,
        v.rawCheck(({ dataset, addIssue }) => {
          const fault =
            dataset.typed && (field.required || dataset.value.trim())
              ? checkContent(content, dataset.value, registry)
              : undefined;
          if (fault) addIssue({ message: fault });
        }),
        expectation,
      )
    : v.pipe(plain, expectation);
}

/** The check of one field’s value. */
function fieldSchema(field: Field, registry: Registry): v.GenericSchema {
  switch (field.type) {
    case 'string':
      return text(field, registry);
    case 'enum':
      return v.pipe(
        v.string(),
        v.values(field.enum!),
        expecting(`Choose one of: ${field.enum!.join(', ')}.`, field.enum),
      );
    case 'number':
      return v.pipe(
        v.number(),
        v.finite(),
        v.check(
          (value) =>
            (!field.integer || Number.isInteger(value)) &&
            value >= (field.minimum ?? -Infinity) &&
            value <= (field.maximum ?? Infinity),
        ),
        expecting(numberRange(field)),
      );
    case 'date':
      return v.pipe(
        v.string(),
        v.check(isCalendarDate),
        expecting('Write a day of the calendar as YYYY-MM-DD.'),
      );
    case 'zip':
      return v.pipe(
        v.string(),
        v.regex(new RegExp(ZIP_PATTERN, 'u')),
        expecting('Write a US ZIP code as text: five digits, or ZIP+4 such as 33701-1234.'),
      );
    case 'phone':
      return phone;
    case 'email':
      return email;
    default:
      return field.type satisfies never;
  }
}

function optional(field: Field, schema: v.GenericSchema): v.GenericSchema {
  if (field.required) return schema;
  return field.default === undefined ? v.optional(schema) : v.optional(schema, field.default);
}

/**
 * The run-time check of an action’s `fields` object. It takes what `fieldsJsonSchema` of the same definition takes, less
 * what a JSON Schema cannot say: telephone numbers that do not exist, content inside a text, and a date before its start.
 */
export function fieldsSchema(
  fields: Fields,
  registry: Registry,
): v.GenericSchema<unknown, FieldValues> {
  const closed = v.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        optional(field, fieldSchema(field, registry)),
      ]),
    ),
  );
  const ordered = Object.entries(fields).flatMap(([name, { notBefore }]) =>
    notBefore === undefined
      ? []
      : v.rawCheck<FieldValues>(({ dataset, addIssue }) => {
          if (!isObject(dataset.value)) return;
          const input: Record<string, unknown> = dataset.value;
          const { [notBefore]: start, [name]: end } = input;
          if (
            typeof start === 'string' &&
            typeof end === 'string' &&
            isCalendarDate(start) &&
            isCalendarDate(end) &&
            end < start
          )
            addIssue({
              message: `Choose a day on or after ${notBefore}.`,
              path: [{ type: 'object', origin: 'value', input, key: name, value: end }],
            });
        }),
  );
  return (v.pipe as unknown as (...steps: unknown[]) => v.GenericSchema<unknown, FieldValues>)(
    closed,
    ...ordered,
    expecting('Send the fields of the action as an object.'),
  );
}

const cache = new WeakMap<Fields, v.GenericSchema<unknown, FieldValues>>();

/** `fieldsSchema`, made once for each definition. */
export function fieldsSchemaOf(
  fields: Fields,
  registry: Registry,
): v.GenericSchema<unknown, FieldValues> {
  let schema = cache.get(fields);
  if (!schema) cache.set(fields, (schema = fieldsSchema(fields, registry)));
  return schema;
}
