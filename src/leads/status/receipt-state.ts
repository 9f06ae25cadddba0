import type { states } from '../../text/index.ts';
import type { LeadLog } from '../lead-log.ts';
import type { LeadState } from './lead-status.ts';
import type { Step } from './timeline.ts';

/** Headline of a receipt, and the deadline of the pending answer. */
export interface ReceiptState {
  /** Key of the headline in `states`. */
  words: keyof typeof states;
  /** When the provider's answer to the person's action is due, ISO 8601. */
  due?: { by: string; late: boolean };
}

/** Headline key for a quoted request: the offer is open or has expired. */
const quotedWords = ({ offer }: Pick<LeadState, 'offer'>): ReceiptState['words'] =>
  !offer ? 'offer_expired' : offer.confirmOnAccept ? 'offer_confirms' : 'quoted';

/** The headline of a receipt; `timeline` has the steps of the lead in order. */
export function receiptState(
  lead: Pick<LeadState, 'status' | 'offer' | 'messages'>,
  timeline: readonly Step[],
  { respondBy, dueAt, reachable }: Pick<LeadLog, 'respondBy' | 'dueAt' | 'reachable'>,
  now: Date,
): ReceiptState {
  const { status, offer } = lead;
  const at = now.toISOString();
  if (status === 'new') {
    if (respondBy <= at) return { words: 'new_late' };
    if (!reachable) return { words: 'new_unreachable' };
    return { words: lead.messages.at(-1)?.from === 'person' ? 'new_wrote' : 'new' };
  }
  if (status === 'quoted') return { words: quotedWords({ offer }) };
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
