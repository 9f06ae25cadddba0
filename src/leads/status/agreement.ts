import type { Action } from '../../registry/action.ts';
import type { DayRange } from '../../site/calendar/days.ts';
import { actionOf, type Registry } from '../../site/registry.ts';
import { isAcceptance, type LeadLog, type LogEntry, type LoggedState } from '../lead-log.ts';
import { isAgreed, isEnded } from '../lead-states.ts';
import type { CancellationKind } from '../../text/answer-words.ts';
import { listDaysInFields } from './first-day.ts';
import type { NamedState } from './timeline.ts';
import { findLastChangeIndex, listProviderTexts, listUnansweredTexts } from './unanswered-texts.ts';

type HistoryEntry = Pick<LogEntry, 'status' | 'at' | 'actor' | 'note' | 'kind' | 'offer'>;

/** The first and the last day of a request; undefined if it has no dates. */
export const findRequestedDays = (
  { fields, ...lead }: Pick<LeadLog, 'subsite' | 'action' | 'fields'>,
  registry: Registry,
): DayRange | undefined => findDaysInFields(actionOf(registry, lead), fields);

/** The first and the last requested day in the fields of an action; undefined if there is none. */
export function findDaysInFields(
  action: Pick<Action, 'fields'> | undefined,
  fields: LeadLog['fields'],
): DayRange | undefined {
  const days = listDaysInFields(action?.fields ?? {}, fields).sort();
  const [from, to] = [days[0], days.at(-1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** The days of a confirmed request; undefined before confirmation or without dates. */
export const findAgreedDays = (log: LeadLog, registry: Registry): DayRange | undefined =>
  log.status === 'confirmed' ? findRequestedDays(log, registry) : undefined;

/** The days of a request that was confirmed and has ended since; otherwise undefined. */
export const findCanceledDays = (log: LeadLog, registry: Registry): DayRange | undefined =>
  isEnded(log.status) && log.entries.some(({ status }) => status === 'confirmed')
    ? findRequestedDays(log, registry)
    : undefined;

/**
 * What declining a request cancels, now or when it was declined: a booking if it has dates or the
 * provider visits the customer. Undefined if it was not confirmed.
 */
export function findCancellation(
  lead: Pick<LeadLog, 'subsite' | 'action' | 'fields'> & { state: NamedState },
  registry: Registry,
): CancellationKind | undefined {
  if (lead.state !== 'confirmed' && lead.state !== 'canceled') return undefined;
  const isBooking =
    findRequestedDays(lead, registry) !== undefined ||
    actionOf(registry, lead)?.visitField !== undefined;
  return isBooking ? 'booking' : 'request';
}

/** Index of the entry that accepted or confirmed a request, or last changed it, or that ended it. */
export const findAgreementIndex = ({ status, entries }: LoggedState) => {
  const changeIndex = isEnded(status) ? -1 : findLastChangeIndex(entries);
  return changeIndex === -1 ? entries.findIndex((entry) => entry.status === status) : changeIndex;
};

/**
 * Index of the first entry whose text can apply to an agreed request: the accepted offer or, if no
 * offer was accepted, the first entry after the person's last step; -1 if nothing was agreed.
 */
function findFirstAgreedIndex(entries: readonly HistoryEntry[]): number {
  const agreedIndex = entries.findIndex(({ status }) => isAgreed(status));
  if (agreedIndex === -1) return -1;
  const before = entries.slice(0, agreedIndex);
  const first = before.findLastIndex(({ actor }) => actor === 'person') + 1;
  return isAcceptance(entries[agreedIndex]!)
    ? Math.min(
        first,
        before.findLastIndex(({ offer }) => offer),
      )
    : first;
}

/**
 * When a later change replaced what the provider wrote in the entry at `index`, ISO 8601; undefined
 * if none did.
 */
export function findReplacedTime(
  entries: readonly HistoryEntry[],
  index: number,
): string | undefined {
  const { note, actor, status } = entries[index]!;
  const first = findFirstAgreedIndex(entries);
  const applied = first !== -1 && index >= first && status !== 'needs_info';
  return applied && note !== null && actor !== 'person'
    ? entries.slice(index + 1).find(({ kind }) => kind === 'change')?.at
    : undefined;
}

/**
 * The provider's messages that apply to an accepted or confirmed request, in order: all messages
 * since the accepted offer or, if no offer was accepted, since the person's last step. The last of
 * them is the confirmation note; later messages are updates. Questions and messages sent with offers
 * that were not accepted do not apply. After a change, only its text applies.
 */
function listAgreedTexts({ status, entries }: LoggedState, offerId?: string): string[] {
  if (!isAgreed(status)) return [];
  const last = findAgreementIndex({ status, entries });
  const applicableEntries = entries
    .slice(0, last + 1)
    .map((entry) =>
      entry.status === 'needs_info' || (entry.offer && entry.offer.offerId !== offerId)
        ? { ...entry, note: null }
        : entry,
    );
  return listUnansweredTexts(applicableEntries, offerId);
}

/**
 * What the provider wrote after it confirmed or last changed a request, oldest first: corrections
 * and updates.
 */
export const listLaterTexts = ({ status, entries }: LoggedState): string[] =>
  status === 'confirmed'
    ? listProviderTexts(entries.slice(findAgreementIndex({ status, entries }) + 1))
    : [];

/** What the provider wrote for an accepted or confirmed request. */
export interface Agreement {
  /** What the price of the accepted offer includes. */
  description: string | undefined;
  /** The messages that apply, oldest first. */
  texts: readonly string[];
  /** When the provider last changed a confirmed request, ISO 8601. */
  changedAt?: string | undefined;
}

/** The agreement in words; undefined if there are none. `offerId` is the accepted offer. */
export function findAgreement(log: LoggedState, offerId?: string): Agreement | undefined {
  const accepted = log.entries.find(({ offer }) => offer && offer.offerId === offerId)?.offer;
  const changedAt = log.entries[findLastChangeIndex(log.entries)]?.at;
  const agreement = {
    description: accepted?.description,
    texts: listAgreedTexts(log, offerId),
    ...(changedAt !== undefined && { changedAt }),
  };
  return agreement.description === undefined && !agreement.texts.length ? undefined : agreement;
}

/** What the provider wrote for a confirmed request and after it, oldest first. */
export const listCurrentTexts = (log: LoggedState, agreement: Agreement | undefined): string[] => [
  ...(agreement?.texts ?? []),
  ...listLaterTexts(log),
];
