import type { states } from '../../text/index.ts';
import { isAnswerLate } from '../../site/calendar/answer-deadline.ts';
import type { ServiceHours } from '../../site/calendar/opening-hours.ts';
import { findOfferedHold, type Offer } from '../conversation/conversation.ts';
import type { LeadLog, LogEntry, LoggedState } from '../lead-log.ts';
import { isAgreed, isEnded } from '../lead-states.ts';
import type { Action } from '../../registry/schemas/action.ts';
import { findAgreementIndex } from './agreement.ts';
import type { LeadState } from './lead-status.ts';
import type { Step } from './timeline.ts';
import { hasReply, listUnansweredMessages, wasAnswered } from './unanswered-messages.ts';

/** Headline of a receipt, the deadline of the pending answer, and what is held. */
export interface ReceiptState {
  /** Key of the headline in `states`. */
  headlineKey: keyof typeof states;
  /** When the provider's answer to the person's action is due, ISO 8601. */
  due?: {
    deadline: string;
    isLate: boolean;
    /**
     * Whether the answer is to a message sent after a question was answered, such as a thank-you.
     */
    isOptional?: true;
  };
  /** Whether the latest event is a message from the person that the headline does not mention. */
  hasUnmentionedMessage: boolean;
  /**
   * Whether the page starts with the number to call: in an emergency until the request ends, except
   * while an offer is open, and if the answer is promised only after the requested day.
   */
  shouldCallFirst?: true;
  /** The hold of the request, if it can expire. */
  held?: {
    sentenceKey: ReturnType<typeof selectHoldSentenceKey>;
    from: string;
    to: string;
    /** ISO 8601. */
    until: string;
  };
}

/**
 * Returns the key of the sentence about a hold that ends at `until`, ISO 8601. With an open offer,
 * the key depends on whether the offer has its own hold or ends before this one.
 */
export function selectHoldSentenceKey(
  offer: Offer | undefined,
  until: string,
): 'held' | 'heldAlongsideOffer' | 'heldPastOffer' | 'heldWithOffer' {
  if (!offer) return 'held';
  if (findOfferedHold(offer)) return 'heldAlongsideOffer';
  return offer.expiresAt < until ? 'heldPastOffer' : 'heldWithOffer';
}

/** The hold of a request while it can expire. */
function expiringHoldOf({
  hold,
  offer,
}: Pick<LeadState, 'hold' | 'offer'>): Pick<ReceiptState, 'held'> {
  if (hold?.expiresAt === undefined) return {};
  const { from, to, expiresAt: until } = hold;
  return { held: { sentenceKey: selectHoldSentenceKey(offer, until), from, to, until } };
}

/**
 * The provider's messages since the person's last step. For an accepted or confirmed request, only
 * the messages after the acceptance, confirmation or latest change, because the receipt shows
 * earlier messages next to the days; for an ended request, only the reason and later messages.
 */
export function listNewMessages({ status, entries }: LoggedState, openOfferId?: string): string[] {
  const current = findAgreementIndex({ status, entries });
  const first = isAgreed(status) ? current + 1 : isEnded(status) ? current : 0;
  return listUnansweredMessages(entries.slice(first), openOfferId);
}

/** Whether the latest entry is a message from the person that did not change the state. */
export function endsWithCustomerMessage(entries: readonly LogEntry[]): boolean {
  const [before, last] = entries.slice(-2);
  return last?.actor === 'person' && last.note !== null && last.status === before?.status;
}

interface LeadFacts extends Pick<
  LeadLog,
  'firstAnswerDue' | 'dueAt' | 'isEmergency' | 'isReachable' | 'entries'
> {
  /** What the request is for, according to the record. */
  purpose?: Action['purpose'];
  /** Whether the person accepted an offer. */
  hasAcceptedOffer?: boolean;
  /** Whether the answer is promised only after the requested day. */
  isAnswerTooLate?: boolean;
  /**
   * The hours of the service, which determine whether an answer is late; undefined if it has none.
   */
  hours?: ServiceHours['hours'];
  /** IANA time zone of the network. */
  timeZone: string;
}

