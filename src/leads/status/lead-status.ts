import * as v from 'valibot';
import type { Action } from '../../registry/schemas/action.ts';
import { phoneOf } from '../../site/phone.ts';
import { actionOf, findSubsite, type Registry } from '../../site/registry.ts';
import { findServiceOf } from '../../site/service-of-request.ts';
import type { Site } from '../../site/site.ts';
import {
  type CustomerAction,
  customerActions,
  HELD_DAYS_TEXT,
  nextActionsOf,
  type Offer,
} from '../conversation/conversation.ts';
import { findNextService } from '../effects/route.ts';
import { actors, leadStatuses } from '../lead-states.ts';
import { describeBooking, describeUnheldItem } from './describe-terms.ts';
import {
  addWarnings,
  createPersonNotice,
  createStateNotice,
  describeSentMessage,
  type LeadForNotice,
} from './lead-notice.ts';
import { requestOf, requestSchema } from './lead-request.ts';
import { proofSchema } from './proof.ts';
import { type LeadLog, findLiveHold, type LogEntry, conversationOf } from '../lead-log.ts';
import { findReplacedTimes } from './agreement.ts';
import { findNextAnswerDue } from './promised-answer.ts';
import { offerOutcomes, offerStateOf, offerStates } from './offer-state.ts';
import { isSandboxToken } from './sample-lead.ts';
import { type ShownTerms, shownTermsOf } from './shown-terms.ts';
import { listUnansweredMessages } from './unanswered-messages.ts';
import { findConfirmedVisit, visitSchema } from './visit.ts';
import {
  depositSchema,
  payerSchema,
  perSchema,
  phoneSchema,
  priceSchema,
  publishedTermsSchema,
  referenceSchema,
  respondBySchema,
  serviceSchema,
  taxMembers,
  warningsSchema,
  createStatusUrl,
} from './receipt.ts';
import { timestampSchema as time } from '../../operation/text-schemas.ts';
import { withDescription, createTextSchema } from '../../operation/validate.ts';

/** The states of a lead that has a status; an erased lead has none. */
const status = v.picklist(leadStatuses.filter((state): boolean => state !== 'erased'));

const offerSchema = v.strictObject({
  offerId: createTextSchema('ID for accepting or declining the offer.'),
  amount: createTextSchema('Decimal number, for example 450.00.'),
  currency: createTextSchema('ISO 4217 code.'),
  payer: payerSchema,
  per: perSchema,
  description: v.optional(createTextSchema('What the price includes.')),
  item: v.optional(
    createTextSchema(
      'The offered item, held as long as the offer is open. Present with from and to if the offer changes the item or the days; accepting the offer replaces the item and the days of the request.',
    ),
  ),
  itemTitle: v.optional(createTextSchema('Title of the offered item.')),
  from: v.optional(v.pipe(v.string(), v.isoDate(), v.description('First offered day.'))),
  to: v.optional(v.pipe(v.string(), v.isoDate(), v.description('Last offered day.'))),
  expiresAt: withDescription(time, 'When the offer expires and can no longer be accepted.'),
  confirmOnAccept: withDescription(
    v.boolean(),
    'Whether accepting the offer confirms the request.',
  ),
});

const message = v.strictObject({
  messageId: v.string(),
  at: time,
  from: v.picklist(['person', 'provider', 'operator']),
  text: v.optional(v.string()),
  replacedAt: v.optional(
    withDescription(time, 'When a later change to the confirmed request replaced the text.'),
  ),
  offer: v.optional(
    withDescription(
      v.strictObject({
        ...offerSchema.entries,
        state: withDescription(
          v.picklist(offerStates),
          'ended if it can no longer be accepted; see ending.',
        ),
        ending: v.optional(
          withDescription(
            v.picklist(offerOutcomes),
            'How the offer ended: the person declined it, another offer replaced it, it expired, the provider confirmed the request without it, or the request ended.',
          ),
        ),
      }),
      'An offer from the provider, with its state.',
    ),
  ),
});

