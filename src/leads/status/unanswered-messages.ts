import { quoteLines } from '../../operation/quote-lines.ts';
import type { LogEntry } from '../lead-log.ts';

/** Index of the latest change to a confirmed request; -1 if there is none. */
export const findLastChangeIndex = (entries: readonly Pick<LogEntry, 'kind'>[]): number =>
  entries.findLastIndex(({ kind }) => kind === 'change');

/** The messages from the provider and the operator in these entries, in order. */
export const listProviderMessages = (entries: readonly LogEntry[]): string[] =>
  entries.flatMap(({ actor, note }) =>
    actor === 'person' || actor === 'system' || note === null ? [] : [note],
  );

/**
 * The messages from the provider and the operator since the person's last step, in order. If an
 * offer is open, the messages since that offer are included, even if the person wrote in the
 * meantime. A change to a confirmed request replaces the messages before it.
 */
export function listUnansweredMessages(
  entries: readonly LogEntry[],
  openOfferId?: string,
): string[] {
  const firstUnansweredIndex = entries.findLastIndex(({ actor }) => actor === 'person') + 1;
  const offerIndex =
    openOfferId === undefined
      ? -1
      : entries.findIndex(({ offer }) => offer?.offerId === openOfferId);
  const start =
    offerIndex === -1 ? firstUnansweredIndex : Math.min(firstUnansweredIndex, offerIndex);
  return listProviderMessages(entries.slice(Math.max(start, findLastChangeIndex(entries))));
}

/** Whether the provider or the operator wrote or offered something in an entry. */
const isAnswer = ({ actor, note, offer }: LogEntry): boolean =>
  (actor === 'provider' || actor === 'operator') && (note !== null || offer !== undefined);

/** Whether the provider has answered a request at least once. */
export const wasAnswered = (entries: readonly LogEntry[]): boolean => entries.some(isAnswer);

/**
 * The person's latest message that the provider has answered with neither text nor an offer;
 * undefined if there is none.
 */
export function findUnansweredMessage(entries: readonly LogEntry[]): string | undefined {
  const messages = entries
    .slice(entries.findLastIndex(isAnswer) + 1)
    .filter(({ actor }) => actor === 'person');
  return messages.findLast(({ note }) => note !== null)?.note ?? undefined;
}

/** The messages of {@link listUnansweredMessages} as quoted lines for a program. */
export const renderUnansweredMessages = (
  entries: readonly LogEntry[],
  openOfferId?: string,
): string[] =>
  listUnansweredMessages(entries, openOfferId).flatMap((text) => [
    'The provider wrote:',
    ...quoteLines(text),
  ]);

/**
 * The provider's latest questions, if the person has written nothing since. Includes every message
 * that the person got while their answer was awaited, because it may be another question.
 */
export function listOpenQuestions(entries: readonly LogEntry[]): string[] {
  const first = entries.findLastIndex(
    ({ status }, index) => status === 'needs_info' && entries[index - 1]?.status !== status,
  );
  const laterEntries = first === -1 ? [] : entries.slice(first);
  if (laterEntries.some(({ actor, note }) => actor === 'person' && note !== null)) return [];
  return laterEntries.flatMap(({ status, note }) =>
    status === 'needs_info' && note !== null ? [note] : [],
  );
}