const isLateAt = (now: Date, due: string, { hours, timeZone }: LeadFacts): boolean =>
  isAnswerLate({ hours }, timeZone, new Date(due), now);

/** Key of the headline; in each state, the first fact that applies decides. */
function headlineKeyOf(
  { status, offer }: Pick<LeadState, 'status' | 'offer'>,
  timeline: readonly Step[],
  facts: LeadFacts,
  now: Date,
): ReceiptState['headlineKey'] {
  const { isEmergency, isReachable, isAnswerTooLate, purpose, hasAcceptedOffer, entries } = facts;
  const hasNewMessages = listNewMessages({ status, entries }).length > 0;
  const lastStep = timeline.at(-1)?.step;
  const isSubscription = purpose === 'subscription';
  switch (status) {
    case 'new':
      if (hasNewMessages) return 'message';
      if (isSubscription) return 'subscribed';
      if (isEmergency) return 'new_emergency';
      if (wasAnswered(entries)) return 'replied';
      if (isLateAt(now, facts.firstAnswerDue, facts)) return 'new_late';
      if (isAnswerTooLate) return 'new_too_late';
      return isReachable ? 'new' : 'new_unreachable';
    case 'acknowledged':
      if (hasNewMessages) return 'message';
      if (isSubscription) return 'subscribed';
      if (lastStep === 'offer_declined' && endsWithCustomerMessage(entries))
        return 'offer_declined_wrote';
      return lastStep === 'answered' || lastStep === 'offer_declined' ? lastStep : status;
    case 'quoted':
      if (!offer) return 'offer_expired';
      return offer.confirmOnAccept ? 'offer_confirms' : status;
    case 'accepted':
      return isEmergency ? 'accepted_emergency' : status;
    case 'confirmed':
      if (isSubscription && !hasNewMessages) return 'subscribed';
      return purpose === 'question' && !hasAcceptedOffer ? 'confirmed_question' : status;
    case 'declined':
      if (lastStep === 'canceled') return 'canceled';
      if (isEmergency) return 'declined_emergency';
      return purpose === 'question' ? 'declined_question' : status;
    case 'withdrawn':
      if (isSubscription) return 'unsubscribed';
      return timeline.some(({ step }) => step === 'confirmed') ? 'withdrawn_confirmed' : status;
    default:
      return status;
  }
}

/** The state of a receipt at `now`; `timeline` has the steps of the lead in order. */
export function receiptStateOf(
  lead: Pick<LeadState, 'status' | 'offer' | 'hold'>,
  timeline: readonly Step[],
  log: LeadFacts,
  now: Date,
): ReceiptState {
  const headlineKey = headlineKeyOf(lead, timeline, log, now);
  const { status } = lead;
  const { dueAt } = log;
  const isLate = !!dueAt && isLateAt(now, dueAt, log);
  // The other headlines of a new request include the deadline.
  const isDueShown =
    (status !== 'new' || headlineKey === 'replied') &&
    headlineKey !== 'subscribed' &&
    (headlineKey !== 'accepted_emergency' || isLate);
  const isEmergencyOpen = log.isEmergency && !lead.offer && !isEnded(status);
  const isOptional =
    log.purpose === 'question' &&
    status !== 'accepted' &&
    endsWithCustomerMessage(log.entries) &&
    hasReply(log.entries);
  return {
    headlineKey,
    ...(isDueShown &&
      dueAt && { due: { deadline: dueAt, isLate, ...(isOptional && { isOptional }) } }),
    hasUnmentionedMessage: endsWithCustomerMessage(log.entries),
    ...((isEmergencyOpen || headlineKey === 'new_too_late') && { shouldCallFirst: true }),
    ...expiringHoldOf(lead),
  };
}

/**
 * The state of a receipt that shows a rejected message. The headline must not mention an earlier
 * message, because it would look as if the rejected message had been sent.
 */
export const createStateAfterRejection = (state: ReceiptState): ReceiptState => ({
  ...state,
  headlineKey:
    state.headlineKey === 'answered'
      ? 'acknowledged'
      : state.headlineKey === 'offer_declined_wrote'
        ? 'offer_declined'
        : state.headlineKey,
  hasUnmentionedMessage: false,
});