export const leadStatusSchema = withDescription(
  v.strictObject({
    receiptToken: createTextSchema('Token of the receipt.'),
    reference: referenceSchema,
    phone: phoneSchema,
    subsite: createTextSchema('Subsite that received the lead.'),
    action: withDescription(
      v.nullable(v.string()),
      'Verb of the action; null for a lead without an action.',
    ),
    status: withDescription(
      status,
      'Current state of the lead. Only “confirmed” means that the provider has agreed. An erased lead has no status: its response is 410 (gone).',
    ),
    statusUrl: v.pipe(v.string(), v.url(), v.description('URL of this document.')),
    createdAt: withDescription(time, 'When the lead was created.'),
    updatedAt: withDescription(time, 'Time of the last state change or message.'),
    respondBy: respondBySchema,
    request: requestSchema,
    service: serviceSchema,
    history: withDescription(
      v.array(
        v.strictObject({
          status,
          at: time,
          by: withDescription(
            v.picklist(actors),
            'Whose action caused the state. The person returns the request to acknowledged by answering a question or declining an offer, and confirms it by accepting an offer with confirmOnAccept. system is the service itself.',
          ),
          note: v.optional(v.string()),
        }),
      ),
      'History of states in order, with the actor and the note of each change.',
    ),
    messages: withDescription(v.array(message), 'Messages and offers from both sides, in order.'),
    offer: v.optional(
      withDescription(
        v.strictObject({
          ...offerSchema.entries,
          ...taxMembers,
          deposit: depositSchema,
          publishedTerms: publishedTermsSchema,
        }),
        'The offer that can be accepted now.',
      ),
    ),
    price: priceSchema,
    hold: v.optional(
      withDescription(
        v.strictObject({
          item: v.string(),
          from: v.string(),
          to: v.string(),
          expiresAt: v.optional(time),
        }),
        'The held item, with the first and last day; without expiresAt, the hold is confirmed, and text does not change its days: for other days, withdraw the request and submit a new one. An open offer extends the hold until the offer expires, unless it is for a different item or different days.',
      ),
    ),
    visit: visitSchema,
    next: withDescription(
      v.array(v.picklist(customerActions)),
      'Actions that the receipt holder may take now, with POST to statusUrl + /messages or, for erase, DELETE to statusUrl. A reply never changes the days of a confirmed hold.',
    ),
    calls: withDescription(
      v.array(
        v.strictObject({
          next: v.picklist(customerActions),
          method: v.picklist(['POST', 'DELETE']),
          url: v.pipe(v.string(), v.url()),
          body: v.optional(
            v.strictObject({
              text: v.optional(v.string()),
              accept: v.optional(v.string()),
              decline: v.optional(v.string()),
              withdraw: v.optional(v.literal(true)),
            }),
          ),
        }),
      ),
      'The HTTP request for each action in next. The members of body are also the arguments of the MCP tool reply_to_request (in addition to receiptToken), and they form the data part of an A2A message to the task.',
    ),
    notice: createTextSchema('Explanation of the current state.'),
    warnings: warningsSchema,
    proof: proofSchema,
  }),
  'State and conversation of a lead, without contact or personal fields.',
);

export type LeadState = v.InferOutput<typeof leadStatusSchema>;

/**
 * Whether the provider is counting on the person: the request is confirmed and, unless an offer was
 * accepted, is not a subscription or an answered question or message.
 */
export const isBooking = (
  { status, price }: Pick<LeadState, 'status' | 'price'>,
  purpose: Action['purpose'],
): boolean => status === 'confirmed' && (purpose === undefined || price?.offerId !== undefined);

/** Messages and offers from both sides; `entries` is the history of the lead in order. */
export const messagesOf = (
  entries: readonly LogEntry[],
  terms: ShownTerms,
): LeadState['messages'] => {
  const replacedTimes = findReplacedTimes(entries);
  return entries.flatMap(({ at, actor, note, offer: sentOffer }, index) => {
    if (actor === 'system' || (note === null && !sentOffer)) return [];
    const replacedAt = replacedTimes[index];
    return [
      {
        messageId: `m${index + 1}`,
        at,
        from: actor,
        ...(note !== null && { text: note }),
        ...(replacedAt !== undefined && { replacedAt }),
        ...(sentOffer && { offer: { ...sentOffer, ...offerStateOf(entries, index, terms)! } }),
      },
    ];
  });
};

const TEXT_PLACEHOLDER = 'Your text, 1 to 4,000 characters.';

/** HTTP requests for the allowed actions, complete except for the text of a reply. */
function createCustomerCalls(
  next: readonly CustomerAction[],
  { offer, isHeldForGood }: { offer: Offer | undefined; isHeldForGood: boolean },
  statusUrl: string,
): LeadState['calls'] {
  const bodies = {
    reply: { text: isHeldForGood ? `${TEXT_PLACEHOLDER} ${HELD_DAYS_TEXT}` : TEXT_PLACEHOLDER },
    accept: { accept: offer?.offerId },
    decline: { decline: offer?.offerId },
    withdraw: { withdraw: true as const },
  };
  return next.map((action) =>
    action === 'erase'
      ? { next: action, method: 'DELETE', url: statusUrl }
      : { next: action, method: 'POST', url: `${statusUrl}/messages`, body: bodies[action] },
  );
}

