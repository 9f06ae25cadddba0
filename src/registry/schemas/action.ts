import { z } from 'zod';
import { type Fields, kindOf, listFutureDateFields } from '../../fields/fields.ts';
import { FUTURE_DAY_RULE } from '../../fields/kinds/date.ts';
import { choices, field, fields, findChoiceProblem } from './field.ts';
import { addFault, createMaxLengthRule, dollars, integer, key, line } from './text.ts';
import { WHOLE_DAY_HOURS } from '../../site/calendar/hold-end.ts';
import { CLOSED_ANSWER_RULE } from '../../site/calendar/answer-deadline.ts';
import { formatQuantity } from '../../site/words/quantity.ts';

const fieldReference = z.string().min(1);

/** What a submission does besides creating a lead, and the form fields that this effect uses. */
export const effect = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('route').describe('Returns the service to visit next.'),
    serviceField: fieldReference.describe('Field with the name of the chosen subsite.'),
  }),
  z.strictObject({
    kind: z.literal('storefront').describe('Provisions a preview page under /biz at once.'),
    nameField: fieldReference.describe('Field with the business name, which becomes the slug.'),
    ideaField: fieldReference.describe('Field with the business idea, shown as the page text.'),
    themeField: fieldReference.describe('Enum field that selects the theme.'),
    placeField: fieldReference.describe('Field with the town of the business.'),
    offeringsField: fieldReference.describe('Field with the offerings, as JSON text.'),
  }),
  z.strictObject({
    kind: z
      .literal('hold')
      .describe('Holds a catalog item for a range of dates until the provider confirms.'),
    catalog: key.describe('Subsite whose catalog lists the items.'),
    itemField: fieldReference.describe('Field with the item ID.'),
    fromField: fieldReference.describe('Date field with the first day of the hold.'),
    toField: fieldReference.describe('Date field with the last day of the hold.'),
    hours: integer(1, 720).describe(
      'Hours until an unconfirmed hold expires, unless an offer extends it. A hold of 24 hours or more that would end during one of its days lasts until that day ends; no hold outlasts its last day.',
    ),
    minutesWithoutContact: integer(1, 43_200)
      .default(30)
      .describe(
        'Minutes until a hold without contact details expires, at most `hours`; default 30.',
      ),
    furthestDays: integer(1, 3650)
      .default(180)
      .describe('Maximum number of days ahead that a hold may start; default 180.'),
    longestDays: integer(1, 366)
      .default(30)
      .describe('Maximum length of a hold in days, including the first and last; default 30.'),
    chargedDays: z
      .strictObject({
        of: integer(2, 366).describe('Number of consecutive days.'),
        as: integer(1, 365).describe('Number of days charged for them.'),
      })
      .refine((chargedDays) => chargedDays.as < chargedDays.of, {
        path: ['as'],
        error:
          'is not less than of. Use a smaller number of days, because it is the number charged',
      })
      .optional()
      .describe('A discount for consecutive days, such as {of: 7, as: 5}.'),
    deposit: dollars
      .positive()
      .optional()
      .describe('Refundable deposit for one hold, in the currency of the item’s price.'),
  }),
  z.strictObject({
    kind: z
      .literal('import')
      .describe('Marks an action that is submitted by a nightly import, not by a person.'),
    keyField: fieldReference.describe(
      'Field with the partner’s lead ID; each ID creates one lead.',
    ),
  }),
]);

/** How an action’s entry in the capability catalog differs from the action itself. */
const capabilityOffer = z.strictObject({
  fields: z
    .record(z.string(), field)
    .optional()
    .describe(
      'Field definitions that replace or extend the fields of the action in the capability’s input.',
    ),
  limitations: z
    .array(line(300))
    .optional()
    .describe('Additional limitations to list in the capability catalog.'),
});

/** Describes when a hold ends, with and without contact details. */
const describeHold = ({ hours, minutesWithoutContact }: HoldEffect): string =>
  `An item is held for ${formatQuantity(hours, 'hour')}, or until the last day ends if that is sooner.${hours < WHOLE_DAY_HOURS ? '' : ' If that time is up during one of the days, the item is held until that day ends.'} Without a phone number or an email address, it is held for ${formatQuantity(minutesWithoutContact, 'minute')}.`;

