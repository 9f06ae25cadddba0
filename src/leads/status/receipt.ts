import * as v from 'valibot';
import { CLOSED_ANSWER_RULE } from '../../site/calendar/answer-deadline.ts';
import { phoneOf } from '../../site/phone.ts';
import { findSubsite, type Registry } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import type { LeadLog } from '../lead-log.ts';
import type { LeadInput } from '../submit/lead-input.ts';
import { addWarnings, createStateNotice } from './lead-notice.ts';
import { listOpenWarnings, warningCodes, type Warning } from './lead-warnings.ts';
import { requestSchema } from './lead-request.ts';
import { proofSchema } from './proof.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';
import { timestampSchema } from '../../operation/text-schemas.ts';
import { withDescription, createTextSchema } from '../../operation/validate.ts';

const time = withDescription(timestampSchema, 'ISO 8601 time in UTC.');
const address = v.pipe(v.string(), v.url());

/** Warnings about a request that is still open. */
export const warningsSchema = v.optional(
  withDescription(
    v.array(
      v.strictObject({
        code: withDescription(v.picklist(warningCodes), 'Code of the warning.'),
        message: createTextSchema('The warning, as in `notice`.'),
      }),
    ),
    'What the person should know or correct; absent if there is nothing.',
  ),
);

/** The reference that identifies a lead on the phone. */
export const referenceSchema = v.optional(
  createTextSchema(
    '16 letters and digits that identify the request on the phone; absent in the sandbox.',
  ),
);
export const phoneSchema = createTextSchema('Telephone number of the provider.');

/** Deadline for the provider's next answer. */
export const respondBySchema = v.optional(
  withDescription(
    timestampSchema,
    `Deadline for the provider’s next answer: respondWithinHours after the request or the message that awaits it, counting every hour, rounded down to a quarter of an hour. ${CLOSED_ANSWER_RULE}. Earlier if the first requested date would otherwise come first and the service is still open on it. A choice such as today does not shorten it: if the answer is due after the requested day, the warning answer_after_first_day says to call. For an accepted offer in an emergency, the day of acceptance counts as a requested date. Absent if no answer is pending.`,
  ),
);
/** Published terms that an offer may change. */
export const publishedTermsSchema = v.optional(
  createTextSchema(
    'Published notes and deposit. They apply to the offer unless its description says otherwise. Tell the person about them.',
  ),
);
/** Who pays the price of an offer. */
export const payerSchema = v.optional(
  withDescription(
    v.literal('provider'),
    'Present if the provider pays the person, as for goods that it buys. If absent, the person pays.',
  ),
);
/** The billing period of an offer's price. */
export const perSchema = v.optional(
  withDescription(
    v.literal('month'),
    'Present if the amount is due every month, as for a service whose published prices are all per month. If absent, it is due once.',
  ),
);
/** The deposit that is due in addition to a price. */
export const depositSchema = v.optional(
  createTextSchema(
    'Refundable deposit in addition to the amount, a decimal number. Absent for an offer whose description may change the published deposit.',
  ),
);
/** The sales tax on a price, and the total with tax. */
export const taxMembers = {
  tax: v.optional(
    createTextSchema(
      'Sales tax in addition to the amount, a decimal number. Absent if the published terms state no tax rate for the request, or nobody pays the provider; terms, publishedTerms and the page of the service say whether tax is included.',
    ),
  ),
  total: v.optional(
    createTextSchema(
      'Amount including the tax but not the deposit, a decimal number; present if `tax` is.',
    ),
  ),
};
/** The price that applies to a request. */
export const priceSchema = v.optional(
  withDescription(
    v.strictObject({
      amount: createTextSchema('Decimal number before sales tax, for example 450.00.'),
      ...taxMembers,
      currency: createTextSchema('ISO 4217 code.'),
      payer: payerSchema,
      per: perSchema,
      offerId: v.optional(
        createTextSchema('ID of the accepted offer; absent if the price is the published total.'),
      ),
      deposit: depositSchema,
      terms: v.optional(
        createTextSchema(
          'Published notes about the published total, such as sales tax. Tell the person about them.',
        ),
      ),
      description: v.optional(createTextSchema('What the price of the accepted offer includes.')),
      publishedTerms: publishedTermsSchema,
    }),
    'Current price of the request: the price of the accepted offer, or else the published total. Absent while an offer is open, if no total is published, and after the request has ended.',
  ),
);
export type AppliedPrice = NonNullable<v.InferOutput<typeof priceSchema>>;

export const serviceSchema = v.optional(
  withDescription(
    v.strictObject({
      name: createTextSchema('Subsite name.'),
      title: createTextSchema('Its title.'),
      url: withDescription(address, 'Its page.'),
    }),
    'The service to visit next, if the action routes to one.',
  ),
);

