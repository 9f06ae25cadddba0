import { quoteLines } from '../../operation/quote-lines.ts';
import type { DayRange } from '../../site/calendar/days.ts';
import { fill } from '../../text/fill.ts';
import { customerForm, messageLimits } from '../../text/index.ts';
import { canChangeTo, isEnded, type LeadStatus } from '../lead-states.ts';

/** A replacement for the item or days that a request holds. */
export interface OfferedHold extends DayRange {
  /** ID of the item. */
  item: string;
  itemTitle: string;
}

/**
 * An offer as shown to both sides. Includes the offered hold only if it differs from the current
 * hold.
 */
export interface Offer extends Partial<OfferedHold> {
  offerId: string;
  /** Decimal number, for example 450.00. */
  amount: string;
  /** ISO 4217 code. */
  currency: string;
  /** Present if the provider pays the customer; otherwise, the customer pays. */
  payer?: 'provider' | undefined;
  /** Present if the amount is due every month. */
  per?: 'month' | undefined;
  /** Description of what the price includes. */
  description?: string | undefined;
  /** When the offer expires, ISO 8601. */
  expiresAt: string;
  /** Whether accepting the offer confirms the request. */
  confirmOnAccept: boolean;
}

/** The item and the days that an offer changes; undefined if it changes neither. */
export const findOfferedHold = ({ item, itemTitle, from, to }: Offer): OfferedHold | undefined =>
  item !== undefined && itemTitle !== undefined && from !== undefined && to !== undefined
    ? { item, itemTitle, from, to }
    : undefined;

/**
 * An open offer as lines for a program: price with sales tax, item, days, published terms, expiry,
 * and the provider's description of what the price includes.
 */
export const renderOpenOffer = ({
  amount,
  currency,
  payer,
  per,
  tax,
  total,
  description,
  itemTitle,
  from,
  to,
  expiresAt,
  confirmOnAccept,
  publishedTerms,
}: Offer & Partial<Record<'tax' | 'total' | 'publishedTerms', string | undefined>>): string[] => {
  const price = `${amount} ${currency}`;
  const item = itemTitle === undefined ? '' : `, ${itemTitle} from ${from} to ${to}`;
  return [
    [
      `Offer: ${tax === undefined ? price : `${price} plus ${tax} ${currency} sales tax = ${total} ${currency}`}${per ? ` per ${per}` : ''}${payer ? ', which the provider pays to the person' : ''}${item}.`,
      ...(publishedTerms === undefined
        ? []
        : [fill(customerForm.publishedTerms, { terms: publishedTerms })]),
      `It can be accepted until ${expiresAt}.`,
      ...(confirmOnAccept ? ['Accepting it confirms the request.'] : []),
    ].join(' '),
    ...(description === undefined ? [] : ['It includes:', ...quoteLines(description)]),
  ];
};

export interface ConversationState {
  status: LeadStatus;
  /** Latest offer, open or expired, since the lead entered its current state. */
  offer?: Offer | undefined;
  /** Number of history entries. */
  revision: number;
}

/** A conversation, with the counts that limit the customer’s next message. */
export interface CustomerConversation extends ConversationState {
  /** Number of messages from the customer since the latest answer. */
  unansweredCount: number;
  /** Length of all messages from the customer, in UTF-16 code units. */
  customerTextLength: number;
}

/** Actions available to a customer, in display order. */
export const customerActions = ['reply', 'accept', 'decline', 'withdraw', 'erase'] as const;
export type CustomerAction = (typeof customerActions)[number];

/** Actions of a provider, or of the operator acting for the provider. */
export const providerActions = [
  'acknowledge',
  'ask',
  'offer',
  'confirm',
  'decline',
  'reply',
] as const;
export type ProviderAction = (typeof providerActions)[number];

/**
 * Number of history entries after which a lead accepts no more messages. Offers can still be
 * accepted or declined, and the lead can still be confirmed or withdrawn.
 */
export const MAX_ENTRIES = 200;

/**
 * Number of messages that a customer can send in a row without an answer. Each message causes an
 * email to the provider.
 */
export const MAX_UNANSWERED = 20;

/**
 * Limit for `customerTextLength`, needed because every page and status of a lead contains all its
 * messages.
 */
export const MAX_CUSTOMER_TEXT_LENGTH = 100_000;

/** Tells software what it can still do about a request that has ended. */
export const ENDED_REQUEST_TEXT =
  'A request that is declined, withdrawn or expired can only be erased; submit a new one instead.';

/** A sentence with the provider's phone number, for answers in plain text. */
export const renderPhone = ({ phone }: { phone: string }): string =>
  `To call the provider: ${phone}.`;