/**
 * Adds the allowed days to the descriptions of date fields, and the duration to the description of
 * a hold, so that every channel includes them.
 */
function describeHoldLimits<
  Value extends {
    description: string;
    effect?: Effect | undefined;
    fields: Fields;
    capability?: { fields?: Fields | undefined } | undefined;
  },
>(value: Value): Value {
  const { effect, capability } = value;
  const hold = effect?.kind === 'hold' ? effect : undefined;
  const limits = {
    ...Object.fromEntries(
      listFutureDateFields(value.fields)
        .filter((name) => value.fields[name]!.notBefore === undefined)
        .map((name) => [name, FUTURE_DAY_RULE]),
    ),
    ...(hold && {
      [hold.fromField]: `Today before closing time, or a later day, at most ${formatQuantity(hold.furthestDays, 'day')} ahead.`,
      [hold.toField]: `At most ${formatQuantity(hold.longestDays, 'day')}, counting the first and last.`,
    }),
  };
  const withLimits = (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        Object.hasOwn(limits, name)
          ? {
              ...field,
              description: [field.description, limits[name]].filter(Boolean).join(' '),
            }
          : field,
      ]),
    );
  return {
    ...value,
    ...(hold && { description: `${value.description} ${describeHold(hold)}` }),
    fields: withLimits(value.fields),
    ...(capability?.fields && {
      capability: { ...capability, fields: withLimits(capability.fields) },
    }),
  };
}

/** The field kinds that each key of an effect may name. */
const effectFieldTypes: Readonly<Record<string, readonly Fields[string]['type'][]>> = {
  serviceField: ['string', 'enum'],
  nameField: ['string'],
  ideaField: ['string'],
  themeField: ['enum'],
  placeField: ['string'],
  offeringsField: ['string'],
  itemField: ['string', 'enum'],
  fromField: ['date'],
  toField: ['date'],
  keyField: ['string'],
};

/**
 * Finds errors in the fields that an effect names, by key; unknown fields are reported elsewhere.
 */
function* findEffectProblems(effect: Effect | undefined, all: Fields): Generator<[string, string]> {
  for (const [part, reference] of Object.entries(effect ?? {})) {
    const types = effectFieldTypes[part];
    const field = typeof reference === 'string' ? all[reference] : undefined;
    if (!types || !field) continue;
    if (!types.includes(field.type))
      yield [part, `names a field of type ${field.type}. Name one of type ${types.join(' or ')}`];
    else if (part === 'offeringsField' && field.content?.kind !== 'offerings')
      yield [
        part,
        'names a field whose content is not offerings. Add content: {kind: offerings, max: 5} to the field',
      ];
  }
  if (effect?.kind === 'hold' && effect.fromField === effect.toField)
    yield [
      'toField',
      'is the same field as fromField. Name a different date field for the last day',
    ];
}

