import type { states } from '../../text/index.ts';
import { offeredHold } from '../conversation/conversation.ts';
import type { LeadLog } from '../lead-log.ts';
import type { LeadState } from './lead-status.ts';
import type { Step } from './timeline.ts';

/** Headline of a receipt, the deadline of the pending answer, and what is held. */
export interface ReceiptState {
  /** Key of the headline in `states`. */
  words: keyof typeof states;
  /** When the provider's answer to the person's action is due, ISO 8601. */
  due?: { by: string; late: boolean };
  /** What is held for the request until it expires. */
  held?: {
    /** Key of the sentence: beside an offer of another item or other days, it is the request. */
    words: 'held' | 'heldBesideOffer';
    from: string;
    to: string;
    /** ISO 8601. */
    until: string;
  };
}

/** The hold of a request while it can expire. */
function heldIn({ hold, offer }: Pick<LeadState, 'hold' | 'offer'>): Pick<ReceiptState, 'held'> {
  if (hold?.expiresAt === undefined) return {};
  const { from, to, expiresAt: until } = hold;
  const words = offer && offeredHold(offer) ? 'heldBesideOffer' : 'held';
  return { held: { words, from, to, until } };
}

/** Headline key for a quoted request: the offer is open or has expired. */
const quotedWords = ({ offer }: Pick<LeadState, 'offer'>): ReceiptState['words'] =>
  !offer ? 'offer_expired' : offer.confirmOnAccept ? 'offer_confirms' : 'quoted';

interface LeadFacts extends Pick<LeadLog, 'respondBy' | 'dueAt' | 'reachable'> {
  /** Whether the request is an emergency. */
  isUrgent?: boolean;
}

/** The headline of a receipt, and the deadline of the pending answer. */
function headlineOf(
  lead: Pick<LeadState, 'status' | 'offer' | 'messages'>,
  timeline: readonly Step[],
  { respondBy, dueAt, reachable, isUrgent }: LeadFacts,
  now: Date,
): Pick<ReceiptState, 'words' | 'due'> {
  const { status, offer } = lead;
  const at = now.toISOString();
  if (status === 'new') {
    if (isUrgent) return { words: 'new_emergency' };
    if (respondBy <= at) return { words: 'new_late' };
    if (!reachable) return { words: 'new_unreachable' };
    return { words: lead.messages.at(-1)?.from === 'person' ? 'new_wrote' : 'new' };
  }
  if (status === 'quoted') return { words: quotedWords({ offer }) };
  if (status === 'declined' && timeline.at(-1)?.step === 'canceled') return { words: 'canceled' };
  if (status === 'withdrawn' && timeline.some(({ step }) => step === 'confirmed'))
    return { words: 'withdrawn_confirmed' };
  if (status !== 'acknowledged' && status !== 'accepted') return { words: status };
  const due = dueAt ? { due: { by: dueAt, late: dueAt <= at } } : {};
  const last = timeline.at(-1);
  if (last?.step === 'answered' || last?.step === 'offer_declined')
    return { words: last.step, ...due };
  const newest = lead.messages.at(-1);
  const wrote = newest?.from === 'person' && newest.at > last!.at;
  return { words: status === 'acknowledged' && wrote ? 'wrote' : status, ...due };
}

/** The state of a receipt at `now`; `timeline` has the steps of the lead in order. */
export const receiptState = (
  lead: Pick<LeadState, 'status' | 'offer' | 'messages' | 'hold'>,
  timeline: readonly Step[],
  log: LeadFacts,
  now: Date,
): ReceiptState => ({ ...headlineOf(lead, timeline, log, now), ...heldIn(lead) });
