import * as v from 'valibot';
import { isCalendarDate } from '../../fields/kinds/date.ts';
import { createFilledTextSchema, createTextLengthCheck } from '../../fields/text-length.ts';
import { validateValue, withExpectation } from '../../operation/validate.ts';
import { offerInputs } from '../../text/index.ts';
import { fill } from '../../text/fill.ts';
import { MAX_NOTE_LENGTH } from '../write-entry.ts';
import type { LeadStatus } from '../lead-states.ts';
import type { ProviderAction } from './conversation.ts';
import { explainPriceMistake } from './price-mistake.ts';
import { locale } from '../../language.ts';

const TEXT_RULE = `Enter at most ${MAX_NOTE_LENGTH.toLocaleString(locale)} characters of text. The customer will read it.`;
const textSchema = v.pipe(
  createFilledTextSchema(MAX_NOTE_LENGTH, createTextLengthCheck(MAX_NOTE_LENGTH, TEXT_RULE)),
  withExpectation(TEXT_RULE, {
    instruction: `Write your message, in at most ${MAX_NOTE_LENGTH.toLocaleString(locale)} characters.`,
  }),
);

const MAX_OFFER_DAYS = 90;
const MAX_DESCRIPTION_LENGTH = 1_000;

/** The number of hours in a period such as `48h` or `7d`. */
export const hoursOf = (period: string): number =>
  Number.parseInt(period, 10) * (period.endsWith('d') ? 24 : 1);

const PRICE_RULE = 'Enter the price as a decimal number, for example 450 or 450.00.';
const AMOUNT_PATTERN = /^(?:0|[1-9]\d{0,8})(?:\.\d{1,2})?$/;

const amountSchema = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || AMOUNT_PATTERN.test(dataset.value)) return;
    const mistake = explainPriceMistake(dataset.value);
    addIssue({ message: mistake ?? PRICE_RULE, expected: mistake ?? offerInputs.enterPrice });
  }),
  v.transform((digits) => Number(digits).toFixed(2)),
  withExpectation(PRICE_RULE, { instruction: offerInputs.enterPrice }),
);

const currencies = new Set(Intl.supportedValuesOf('currency'));
const currencySchema = v.pipe(
  v.string(),
  v.check((code) => currencies.has(code)),
  withExpectation('Enter an ISO 4217 code, for example USD.', {
    instruction: offerInputs.enterCurrency,
  }),
);

/** Who can pay the price of an offer; by default, the person. */
const payers = ['person', 'provider'] as const;

const periodSchema = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,3}[hd]$/),
  v.check((period) => hoursOf(period) <= 24 * MAX_OFFER_DAYS),
  withExpectation(
    `Enter how long the offer stays open, for example 48h or 7d, at most ${MAX_OFFER_DAYS}d.`,
    { instruction: offerInputs.choosePeriod },
  ),
);

const optionalDaySchema = v.optional(
  v.pipe(
    v.string(),
    v.check(isCalendarDate),
    withExpectation('Enter a day as YYYY-MM-DD.', { instruction: offerInputs.chooseDay }),
  ),
);

const optionalTextSchema = v.strictObject({ text: v.optional(textSchema) });
const requiredTextSchema = v.strictObject({ text: textSchema });

const optionalFlagSchema = v.optional(v.pipe(v.boolean(), withExpectation('Send true or false.')));

const bodySchemas = {
  acknowledge: optionalTextSchema,
  ask: requiredTextSchema,
  offer: v.strictObject({
    amount: amountSchema,
    currency: currencySchema,
    payer: v.optional(
      v.pipe(
        v.picklist(payers),
        withExpectation('Send person (the default) or provider.', {
          instruction: offerInputs.choosePayer,
        }),
      ),
    ),
    description: v.optional(
      v.pipe(
        createFilledTextSchema(MAX_DESCRIPTION_LENGTH),
        withExpectation(
          `Describe what the price includes in at most ${MAX_DESCRIPTION_LENGTH.toLocaleString(locale)} characters.`,
        ),
      ),
    ),
    expires: periodSchema,
    item: v.optional(
      v.pipe(createFilledTextSchema(200), withExpectation('Choose an item from the catalog.')),
    ),
    from: optionalDaySchema,
    to: optionalDaySchema,
    confirmOnAccept: optionalFlagSchema,
    free: optionalFlagSchema,
    // The price that the provider confirmed by sending the form again.
    checkedAmount: v.optional(v.string()),
    // Whether the provider confirmed, by sending the form again, that the offer has no visit time.
    checkedTime: optionalFlagSchema,
    text: v.optional(textSchema),
  }),
  confirm: v.strictObject({ text: v.optional(textSchema), accepted: optionalFlagSchema }),
  decline: optionalTextSchema,
  reply: requiredTextSchema,
} as const satisfies Record<ProviderAction, v.GenericSchema>;

/** Errors for answers to a confirmed request that lack text. */
const missingTexts: {
  readonly [Action in ProviderAction]?: Readonly<Record<'detail' | 'rule', string>>;
} = {
  decline: {
    detail: 'Enter the reason for canceling a confirmed request. The customer will read it.',
    rule: 'Enter the reason. The customer will read it.',
  },
  confirm: {
    detail:
      'This request is already confirmed. To change the time or other details, enter the new text, which replaces the old.',
    rule: 'Enter the new time, and everything else that still applies. The customer will read it.',
  },
};

/**
 * Why an action needs text in a state although no schema requires it; undefined if it needs none.
 */
export const findTextRule = (action: ProviderAction, status: LeadStatus) =>
  status === 'confirmed' ? missingTexts[action] : undefined;

/**
 * True if an answer needs text: a question, a reply, a change to a confirmed request, or the reason
 * for canceling it.
 */
export const requiresText = (action: ProviderAction, status: LeadStatus): boolean =>
  bodySchemas[action] === requiredTextSchema || findTextRule(action, status) !== undefined;

/** The validated body of an action. */
export type ProviderContent = {
  text?: string | undefined;
  /**
   * Whether a confirmation accepts the open offer for a customer who did so by phone; false
   * confirms the original request.
   */
  accepted?: boolean | undefined;
} & Partial<v.InferOutput<typeof bodySchemas.offer>>;

/**
 * Validates the body of an action. In the result, `content` is undefined if the body has the wrong
 * shape.
 */
export function checkContent(action: ProviderAction, body: unknown) {
  const schema = v.pipe(
    bodySchemas[action],
    withExpectation(`Send an object with ${Object.keys(bodySchemas[action].entries).join(', ')}.`),
  );
  const { output, errors } = validateValue(schema, body);
  const content: ProviderContent | undefined = output;
  const isZero = Number(content?.amount) === 0;
  if (action === 'offer' && isZero && content?.payer === 'provider')
    errors.push({
      pointer: '/amount',
      message: offerInputs.zeroPaid,
      ...(content.free && { instruction: fill(offerInputs.freePaid, { box: offerInputs.free }) }),
    });
  else if (action === 'offer' && content && isZero !== (content.free ?? false))
    errors.push({
      pointer: '/amount',
      message: isZero
        ? 'Enter a price above 0. If it is free of charge, send free: true.'
        : 'An offer that is free of charge has the price 0. Enter 0, or leave out free.',
      instruction: fill(isZero ? offerInputs.zero : offerInputs.notZero, { box: offerInputs.free }),
    });
  return { content, errors };
}