export const action = z
  .strictObject({
    verb: z
      .string()
      .max(...createMaxLengthRule(80))
      .regex(
        /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/,
        'is not a valid verb. Use snake_case, such as request_quote',
      )
      .describe('Operation name, normally snake_case.'),
    title: line(60).describe('Heading and button label of the form, such as “Request a quote”.'),
    request: line(60)
      .optional()
      .describe(
        'Name of the submitted request, worded to follow “your”, such as “request for a quote”. Receipts and email then read “Your request for a quote was sent”. Default: “request”.',
      ),
    description: line(400).describe(
      'What happens when the action is submitted, in one or two sentences for agents and developers.',
    ),
    intro: line(240).optional().describe('Text above the form; default: the description.'),
    messageHint: line(240)
      .optional()
      .describe(
        'What else to tell the provider if the form has no field for it, such as “Write which kinds you want.”; the receipt then starts with the message box.',
      ),
    cancellation: line(240)
      .optional()
      .describe('What canceling a confirmed request costs the person, in one sentence.'),
    bring: z
      .array(
        z.union([
          line(120),
          z.strictObject({
            text: line(120),
            for: choices.describe(
              'Choices to which the entry applies, by field, such as {size: [5x8]}.',
            ),
          }),
        ]),
      )
      .min(1)
      .max(8)
      .optional()
      .describe(
        'What a person must bring, pay or fulfill; shown as a list next to the form. Receipts and email omit entries that apply only to other choices.',
      ),
    fields: fields.describe('Fields by name; may be empty.'),
    resultExample: z
      .string()
      .optional()
      .describe('JSON text of a sample result; {base} is replaced by the service’s origin.'),
    effect: effect.optional().describe('Effect of a submission in addition to creating a lead.'),
    purpose: z
      .enum(['question', 'subscription'])
      .optional()
      .describe(
        'question if a confirmation neither sells nor books anything, so that no published price applies; subscription if the person only joins a list and nobody has to answer. By default the provider confirms what was requested, at the published price.',
      ),
    salesTaxPercent: z
      .number()
      .positive()
      .max(30)
      .optional()
      .describe(
        'Sales tax rate, in percent, that is added to published prices and offers. Totals and offers then show the tax and the total with tax.',
      ),
    visitField: fieldReference
      .optional()
      .describe(
        'Text field for the street address and convenient times, if the provider comes to the customer.',
      ),
    providerMayPay: z
      .literal(true)
      .optional()
      .describe(
        'true if the provider may buy something from the customer: the offer form then asks who pays.',
      ),
    capability: capabilityOffer
      .optional()
      .describe(
        'Present if the action is in the capability catalog; {} if its entry does not differ.',
      ),
    contact: z
      .enum(['required', 'optional'])
      .default('required')
      .describe(
        'required (default) if the provider has to answer: the form then requires a phone number or an email address, and a lead with neither is flagged. optional if the receipt itself is the answer.',
      ),
    respondWithinHours: integer(1, 720).describe(
      `Hours within which the provider promises an answer, counting every hour. ${CLOSED_ANSWER_RULE}.`,
    ),
    retentionDays: integer(1, 3650).describe(
      'Days until a lead is erased, counted from its last change or, while it is open, from the last day in its date fields if that is later.',
    ),
  })
  .superRefine(({ fields, effect, visitField, bring = [], ...value }, context) => {
    const fault = (path: PropertyKey[], message: string) => addFault(context, path, message);
    const names = `Fields: ${Object.keys(fields).join(', ') || 'none'}`;
    for (const [name, { notBefore }] of Object.entries(fields))
      if (notBefore === name)
        fault(
          ['fields', name, 'notBefore'],
          'names the field itself. Name a different date field, or remove the key',
        );
      else if (notBefore && !(fields[notBefore] && kindOf(fields[notBefore]).isDay))
        fault(['fields', name, 'notBefore'], `does not name a date field of this action. ${names}`);
    for (const [part, problem] of findEffectProblems(effect, fields))
      fault(['effect', part], problem);
    const requireField = (path: PropertyKey[], name: string) => {
      if (!Object.hasOwn(fields, name))
        fault(path, `does not name a field of this action. ${names}`);
    };
    for (const [part, name] of Object.entries(effect ?? {}))
      if (part.endsWith('Field') && typeof name === 'string') requireField(['effect', part], name);
    if (visitField !== undefined) requireField(['visitField'], visitField);
    for (const [index, entry] of bring.entries())
      for (const [name, values] of Object.entries(typeof entry === 'string' ? {} : entry.for)) {
        const problem = findChoiceProblem(name, values, [fields]);
        if (problem) fault(['bring', index, 'for', name], problem);
      }
    if (effect?.kind === 'import' && value.contact === 'required')
      fault(['contact'], 'is required, but no person submits an import. Use contact: optional');
    if (value.resultExample !== undefined) {
      try {
        JSON.parse(value.resultExample);
      } catch {
        fault(['resultExample'], 'is not valid JSON. Use one JSON value');
      }
    }
  })
  .transform(describeHoldLimits)
  .describe('One action of a subsite; submitting it creates a lead.');

export type Action = z.infer<typeof action>;
export type Effect = z.infer<typeof effect>;
export type HoldEffect = Extract<Effect, { kind: 'hold' }>;
