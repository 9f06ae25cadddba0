import * as v from 'valibot';
import { knownValuesOf } from '../../fields/fields.ts';
import type { Context } from '../../operation/context.ts';
import { jsonSchemaOf } from '../../operation/json-schema.ts';
import { defineOperation, queryParameter } from '../../operation/operation.ts';
import { withDescription, createTextSchema } from '../../operation/validate.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import { addDays, countDaysBetween, listDays } from '../../site/calendar/days.ts';
import { isClosedOn } from '../../site/calendar/opening-hours.ts';
import { digestContract } from '../../site/contract.ts';
import { FREE_DAYS_PATH } from '../../site/hold-action.ts';
import { computeRentalTotal, findCheaperTotal, rentalTermsOf } from '../../site/prices/rental.ts';
import { computeTax } from '../../site/prices/sales-tax.ts';
import type { Site } from '../../site/site.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { isAboutMissingText } from '../status/lead-warnings.ts';
import { listReceiptWarnings, taxMembers } from '../status/receipt.ts';
import { computeAnswerDeadline } from '../status/promised-answer.ts';
import { computeHoldDays, DAYS_PER_CALENDAR, findHold } from './free-days.ts';
import {
  type FreeDaysQuery,
  listHoldSubsites,
  MAX_DAYS,
  parseFreeDaysQuery,
} from './free-days-query.ts';
import { readAvailableUnits } from './live-holds.ts';

const day = (description: string) => v.pipe(v.string(), v.isoDate(), v.description(description));
const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));

const totalSchema = withDescription(
  v.strictObject({
    amount: createTextSchema('Total before sales tax, a decimal number.'),
    currency: createTextSchema('ISO 4217 code.'),
    calculation: createTextSchema('How the total is calculated.'),
    ...taxMembers,
    withTax: v.optional(createTextSchema('Total with sales tax, as text for people.')),
    deposit: v.optional(createTextSchema('Refundable deposit in addition, a decimal number.')),
    terms: v.optional(createTextSchema('Published notes about the price.')),
    cheaper: v.optional(
      createTextSchema('Calculation for the next longer rental that costs less, if any.'),
    ),
  }),
  'Published total for the days in the query; absent without both days, or if there are too many for a hold. It is not binding until the provider confirms it.',
);

const freeDaysSchema = withDescription(
  v.strictObject({
    subsite: createTextSchema('Subsite name.'),
    item: createTextSchema('ID of the item.'),
    title: createTextSchema('Display title of the item.'),
    units: count('Number of units of this item that exist.'),
    from: day('First day of this response.'),
    to: day('Last day of this response.'),
    free: count('Number of units that one hold can have on every day of the response.'),
    days: withDescription(
      v.array(
        v.strictObject({
          day: day('The day.'),
          free: count('Number of units that a hold can have on this day; 0 if all are held.'),
          closed: v.optional(
            withDescription(
              v.literal(true),
              'Present if the provider is closed, so pickup and return need a call.',
            ),
          ),
        }),
      ),
      'Every day in the response.',
    ),
    earliestStart: day('First day on which a hold can begin.'),
    latestStart: day('Last day on which a hold can begin.'),
    longestDays: count('Maximum number of days of a hold.'),
    total: v.optional(totalSchema),
    notice: v.optional(
      createTextSchema(
        'Why the body has no days although the query does: no unit is available on all of them, or there are too many for a hold, so there is no total either. For a body with days, the warnings that its receipt would have, for example about a closed day.',
      ),
    ),
    submit: withDescription(
      v.strictObject({
        method: v.literal('POST'),
        url: v.pipe(v.string(), v.url(), v.description('URL for submitting actions.')),
        body: withDescription(
          v.strictObject({
            subsite: createTextSchema('Subsite name.'),
            action: createTextSchema('Verb of the action.'),
            contract: createTextSchema('Digest of the action’s contract.'),
            fields: withDescription(
              v.objectWithRest({}, v.string()),
              'The item, fixed values and, if free is not 0, the days from the query.',
            ),
          }),
          'The body so far; the manifest has the other fields and the contact.',
        ),
        firstDayField: createTextSchema('Name of the field for the first day.'),
        lastDayField: createTextSchema('Name of the field for the last day.'),
        manifest: v.pipe(v.string(), v.url(), v.description('URL of the record with all fields.')),
      }),
      'How to hold the item. Free days are not reserved until a hold is submitted.',
    ),
  }),
  'Free days of an item.',
);

type FreeDays = v.InferOutput<typeof freeDaysSchema>;

function createTotal(
  { item, days }: FreeDaysQuery,
  { effect, action }: NonNullable<ReturnType<typeof findHold>>,
): FreeDays['total'] {
  const rule = rentalTermsOf(effect, action);
  const total = computeRentalTotal(rule, item, days);
  if (!total) return undefined;
  const { amount, currency, price: calculation, withTax, depositAmount, notes } = total;
  const cheaper = findCheaperTotal(rule, item, days)?.price;
  return {
    amount,
    currency,
    calculation,
    ...computeTax(amount, action.salesTaxPercent),
    ...(withTax !== undefined && { withTax }),
    ...(depositAmount !== undefined && { deposit: depositAmount }),
    ...(notes !== undefined && { terms: notes }),
    ...(cheaper !== undefined && { cheaper }),
  };
}

