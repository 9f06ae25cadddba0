import type { states } from '../../text/index.ts';
import { findOfferedHold } from '../conversation/conversation.ts';
import type { LeadLog, LogEntry } from '../lead-log.ts';
import { isAgreed, isEnded, type LeadStatus } from '../lead-states.ts';
import type { Action } from '../../registry/action.ts';
import type { LeadState } from './lead-status.ts';
import type { Step } from './timeline.ts';
import { listUnansweredTexts } from './unanswered-texts.ts';

/** Headline of a receipt, the deadline of the pending answer, and what is held. */
export interface ReceiptState {
  /** Key of the headline in `states`. */
  words: keyof typeof states;
  /** When the provider's answer to the person's action is due, ISO 8601. */
  due?: { deadline: string; late: boolean };
  /** Whether the latest event is a message from the person that the headline does not mention. */
  sent: boolean;
  /**
   * Whether a call is better than waiting: in an emergency until the request is confirmed or ends,
   * and if the answer is promised only after the requested day.
   */
  shouldCallFirst?: true;
  /** The hold of the request, if it can expire. */
  held?: {
    /** Key of the sentence; a different sentence is used if an open offer has a hold of its own. */
    words: 'held' | 'heldAlongsideOffer';
    from: string;
    to: string;
    /** ISO 8601. */
    until: string;
  };
}

/** The hold of a request while it can expire. */
function expiringHoldOf({
  hold,
  offer,
}: Pick<LeadState, 'hold' | 'offer'>): Pick<ReceiptState, 'held'> {
  if (hold?.expiresAt === undefined) return {};
  const { from, to, expiresAt: until } = hold;
  const words = offer && findOfferedHold(offer) ? 'heldAlongsideOffer' : 'held';
  return { held: { words, from, to, until } };
}

/** Headline key for a quoted request: the offer is open or has expired. */
const quotedHeadlineOf = ({ offer }: Pick<LeadState, 'offer'>): ReceiptState['words'] =>
  !offer ? 'offer_expired' : offer.confirmOnAccept ? 'offer_confirms' : 'quoted';

/**
 * The provider's messages since the person's last step. For an accepted or confirmed request, only
 * the messages after the acceptance or confirmation, because the receipt shows earlier messages
 * with the days; for an ended request, the reason and later messages.
 */
export function listNewTexts(
  { status, entries }: Pick<LeadLog, 'status' | 'entries'>,
  openOfferId?: string,
): string[] {
  const current = entries.findIndex((entry) => entry.status === status);
  const first = isAgreed(status) ? current + 1 : isEnded(status) ? current : 0;
  return listUnansweredTexts(entries.slice(first), openOfferId);
}

/** Whether the latest entry is a message from the person that did not change the state. */
function endsWithCustomerMessage(entries: readonly LogEntry[]): boolean {
  const [before, last] = entries.slice(-2);
  return last?.actor === 'person' && last.note !== null && last.status === before?.status;
}

interface LeadFacts extends Pick<
  LeadLog,
  'respondBy' | 'dueAt' | 'isEmergency' | 'reachable' | 'entries'
> {
  /** What the record says that the request is for. */
  purpose?: Action['purpose'];
  /** Whether the person accepted an offer. */
  hasAgreed?: boolean;
  /** Whether the answer is promised only after the requested day. */
  isTooLate?: boolean;
}

/** Whether the request has neither been confirmed by the provider nor ended. */
const isUndecided = (status: LeadStatus): boolean => status !== 'confirmed' && !isEnded(status);

/** States of a subscription in which nobody has to do anything. */
const isIdleSubscriptionState = (status: LeadStatus): boolean =>
  status === 'new' || status === 'acknowledged' || status === 'confirmed';

/** The headline of a receipt, and the deadline of the pending answer. */
function headlineOf(
  lead: Pick<LeadState, 'status' | 'offer'>,
  timeline: readonly Step[],
  { respondBy, dueAt, isEmergency, reachable, isTooLate, purpose, hasAgreed, entries }: LeadFacts,
  now: Date,
): Pick<ReceiptState, 'words' | 'due'> {
  const { status, offer } = lead;
  const time = now.toISOString();
  if (purpose === 'subscription') {
    if (status === 'withdrawn') return { words: 'unsubscribed' };
    if (isIdleSubscriptionState(status) && listNewTexts({ status, entries }).length === 0)
      return { words: 'subscribed' };
  }
  if (status === 'confirmed' && purpose === 'question' && !hasAgreed)
    return { words: 'confirmed_question' };
  if (status === 'new') {
    if (listNewTexts({ status, entries }).length > 0) return { words: 'message' };
    if (isEmergency) return { words: 'new_emergency' };
    if (respondBy <= time) return { words: 'new_late' };
    if (isTooLate) return { words: 'new_too_late' };
    return { words: reachable ? 'new' : 'new_unreachable' };
  }
  if (status === 'quoted') return { words: quotedHeadlineOf({ offer }) };
  if (status === 'declined' && timeline.at(-1)?.step === 'canceled') return { words: 'canceled' };
  if (status === 'declined' && purpose === 'question') return { words: 'declined_question' };
  if (status === 'withdrawn' && timeline.some(({ step }) => step === 'confirmed'))
    return { words: 'withdrawn_confirmed' };
  if (status !== 'acknowledged' && status !== 'accepted') return { words: status };
  const due = dueAt ? { due: { deadline: dueAt, late: dueAt <= time } } : {};
  if (status === 'accepted' && isEmergency) return { words: 'accepted_emergency' };
  if (status === 'accepted') return { words: status, ...due };
  if (listNewTexts({ status, entries }).length > 0) return { words: 'message', ...due };
  const last = timeline.at(-1)?.step;
  if (last === 'answered' || last === 'offer_declined') return { words: last, ...due };
  return { words: status, ...due };
}

/** The state of a receipt at `now`; `timeline` has the steps of the lead in order. */
export function receiptStateOf(
  lead: Pick<LeadState, 'status' | 'offer' | 'hold'>,
  timeline: readonly Step[],
  log: LeadFacts,
  now: Date,
): ReceiptState {
  const headline = headlineOf(lead, timeline, log, now);
  const isEmergencyOpen = log.isEmergency && isUndecided(lead.status);
  return {
    ...headline,
    sent: endsWithCustomerMessage(log.entries),
    ...((isEmergencyOpen || headline.words === 'new_too_late') && { shouldCallFirst: true }),
    ...expiringHoldOf(lead),
  };
}

/**
 * The state of a receipt that shows a rejected message. The headline must not mention an earlier
 * message, because it would look as if the rejected message was sent.
 */
export const createStateAfterRejection = (state: ReceiptState): ReceiptState => ({
  ...state,
  words: state.words === 'answered' ? 'acknowledged' : state.words,
  sent: false,
});
