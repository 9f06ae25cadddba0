import type { LogEntry } from '../lead-log.ts';
import { isPlainAcknowledgment } from './unanswered-messages.ts';

/**
 * Index of the entry that the provider still has to tell the customer about by phone, because the
 * customer gets no email and no call was recorded; -1 if there is none. A customer who acted after
 * the entry has seen it. A customer who accepted an offer, answered a question or canceled by phone
 * has talked to the provider.
 */
export function findEntryToCallAbout(
  entries: readonly Pick<LogEntry, 'status' | 'actor' | 'note' | 'kind' | 'calledAt'>[],
): number {
  let index = -1;
  for (const [position, entry] of entries.entries()) {
    const from = entries[position - 1]?.status ?? 'new';
    const { status, actor, note, kind } = entry;
    if (actor === 'system' || (actor !== 'person' && isPlainAcknowledgment(from, entry))) continue;
    const isKnown =
      actor === 'person' ||
      entry.calledAt !== undefined ||
      kind === 'phone_acceptance' ||
      status === 'withdrawn' ||
      (status === 'acknowledged' && note === null);
    index = isKnown ? -1 : position;
  }
  return index;
}