/** How the newest offer of a lead affects its notice. */
export const offerNoticeKeyOf = (
  newestOffer: Offer | undefined,
  { open, agreed, ended, priceIfConfirmed: published }: ShownTerms,
): LeadForNotice['offer'] => {
  if (agreed?.confirmOnAccept) return 'accepted';
  if (ended) return published === undefined ? 'ended_unpriced' : 'ended';
  return open ? (open.confirmOnAccept ? 'confirms' : undefined) : newestOffer && 'expired';
};

const SAMPLE_NOTICE =
  'The sandbox returns this fixed sample; nothing was stored or sent. In the sample: ';

const addSampleNotice = (receiptToken: string, notice: string): string =>
  `${isSandboxToken(receiptToken) ? SAMPLE_NOTICE : ''}${notice}`;

/** The facts that determine the notice about the state of a lead. */
const factsForNoticeOf = (log: LeadLog, terms: ShownTerms): LeadForNotice => ({
  subsite: log.subsite,
  action: log.action,
  status: log.status,
  offer: offerNoticeKeyOf(conversationOf(log).offer, terms),
  wasConfirmed: log.entries.some(({ status }) => status === 'confirmed'),
  hasNewMessage: listUnansweredMessages(log.entries).length > 0,
});

/** What the state of a lead means, without the warnings and the booking, which the page adds. */
export const describeStateForPerson = (
  log: LeadLog,
  terms: ShownTerms,
  registry: Registry,
): string =>
  addSampleNotice(log.receiptToken, createPersonNotice(registry, factsForNoticeOf(log, terms)));

/** The status of a lead at `now`, for the customer. */
export function statusOf(log: LeadLog, now: Date, site: Site): LeadState {
  const { registry, base } = site;
  const terms = shownTermsOf(log, now, site);
  const { price, open, publishedTerms, warnings = [] } = terms;
  const conversation = conversationOf(log);
  const { receiptToken, subsite, action, status: state, createdAt, entries } = log;
  const nextAnswerDue = findNextAnswerDue(log, registry);
  const hold = findLiveHold(log, now);
  const visit = findConfirmedVisit(log, terms.agreement, site);
  const next = nextActionsOf(conversation, now);
  const effect = actionOf(registry, log)?.effect;
  const url = createStatusUrl(base, receiptToken);
  const fullNotice = [
    next.includes('reply') && describeSentMessage(log, hold, registry),
    createStateNotice(registry, factsForNoticeOf(log, terms)),
    describeBooking(log, terms),
    describeUnheldItem(log, terms, findServiceOf(registry, log)),
  ]
    .filter(Boolean)
    .join(' ');
  return {
    receiptToken,
    ...(log.reference !== undefined && { reference: log.reference }),
    phone: phoneOf(findSubsite(registry, subsite), registry),
    subsite,
    action,
    status: state,
    statusUrl: url,
    createdAt,
    updatedAt: entries.at(-1)!.at,
    ...(nextAnswerDue !== undefined && { respondBy: nextAnswerDue }),
    request: requestOf(registry, log),
    ...(effect?.kind === 'route' && findNextService(effect, log, site)),
    history: entries
      .filter((entry, index) => entry.status !== entries[index - 1]?.status)
      .map(({ status: entry, at, actor, note }) => ({
        status: entry,
        at,
        by: actor,
        ...(note !== null && { note }),
      })),
    messages: messagesOf(entries, terms),
    ...(open && { offer: { ...open, ...(publishedTerms !== undefined && { publishedTerms }) } }),
    ...(price && { price }),
    ...(hold && {
      hold: {
        item: hold.item,
        from: hold.from,
        to: hold.to,
        ...(hold.expiresAt !== null && { expiresAt: hold.expiresAt }),
      },
    }),
    ...(visit && { visit }),
    next,
    calls: createCustomerCalls(next, { offer: open, isHeldForGood: hold?.expiresAt === null }, url),
    notice: addSampleNotice(receiptToken, addWarnings(fullNotice, warnings)),
    ...(warnings.length && { warnings }),
  };
}
