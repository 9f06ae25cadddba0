import type { Registry } from '../../site/registry.ts';
import type { LeadLog, LogEntry } from '../lead-log.ts';
import { isEnded, type LeadStatus } from '../lead-states.ts';
import { answerDue } from './receipt.ts';

type LeadDeadlines = Pick<
  LeadLog,
  'subsite' | 'action' | 'createdAt' | 'respondBy' | 'dueAt' | 'entries'
>;

/**
 * When the provider's next answer is due after an entry, ISO 8601; undefined if none is. `due` and
 * `from` are the deadline and the state before the entry.
 */
function dueAfter(
  due: string | undefined,
  from: LeadStatus,
  { status, actor, at }: Pick<LogEntry, 'status' | 'actor' | 'at'>,
  lead: LeadDeadlines,
  registry: Registry,
): string | undefined {
  const isConfirmation = status === 'confirmed' && from !== 'confirmed';
  if (isEnded(status) || isConfirmation) return undefined;
  if (actor === 'person') return due ?? answerDue(registry, lead, new Date(at));
  // A message alone neither acknowledges the request nor confirms an accepted offer.
  return status === 'new' || status === 'accepted' ? due : undefined;
}

/**
 * When the provider's next answer is due, ISO 8601; undefined if none is. Computed from the entries
 * if no deadline is stored, as for a lead at an earlier time.
 */
function dueAnswer(lead: LeadDeadlines, registry: Registry): string | undefined {
  const { entries, respondBy, dueAt } = lead;
  if (dueAt !== undefined) return dueAt ?? undefined;
  return entries
    .slice(1)
    .reduce<string | undefined>(
      (due, entry, index) => dueAfter(due, entries[index]!.status, entry, lead, registry),
      respondBy,
    );
}

/** Like `dueAnswer`, after one more entry. */
export const dueAnswerAfter = (
  lead: LeadDeadlines & Pick<LeadLog, 'status'>,
  entry: Pick<LogEntry, 'status' | 'actor' | 'at'>,
  registry: Registry,
): string | undefined => dueAfter(dueAnswer(lead, registry), lead.status, entry, lead, registry);

/**
 * Until when the provider's next answer is promised, for every document and page that says so, ISO
 * 8601; undefined if none is pending. A provider that has only acknowledged the request still owes
 * an answer, although nothing counts as overdue.
 */
export function promisedAnswer(lead: LeadDeadlines, registry: Registry): string | undefined {
  const [before, last] = lead.entries.slice(-2);
  const isAcknowledgment = before?.status === 'new' && last?.status === 'acknowledged';
  return dueAnswer(lead, registry) ?? (isAcknowledgment ? lead.respondBy : undefined);
}