/** The response of every channel that creates leads. */
export const receiptSchema = withDescription(
  v.strictObject({
    receiptToken: createTextSchema('21 characters that identify the lead; sandbox in the sandbox.'),
    status: withDescription(
      v.literal('new'),
      'Initial state of the lead, even in a replayed response; statusUrl has the current state.',
    ),
    reference: referenceSchema,
    statusUrl: withDescription(address, 'URL of the lead status as JSON.'),
    statusEtag: v.optional(
      createTextSchema(
        'ETag of the current status. Send it as If-None-Match with statusUrl?wait=60 to wait for the next change.',
      ),
    ),
    receiptUrl: withDescription(address, 'URL of the receipt page for people.'),
    phone: phoneSchema,
    subsite: createTextSchema('Subsite that received the lead.'),
    action: withDescription(
      v.nullable(v.string()),
      'Verb of the action; null for a lead without an action.',
    ),
    createdAt: time,
    respondBy: respondBySchema,
    price: priceSchema,
    notice: createTextSchema(
      'Explanation of the receipt, which is not a confirmed booking or payment.',
    ),
    warnings: warningsSchema,
    service: serviceSchema,
    previewUrl: v.optional(withDescription(address, 'URL of the new storefront.')),
    hold: v.optional(
      withDescription(
        v.strictObject({ expiresAt: time }),
        'When the unconfirmed hold of the item expires.',
      ),
    ),
    request: v.optional(
      withDescription(requestSchema, 'What was requested, as in the lead status.'),
    ),
    sandbox: v.optional(withDescription(v.literal(true), 'Present if nothing was stored or sent.')),
    proof: proofSchema,
  }),
  'Receipt of a lead. It is not a confirmed booking or payment.',
);

export type Receipt = v.InferOutput<typeof receiptSchema>;
/** Members that an effect adds to a receipt. */
export type ReceiptExtra = Pick<Receipt, 'service' | 'previewUrl' | 'hold'>;

export const createStatusUrl = (base: string, receiptToken: string): string =>
  `${base}/api/lead/${receiptToken}`;
export const createReceiptUrl = (base: string, receiptToken: string): string =>
  `${base}/receipt/${receiptToken}`;

/** URL of the calendar file for a confirmed request with dates. */
export const createCalendarUrl = (base: string, receiptToken: string): string =>
  `${createReceiptUrl(base, receiptToken)}/calendar`;

/** The parts of a lead that affect its receipt. */
interface LeadForReceipt extends Pick<
  LeadLog,
  | 'receiptToken'
  | 'subsite'
  | 'action'
  | 'createdAt'
  | 'isEmergency'
  | 'isReachable'
  | 'hasEmail'
  | 'reference'
> {
  /** Fields of the lead, which may include a ZIP code outside the service area. */
  fields?: LeadInput['fields'] | undefined;
  /** Deadline for the first answer, ISO 8601. */
  firstAnswerDue?: string | undefined;
}

/** Start of the notice on a sandbox receipt; the warnings of a real receipt follow. */
const SANDBOX_NOTICE =
  'This was a test in the sandbox: the request is valid, and nothing was stored, sent or booked. statusUrl shows a fixed sample, not this request.';

/** The warnings on the receipt of a new lead, except those about how it was sent. */
export function listReceiptWarnings(
  registry: Registry,
  lead: LeadForReceipt,
  { hold }: ReceiptExtra,
): Warning[] {
  const { createdAt, firstAnswerDue } = lead;
  return listOpenWarnings(registry, {
    ...lead,
    status: 'new',
    promise: firstAnswerDue === undefined ? undefined : { createdAt, firstAnswerDue },
    heldUntil: hold?.expiresAt,
  });
}

export function createLeadReceipt(
  { registry, base }: Site,
  lead: LeadForReceipt,
  extra: ReceiptExtra,
  warnings: Warning[] = listReceiptWarnings(registry, lead, extra),
): Receipt {
  const { receiptToken, createdAt, reference, subsite, action } = lead;
  const sandbox = receiptToken === SANDBOX_TOKEN;
  const stateNotice = sandbox
    ? SANDBOX_NOTICE
    : createStateNotice(registry, { subsite, action, status: 'new' });
  return {
    receiptToken,
    status: 'new',
    ...(reference !== undefined && !sandbox && { reference }),
    statusUrl: createStatusUrl(base, receiptToken),
    receiptUrl: createReceiptUrl(base, receiptToken),
    phone: phoneOf(findSubsite(registry, subsite), registry),
    subsite,
    action,
    createdAt,
    notice: addWarnings(stateNotice, warnings),
    ...(warnings.length && { warnings }),
    ...extra,
    ...(sandbox && { sandbox: true as const }),
  };
}