/** Tells software how to get other days for a confirmed hold. */
export const HELD_DAYS_TEXT =
  'Text cannot change the days of a held item. For other days, withdraw the request and submit a new one.';

/**
 * Tells software what it can still do about a confirmed request after its task has ended.
 * `completion` introduces the two request bodies; each body includes the members of `extraTexts`.
 */
export const createConfirmedRequestText = (
  completion: string,
  extraTexts: Readonly<Record<string, string>> = {},
) =>
  `A confirmed request can still be changed or withdrawn: ${completion} ${JSON.stringify({ ...extraTexts, text: '…' })} to ask for a change, or ${JSON.stringify({ ...extraTexts, withdraw: true })} to withdraw it. ${HELD_DAYS_TEXT}`;

/** The offer that can be accepted at `now`. */
export const findOpenOffer = ({ offer }: ConversationState, now: Date): Offer | undefined =>
  offer && offer.expiresAt > now.toISOString() ? offer : undefined;

/**
 * Explains why a lead with {@link MAX_ENTRIES} entries accepts no more messages; has no final
 * period.
 */
export const FULL_HISTORY_TEXT = fill(messageLimits.full, { maximum: MAX_ENTRIES });

const acceptsMessages = ({ status, revision }: ConversationState): boolean =>
  !isEnded(status) && revision < MAX_ENTRIES;

/** The limit, if any, that keeps the customer of an open lead from sending a message. */
export const findMessageLimit = ({
  revision,
  unansweredCount,
  customerTextLength,
}: CustomerConversation): 'entries' | 'length' | 'unanswered' | undefined => {
  if (revision >= MAX_ENTRIES) return 'entries';
  if (customerTextLength >= MAX_CUSTOMER_TEXT_LENGTH) return 'length';
  return unansweredCount >= MAX_UNANSWERED ? 'unanswered' : undefined;
};

/** The state after a customer's action; undefined if the action is not allowed at `now`. */
export function findStateAfterCustomerAction(
  action: CustomerAction,
  conversation: CustomerConversation,
  now: Date,
): LeadStatus | undefined {
  const { status } = conversation;
  const offer = findOpenOffer(conversation, now);
  switch (action) {
    case 'reply':
      if (isEnded(status) || findMessageLimit(conversation)) return undefined;
      return status === 'needs_info' ? 'acknowledged' : status;
    case 'accept':
      return offer && (offer.confirmOnAccept ? 'confirmed' : 'accepted');
    case 'decline':
      return offer && 'acknowledged';
    case 'withdraw':
      return canChangeTo('withdrawn', status, 'person') ? 'withdrawn' : undefined;
    case 'erase':
      return status === 'erased' ? undefined : 'erased';
    default:
      return action satisfies never;
  }
}

const providerStates = {
  acknowledge: 'acknowledged',
  ask: 'needs_info',
  offer: 'quoted',
  confirm: 'confirmed',
  decline: 'declined',
} as const satisfies Record<Exclude<ProviderAction, 'reply'>, LeadStatus>;

/** The state after a provider's action; undefined if the action is not allowed. */
export function findStateAfterProviderAction(
  action: ProviderAction,
  conversation: ConversationState,
): LeadStatus | undefined {
  const { status } = conversation;
  if (action === 'reply') return acceptsMessages(conversation) ? status : undefined;
  const to = providerStates[action];
  // The provider can ask another question, replace the previous offer, or change a confirmation.
  const isRepetition = status === to && action !== 'acknowledge' && action !== 'decline';
  // If the history is full, the customer cannot answer.
  if ((isRepetition || action === 'ask') && !acceptsMessages(conversation)) return undefined;
  if (isRepetition) return to;
  return canChangeTo(to, status, 'provider') ? to : undefined;
}

/** Actions that the customer may take now. */
export const nextActionsOf = (conversation: CustomerConversation, now: Date): CustomerAction[] =>
  customerActions.filter(
    (action) => findStateAfterCustomerAction(action, conversation, now) !== undefined,
  );

/** Actions that the provider may take now. */
export const nextProviderActionsOf = (conversation: ConversationState): ProviderAction[] =>
  providerActions.filter(
    (action) => findStateAfterProviderAction(action, conversation) !== undefined,
  );

/**
 * Whether an action becomes possible after `acknowledge`, which records that the customer has
 * answered.
 */
export const needsAcknowledgment = (
  action: ProviderAction,
  conversation: ConversationState,
): boolean => {
  const status = findStateAfterProviderAction('acknowledge', conversation);
  return (
    status !== undefined &&
    findStateAfterProviderAction(action, { ...conversation, status }) !== undefined
  );
};
