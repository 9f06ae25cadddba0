import type { LogEntry } from '../lead-log.ts';

/**
 * The messages from the provider and the operator since the person's last step, in order. If an
 * offer is open, the messages since that offer are included, even if the person wrote in the
 * meantime.
 */
export function unansweredTexts(entries: readonly LogEntry[], openOfferId?: string): string[] {
  const firstUnanswered = entries.findLastIndex(({ actor }) => actor === 'person') + 1;
  const offered =
    openOfferId === undefined
      ? -1
      : entries.findIndex(({ offer }) => offer?.offerId === openOfferId);
  return entries
    .slice(offered === -1 ? firstUnanswered : Math.min(firstUnanswered, offered))
    .flatMap(({ actor, note }) =>
      actor === 'person' || actor === 'system' || note === null ? [] : [note],
    );
}