/** The warnings on the receipt of a request with these fields, contact details and other text. */
function describeWarnings(
  { subsite, action }: { subsite: Subsite; action: Action },
  fields: Readonly<Record<string, string>>,
  { site: { registry }, now }: Pick<Context, 'site' | 'now'>,
): string | undefined {
  const request = { subsite: subsite.name, action: action.verb, fields };
  const lead = {
    ...request,
    receiptToken: SANDBOX_TOKEN,
    createdAt: now().toISOString(),
    firstAnswerDue: computeAnswerDeadline(registry, request, now()),
    isEmergency: false,
    isReachable: true,
    hasEmail: true,
  };
  const warnings = listReceiptWarnings(registry, lead, {}).filter(
    (warning) => !isAboutMissingText(warning),
  );
  return warnings.map(({ message }) => message).join(' ') || undefined;
}

function createAnswer(
  query: FreeDaysQuery,
  availableUnits: readonly number[],
  context: Pick<Context, 'site' | 'now'>,
): FreeDays {
  const { subsite, item, days, areDaysChosen } = query;
  const { registry, base } = context.site;
  const hold = findHold(registry, subsite)!;
  const { action, effect } = hold;
  const canBeHeld = areDaysChosen && countDaysBetween(days) < effect.longestDays;
  const total = canBeHeld ? createTotal(query, hold) : undefined;
  const { first, latestStart } = computeHoldDays(subsite, effect, context);
  const free = availableUnits.at(-1)!;
  const hasDays = canBeHeld && free > 0;
  const fields = {
    ...knownValuesOf(action.fields),
    [effect.itemField]: item.id,
    ...(hasDays && { [effect.fromField]: days.from, [effect.toField]: days.to }),
  };
  const missingDaysNotice = canBeHeld
    ? 'No unit is available on all of these days, so the body has no days. Choose other days, or a different item.'
    : `A hold can last at most ${formatQuantity(effect.longestDays, 'day')}, so there is no total, and the body has no days.`;
  const describeChosenDays = () =>
    hasDays ? describeWarnings({ subsite, action }, fields, context) : missingDaysNotice;
  const notice = areDaysChosen ? describeChosenDays() : undefined;
  return {
    subsite: subsite.name,
    item: item.id,
    title: item.title,
    units: item.units ?? 1,
    ...days,
    free,
    days: listDays(days).map((each, index) => ({
      day: each,
      free: availableUnits[index]!,
      ...(isClosedOn(subsite, each) && { closed: true as const }),
    })),
    earliestStart: first,
    latestStart,
    longestDays: effect.longestDays,
    ...(total && { total }),
    ...(notice !== undefined && { notice }),
    submit: {
      method: 'POST',
      url: `${base}/api/lead/action`,
      body: {
        subsite: subsite.name,
        action: action.verb,
        contract: digestContract(subsite, action),
        fields,
      },
      firstDayField: effect.fromField,
      lastDayField: effect.toField,
      manifest: `${base}/api/agent/${subsite.name}`,
    },
  };
}

/**
 * The example in the OpenAPI document: the first item that can be held, with no holds on it yet.
 */
function createExample(site: Site): { input: FreeDaysQuery; answer: FreeDays } {
  const subsite = listHoldSubsites(site.registry)[0]!;
  const { effect, items } = findHold(site.registry, subsite)!;
  const item = items[0]!;
  const context = { site, now: () => new Date(site.generatedAt) };
  const { first } = computeHoldDays(subsite, effect, context);
  const days = { from: first, to: addDays(first, 2) };
  const input = { subsite, item, days, areDaysChosen: true };
  const availableUnits = [...listDays(days), days].map(() => item.units ?? 1);
  return { input, answer: createAnswer(input, availableUnits, context) };
}

/** Lists the available days of an item that a request can hold. */
export const listFreeDays = defineOperation<FreeDaysQuery, FreeDays>({
  name: 'list-free-days',
  summary: 'List the available days of an item',
  description: `For an item that an action holds, such as a trailer, lists the units available on each day, the published total for the chosen days, and the body that holds the item on those days. from and to are the first and the last day, at most ${MAX_DAYS} days; by default, the response has ${DAYS_PER_CALENDAR} days from the first day on which a hold can begin. It never shows who holds an item, and reserves nothing.`,
  method: 'GET',
  path: FREE_DAYS_PATH,
  problems: ['invalid_input'],
  query: ['subsite', 'item', 'from', 'to'],
  describe: (site) => {
    const example = createExample(site);
    const daySchema = { type: 'string', format: 'date' };
    return {
      parameters: [
        queryParameter('subsite', 'Name of a subsite with an action that holds items.', {
          required: true,
          schema: {
            type: 'string',
            enum: listHoldSubsites(site.registry).map(({ name }) => name),
          },
          example: example.input.subsite.name,
        }),
        queryParameter('item', 'ID of an item, as in the item field of the action.', {
          required: true,
          example: example.input.item.id,
        }),
        queryParameter('from', 'First day, YYYY-MM-DD.', { schema: daySchema }),
        queryParameter('to', 'Last day, YYYY-MM-DD.', { schema: daySchema }),
      ],
      response: jsonSchemaOf(freeDaysSchema),
      responseExample: example.answer,
    };
  },
  parse: parseFreeDaysQuery,
  async handle(input, _call, context) {
    const { subsite, item, days } = input;
    const availableUnits = await readAvailableUnits(
      findHold(context.site.registry, subsite)!,
      item,
      [...listDays(days).map((each) => ({ from: each, to: each })), days],
      context,
    );
    return { output: createAnswer(input, availableUnits, context), replayed: false };
  },
});
