import type { LogEntry } from '../lead-log.ts';

/**
 * The messages from the provider and the operator since the person's last step, in order. If an
 * offer is open, the messages since that offer are included, even if the person wrote in the
 * meantime.
 */
export function listUnansweredTexts(entries: readonly LogEntry[], openOfferId?: string): string[] {
  const firstUnansweredIndex = entries.findLastIndex(({ actor }) => actor === 'person') + 1;
  const offered =
    openOfferId === undefined
      ? -1
      : entries.findIndex(({ offer }) => offer?.offerId === openOfferId);
  return entries
    .slice(offered === -1 ? firstUnansweredIndex : Math.min(firstUnansweredIndex, offered))
    .flatMap(({ actor, note }) =>
      actor === 'person' || actor === 'system' || note === null ? [] : [note],
    );
}

/** The provider's latest question, if the person has written nothing since; otherwise undefined. */
export function openQuestion(entries: readonly LogEntry[]): string | undefined {
  const asked = entries.findLastIndex(
    ({ status, note }, index) =>
      status === 'needs_info' && note !== null && entries[index - 1]?.status !== status,
  );
  const isAnswered = entries
    .slice(asked + 1)
    .some(({ actor, note }) => actor === 'person' && note !== null);
  return asked === -1 || isAnswered ? undefined : entries[asked]!.note!;
}
