import type { states } from '../text/index.ts';
import type { LeadLog } from './lead-log.ts';
import type { LeadState } from './lead-status.ts';
import type { Step } from './timeline.ts';

/**
 * Until when the next answer of the provider is promised, for every page that says so, ISO 8601;
 * undefined while an answer, an acceptance or nothing at all is awaited.
 */
export const promisedBy = ({
  status,
  dueAt,
  respondBy,
}: Pick<LeadLog, 'status' | 'dueAt' | 'respondBy'>): string | undefined =>
  dueAt ?? (status === 'new' || status === 'acknowledged' ? respondBy : undefined);

/** What a receipt says on top: the newest thing that happened, and the answer that is owed. */
export interface ReceiptState {
  /** Which of the sentences of `states`. */
  words: keyof typeof states;
  /** When the provider owes an answer to what the person did, ISO 8601. */
  due?: { by: string; late: boolean };
}

/** Which sentence a quoted request has: that of an offer that is open, or has expired. */
const quotedWords = ({ offer }: Pick<LeadState, 'offer'>): ReceiptState['words'] =>
  !offer ? 'offer_expired' : offer.confirmOnAccept ? 'offer_confirms' : 'quoted';

/** What a receipt says on top; `timeline` holds the steps of the lead in order. */
export function receiptState(
  lead: Pick<LeadState, 'status' | 'respondBy' | 'offer' | 'messages'>,
  timeline: readonly Step[],
  { dueAt }: Pick<LeadLog, 'dueAt'>,
  now: Date,
): ReceiptState {
  const { status, offer } = lead;
  const at = now.toISOString();
  if (status === 'new') {
    if (lead.respondBy <= at) return { words: 'new_late' };
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
