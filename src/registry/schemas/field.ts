import { z } from 'zod';
import { type Field, fieldTypes, kindOf } from '../../fields/fields.ts';
import type { FieldKind } from '../../fields/kind.ts';
import { kinds } from '../../fields/kinds/index.ts';
import { suggestNearest } from '../../site/corrections/similar-names.ts';
import { addFault, createMaxLengthRule, integer, key, line, safeKey } from './text.ts';

const [maxNameLength, error] = createMaxLengthRule(64);

/** A name that is too long aborts the check, because other faults of the record would repeat it. */
const fieldName = z
  .string()
  .max(maxNameLength, { error, abort: true })
  .regex(/^[a-z][A-Za-z0-9]*(?:_[a-z0-9]+)*$/, 'is not a field name. Use snake_case or camelCase')
  .check(safeKey);

/** Structure of a text field, checked when an action is submitted. */
const fieldContent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('subsite').describe('The text is the name of a subsite.') }),
  z.strictObject({
    kind: z
      .literal('codes')
      .describe('The text is a comma-separated list of codes; an array of codes is also accepted.'),
    codes: z
      .array(key.or(z.string().regex(/^[a-z_]+$/)))
      .min(1)
      .describe('Codes that the list may contain.'),
  }),
  z.strictObject({
    kind: z
      .literal('offerings')
      .describe(
        'The text is a JSON array of offerings {name, desc, priceCents, kind}; the array itself is also accepted.',
      ),
    max: integer(1, 20).describe('Maximum number of offerings in the array.'),
  }),
  z.strictObject({
    kind: z
      .literal('name')
      .describe('The text is a name with at least one letter or digit, such as a business name.'),
  }),
]);

export const field = z
  .strictObject({
    type: z
      .enum(fieldTypes)
      .describe(`Kind of value: ${fieldTypes.slice(0, -1).join(', ')} or ${fieldTypes.at(-1)}.`),
    required: z.boolean().describe('True if the action is rejected without this field.'),
    enum: z
      .array(line(80))
      .min(1)
      .optional()
      .describe('Values to choose from; only with type enum.'),
    description: line(300)
      .optional()
      .describe('What to send in this field, in one sentence for agents and developers.'),
    example: line(300).optional().describe('Sample value, as text; never real personal data.'),
    label: line(60)
      .optional()
      .describe('Label of the form input; default: the field name in words.'),
    hint: line(160).optional().describe('Help text shown below the label.'),
    options: z
      .record(z.string(), line(60))
      .optional()
      .describe('Display text for each value of an enum or each code of a list.'),
    item: z
      .boolean()
      .optional()
      .describe(
        'True if the text is the ID of one of the subsite’s items: the item’s page sends the ID, the form lists the items, and any other ID is rejected.',
      ),
    place: z
      .boolean()
      .optional()
      .describe(
        'True if the text names where the service is needed: the receipt warns of a town or ZIP code outside the service area.',
      ),
    known: line(80)
      .optional()
      .describe('Value that the form sends automatically, without asking the person.'),
    emergency: line(80)
      .optional()
      .describe(
        'Enum value that marks the request as an emergency. The inbox and the email to the provider highlight it, and the receipt shows which number to call.',
      ),
    today: line(80)
      .optional()
      .describe(
        'Enum value that stands for the day of the request. The form shows which number to call, and so does the receipt if the answer is promised only for a later day.',
      ),
    default: line(80).optional().describe('Value used if an optional enum field is omitted.'),
    initial: line(80)
      .optional()
      .describe('Enum value that is selected when the form opens; the person can change it.'),
    more: z
      .boolean()
      .optional()
      .describe(
        'True if the form asks for it below the contact details, in a section that is collapsed at first.',
      ),
    notBefore: fieldName
      .optional()
      .describe('Another date field of the same action, whose date this date must not precede.'),
    time: line(40)
      .optional()
      .describe(
        'Time of day for a date field, worded to follow the date, such as “by 7 pm”. Receipts, email and the inbox then read “Monday, November 9, 2026, by 7 pm”.',
      ),
    past: z
      .boolean()
      .optional()
      .describe(
        'True if a date field accepts past dates, such as a date of purchase; by default, only today or later.',
      ),
    minimum: z.number().optional().describe('Minimum of a number field.'),
    maximum: z.number().optional().describe('Maximum of a number field.'),
    integer: z.boolean().optional().describe('True if a number field accepts only whole numbers.'),
    content: fieldContent.optional().describe('Structure of the text, checked on submission.'),
    services: z
      .strictObject({
        unsure: key.describe('Subsite that people choose as “Not sure”.'),
        groups: z
          .record(line(60), z.array(key).min(1))
          .describe('Subsites that take requests, by heading.'),
      })
      .optional()
      .describe(
        'Services that the form lists in a field for a subsite’s name; by default, all subsites. Other names remain valid.',
      ),
  })
  .superRefine((value, context) => {
    const fault = (key: string, message: string) => addFault(context, [key], message);
    for (const [key, problem] of kindOf(value).findSpecFaults?.(value) ?? []) fault(key, problem);
    for (const [name, { keys = [] }] of Object.entries<FieldKind>(kinds))
      for (const key of keys)
        if (value[key] !== undefined && name !== value.type)
          fault(key, `is only for ${name} fields. Remove it or set type: ${name}`);
    for (const key of ['default', 'initial', 'emergency', 'today'] as const)
      if (value[key] !== undefined && !value.enum?.includes(value[key]))
        fault(key, 'is not one of the enum values. Choose one of them');
    if (value.services && value.content?.kind !== 'subsite')
      fault('services', 'is only for content {kind: subsite}. Remove it or add that content');
    if (value.more && value.required && value.initial === undefined)
      fault('more', 'hides a required field. Remove it, or add an initial value');
    const choices = value.enum ?? (value.content?.kind === 'codes' ? value.content.codes : []);
    for (const option of Object.keys(value.options ?? {}))
      if (!choices.includes(option))
        fault(
          'options',
          `names ${option}, which is not a value of this field. Correct or remove it`,
        );
  })
  .describe('A field of an action.') satisfies z.ZodType<Field>;

/** Values of enum fields by field name. */
export const choices = z.record(z.string(), z.array(z.string()).min(1));

/** Fields of an action by name; may be empty. */
export const fields = z.record(fieldName, field);

/**
 * Explains why none of the actions, each given as its fields, has an enum field with this name and
 * all of these values; undefined if one does.
 */
export function findChoiceProblem(
  name: string,
  values: readonly string[],
  actions: readonly Readonly<Record<string, Field>>[],
): string | undefined {
  const enumFields = actions.flatMap((action) =>
    Object.entries(action).flatMap(([key, { enum: known }]) => (known ? [{ key, known }] : [])),
  );
  const [closest] = enumFields
    .filter(({ key }) => key === name)
    .map(({ known }) => ({ known, wrong: values.filter((value) => !known.includes(value)) }))
    .sort((a, b) => a.wrong.length - b.wrong.length);
  if (!closest) {
    const names = [...new Set(enumFields.map(({ key }) => key))];
    return `is not an enum field of the action. Enum fields: ${names.join(', ') || 'none'}`;
  }
  const [wrong] = closest.wrong;
  // A field without values is reported separately.
  return wrong === undefined || !closest.known.length
    ? undefined
    : `names ${wrong}, which is not a value of the field ${name}.${suggestNearest(wrong, closest.known)} Use one of ${closest.known.join(', ')}`;
}
