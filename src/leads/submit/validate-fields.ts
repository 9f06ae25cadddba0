import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import * as v from 'valibot';
import { memoize } from '../../site/memoize.ts';
import { itemsOf, type Registry } from '../../site/registry.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { collapseToLine } from '../../operation/normalize-text.ts';
import { withExpectation } from '../../operation/validate.ts';
import { type Field, type Fields, kindOf } from '../../fields/fields.ts';
import type { CheckContext } from '../../fields/kind.ts';
import type { FieldValue } from '../../fields/spec.ts';
import { labelOf } from '../../site/words/field-words.ts';
import { EMAIL_RULE, emailSchema } from '../../fields/kinds/email.ts';
import { PHONE_RULE, createPhoneSchema } from '../../fields/kinds/phone.ts';
import { fieldInstructions } from '../../text/index.ts';

export type FieldValues = Record<string, FieldValue>;

/** A valid telephone number as E.164; numbers without a country code are read as US numbers. */
function parsePhone(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, 'US');
  return number?.isValid() ? number.number : undefined;
}

/** A telephone number of a contact, as E.164. */
export const phone = v.pipe(
  createPhoneSchema(parsePhone),
  withExpectation(PHONE_RULE, { instruction: fieldInstructions.phoneNumber }),
);

export const email = v.pipe(
  emailSchema,
  withExpectation(EMAIL_RULE, { instruction: fieldInstructions.emailAddress }),
);

function createFieldSchema(name: string, field: Field, context: CheckContext): v.GenericSchema {
  const kind = kindOf(field);
  const isName = field.content?.kind === 'name';
  const schema = v.pipe(
    kind.check(field, context),
    // Names appear in titles of pages and emails.
    v.transform((value) => (isName ? collapseToLine(String(value)) : value)),
    withExpectation(kind.rule(field), {
      allowed: kind.allowed?.(field),
      instruction: kind.instruction({ ...field, label: labelOf(name, field) }),
      // A form sends every value as text, so advice about JSON types does not apply.
      isParsedFromText: kind.read !== undefined,
    }),
  );
  if (field.required) return schema;
  return field.default === undefined ? v.optional(schema) : v.optional(schema, field.default);
}

/**
 * Run-time validator for the `fields` object of an action. It accepts the same objects as
 * `fieldsJsonSchemaOf`, except that it also rejects nonexistent phone numbers, malformed structured
 * text, and items that are not in the catalog of `subsite`.
 */
export function createFieldsSchema(
  fields: Fields,
  registry: Registry,
  subsite?: string,
): v.GenericSchema<unknown, FieldValues> {
  const context = {
    subsites: registry.subsites.map(({ name }) => name),
    items: subsite === undefined ? [] : itemsOf(registry, subsite).map(({ id }) => id),
    parsePhone,
  };
  return v.pipe(
    v.strictObject(
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [
          name,
          createFieldSchema(name, field, context),
        ]),
      ),
    ),
    withExpectation('Send the fields of the action as an object.'),
  ) as v.GenericSchema<unknown, FieldValues>;
}

/** `createFieldsSchema` of an action, cached. */
export const fieldsSchemaOf = memoize((registry: Registry) =>
  memoize(({ name }: Subsite) =>
    memoize((action: Action) => createFieldsSchema(action.fields, registry, name)),
  ),
);
