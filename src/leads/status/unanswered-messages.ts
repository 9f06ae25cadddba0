import { quoteLines } from '../../operation/quote-lines.ts';
import type { LogEntry } from '../lead-log.ts';
import type { LeadStatus } from '../lead-states.ts';

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
 * meantime. A change to a confirmed request replaces the messages before it, and an offer replaces
 * the message with the previous offer.
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
  const lastOffer = entries.findLast(({ offer }) => offer);
  const currentEntries = entries
    .slice(Math.max(start, findLastChangeIndex(entries)))
    .filter((entry) => !entry.offer || entry === lastOffer);
  return listProviderMessages(currentEntries);
}

type Message = Pick<LogEntry, 'status' | 'actor' | 'note'>;

/** True if an entry only shows the person that a new request was read. */
export const isPlainAcknowledgment = (
  from: LeadStatus | undefined,
  { status, note }: Pick<Message, 'status' | 'note'>,
): boolean => from === 'new' && status === 'acknowledged' && note === null;

/** States whose entries count as an answer from the provider. */
const PROVIDER_ANSWER_STATES = new Set<LeadStatus>([
  // A message about a new request leaves it in the state `new`.
  'new',
  'acknowledged',
  'needs_info',
  'quoted',
  'confirmed',
  'declined',
]);

/** Whether the provider, or the operator for the provider, acts in an entry. */
const isByProvider = ({ actor }: Pick<Message, 'actor'>): boolean =>
  actor === 'provider' || actor === 'operator';

/**
 * Whether an entry after the state `from` gives the person something new, even if only a question.
 */
export const isAnswer = (from: LeadStatus | undefined, entry: Message): boolean =>
  isByProvider(entry) &&
  PROVIDER_ANSWER_STATES.has(entry.status) &&
  !isPlainAcknowledgment(from, entry);

/** Whether the provider has answered a request at least once. */
export const wasAnswered = (entries: readonly Message[]): boolean =>
  entries.some((entry, index) => isAnswer(entries[index - 1]?.status, entry));

/** Whether a message ends with a question, so that it needs an answer itself. */
export const endsWithQuestion = (words: string): boolean => words.trimEnd().endsWith('?');

/** Whether the entry at `index` is a message from the provider that neither asks nor acknowledges. */
const isReply = (entries: readonly Message[], index: number): boolean => {
  const entry = entries[index]!;
  return (
    isByProvider(entry) &&
    entry.note !== null &&
    entry.status !== 'needs_info' &&
    entry.status === entries[index - 1]?.status
  );
};

const isConfirmation = (entry: Message): boolean =>
  isByProvider(entry) && entry.status === 'confirmed';

/** Whether the provider has replied or confirmed. */
export const hasReply = (entries: readonly Message[]): boolean =>
  entries.some((entry, index) => isConfirmation(entry) || isReply(entries, index));

/**
 * The person's messages that the provider has not decided on, oldest first. An offer or a
 * confirmation settles all earlier messages. A reply that does not end with a question settles only
 * messages for which `isDecisive` is false.
 */
export function listUndecidedMessages(
  entries: readonly LogEntry[],
  isDecisive: (message: string) => boolean,
): string[] {
  const decisionIndex = entries.findLastIndex(
    (entry) => entry.offer !== undefined || isConfirmation(entry),
  );
  const replyIndex = entries.findLastIndex(
    (entry, index) => isReply(entries, index) && !endsWithQuestion(entry.note!),
  );
  return entries.flatMap(({ actor, note }, index) =>
    actor === 'person' &&
    note !== null &&
    index > decisionIndex &&
    (index > replyIndex || isDecisive(note))
      ? [note]
      : [],
  );
}

/** Index of the first entry after the provider last wrote, made an offer or decided. */
export const findFirstUnansweredIndex = (entries: readonly Message[]): number =>
  entries.findLastIndex(
    (entry) => isByProvider(entry) && (entry.note !== null || entry.status !== 'acknowledged'),
  ) + 1;

/** Whether the customer has written since the provider last wrote, made an offer or decided. */
export const hasUnansweredMessage = (entries: readonly Message[]): boolean =>
  entries
    .slice(findFirstUnansweredIndex(entries))
    .some(({ actor, note }) => actor === 'person' && note !== null);

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
