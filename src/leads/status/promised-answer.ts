import { findAnswerDeadline } from '../../site/calendar/answer-deadline.ts';
import { toDateInTimeZone } from '../../site/calendar/days.ts';
import { actionOf, findSubsite, type Registry } from '../../site/registry.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import type { LeadLog, LogEntry } from '../lead-log.ts';
import { isEnded, type LeadStatus } from '../lead-states.ts';
import { pickEarlierTime } from '../../operation/time-arithmetic.ts';
import { listRequestedDays, type RequestWithDays } from './first-day.ts';
import { isPlainAcknowledgment } from './unanswered-messages.ts';

/**
 * Hours until the promised answer and days until erasure, from the action or else the network's
 * defaults.
 */
export function leadTermsOf(
  registry: Registry,
  subsite: Subsite | undefined,
  verb: string | null,
): { respondWithinHours: number; retentionDays: number } {
  return subsite?.actions.find((action) => action.verb === verb) ?? registry.network.leadTerms;
}

/**
 * When the answer to a person's action is due, ISO 8601: after the response time in the record,
 * never while the service is closed, and in time for the first requested date. A choice that means
 * today does not shorten the wait, because the notice says to call instead; with `isForToday`, the
 * choice does shorten it, like the date of today.
 */
export function computeAnswerDeadline(
  registry: Registry,
  lead: RequestWithDays,
  time: Date,
  { isForToday = false } = {},
): string {
  const service = findSubsite(registry, lead.subsite);
  const { timeZone } = registry.network;
  const { respondWithinHours } = leadTermsOf(registry, service, lead.action);
  const days = isForToday ? [toDateInTimeZone(timeZone, time)] : listRequestedDays(registry, lead);
  return findAnswerDeadline(
    service ?? {},
    timeZone,
    { respondWithinHours, days },
    time,
  ).toISOString();
}

type LeadDeadlines = Pick<
  LeadLog,
  | 'subsite'
  | 'action'
  | 'fields'
  | 'createdAt'
  | 'firstAnswerDue'
  | 'dueAt'
  | 'isEmergency'
  | 'entries'
>;

/**
 * When the provider's next answer is due after an entry, ISO 8601; undefined if no answer is due.
 * `due` and `from` are the deadline and the state before the entry.
 */
function computeNextDueAt(
  due: string | undefined,
  from: LeadStatus,
  { status, actor, at, note }: Pick<LogEntry, 'status' | 'actor' | 'at' | 'note'>,
  lead: LeadDeadlines,
  registry: Registry,
): string | undefined {
  const isConfirmation = status === 'confirmed' && from !== 'confirmed';
  if (isEnded(status) || isConfirmation) return undefined;
  if (actor === 'person') {
    const isAcceptance = status === 'accepted';
    const time = new Date(at);
    const deadline =
      due ??
      computeAnswerDeadline(registry, lead, time, { isForToday: isAcceptance && lead.isEmergency });
    // An acceptance must not delay the answer that was promised first.
    return isAcceptance && lead.firstAnswerDue > at
      ? pickEarlierTime(deadline, lead.firstAnswerDue)
      : deadline;
  }
  // A message answers the request, so the request does not expire, but a message does not confirm
  // an accepted offer, and an acknowledgment without a message tells the person nothing.
  return status === 'accepted' || isPlainAcknowledgment(from, { status, note }) ? due : undefined;
}

/**
 * When the provider's next answer is due, ISO 8601; undefined if no answer is due. Computed from
 * the history if no deadline is stored.
 */
function findDueAt(lead: LeadDeadlines, registry: Registry): string | undefined {
  const { entries, firstAnswerDue, dueAt } = lead;
  if (dueAt !== undefined) return dueAt ?? undefined;
  return entries
    .slice(1)
    .reduce<string | undefined>(
      (due, entry, index) => computeNextDueAt(due, entries[index]!.status, entry, lead, registry),
      firstAnswerDue,
    );
}

/** Like `findDueAt`, but after one more entry, which may have changed the lead's `fields`. */
export const findDueAtAfter = (
  lead: LeadDeadlines & Pick<LeadLog, 'status'>,
  entry: Pick<LogEntry, 'status' | 'actor' | 'at' | 'note'>,
  registry: Registry,
): string | undefined =>
  computeNextDueAt(findDueAt(lead, registry), lead.status, entry, lead, registry);

/**
 * Deadline for the provider's next answer, as shown in documents and on pages, ISO 8601; undefined
 * if no answer is pending. After an acknowledgment with a message, an answer is still pending but
 * does not count as overdue.
 */
export function findNextAnswerDue(lead: LeadDeadlines, registry: Registry): string | undefined {
  const [before, last] = lead.entries.slice(-2);
  const isAcknowledgment = before?.status === 'new' && last?.status === 'acknowledged';
  const isAwaited = isAcknowledgment && actionOf(registry, lead)?.purpose !== 'subscription';
  return findDueAt(lead, registry) ?? (isAwaited ? lead.firstAnswerDue : undefined);
}
