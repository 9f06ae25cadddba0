import type { Action } from '../../registry/schemas/action.ts';
import type { DayRange } from '../../site/calendar/days.ts';
import { actionOf, type Registry } from '../../site/registry.ts';
import { isAcceptance, type LeadLog, type LogEntry, type LoggedState } from '../lead-log.ts';
import { findOfferedHold, type Offer } from '../conversation/conversation.ts';
import { isAgreed, isEnded } from '../lead-states.ts';
import type { CancellationKind } from '../../text/answer-words.ts';
import { listDaysInFields } from './first-day.ts';
import type { NamedState } from './timeline.ts';
import {
  endsWithQuestion,
  findLastChangeIndex,
  listProviderMessages,
} from './unanswered-messages.ts';

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
 * What declining a request cancels (or canceled, if it was declined): a booking if it has dates or
 * the provider visits the customer. Undefined if it was never confirmed.
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

/** Index of the entry that accepted or confirmed a request, last changed it, or ended it. */
export const findAgreementIndex = ({ status, entries }: LoggedState) => {
  const changeIndex = isEnded(status) ? -1 : findLastChangeIndex(entries);
  return changeIndex === -1 ? entries.findIndex((entry) => entry.status === status) : changeIndex;
};

const HOUR = '(?:1[0-2]|[1-9])';
/** Pattern for what can follow an hour but not a quantity. */
const HOUR_END = String.raw`(?!\w|[.,]\d|-\d| (?!(?:on|and|or|to|in|if|this|next|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b))`;
/**
 * Matches a time of day in text, such as “9 am”, “10:30”, “at 9”, “around 2”, “8-10”, “9 to 11”,
 * “between 8 and 10” or “noon”.
 */
const TIME_PATTERN = new RegExp(
  String.raw`\b(?:\d{1,2}(?::\d{2})?\s?[ap]\.?m\b|\d{1,2}:\d{2}\b|(?:at|around|before|after|until) ${HOUR}${HOUR_END}|(?:between ${HOUR} and |${HOUR} to |(?<![\d/-])${HOUR}\s?[-\u2013]\s?)${HOUR}${HOUR_END}|noon\b)`,
  'i',
);
const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
/** Matches a day in text, such as “Monday”, “tomorrow”, “Dec. 3” or “3rd of December”. */
const DAY_PATTERN = new RegExp(
  String.raw`\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|${MONTH}\.?\s\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?${MONTH})\b`,
  'i',
);

/** Whether text mentions a time of day. */
export const mentionsTime = (words: string): boolean => TIME_PATTERN.test(words);

/** Whether text mentions a time of day or a day. */
export const mentionsTimeOrDay = (words: string): boolean =>
  mentionsTime(words) || DAY_PATTERN.test(words);

/** Text without the times of day and the days that it mentions. */
export const removeTimes = (words: string): string =>
  [TIME_PATTERN, DAY_PATTERN].reduce(
    (rest, pattern) => rest.replaceAll(new RegExp(pattern, 'gi'), ' '),
    words,
  );

/** Matches text about days: a day, a date in numbers, or a word such as “weekend”. */
const DAYS_PATTERN = new RegExp(
  String.raw`${DAY_PATTERN.source}|\b(?:\d{1,2}(?:/\d{1,2}|st|nd|rd|th)|(?:day|date|week|weekend)s?)\b`,
  'i',
);

/** Whether text mentions days and so may ask for days other than those of the request. */
export const mentionsDays = (words: string): boolean => DAYS_PATTERN.test(words);

/**
 * Whether the person has written about days since the days of the request were set, by the request
 * or by an accepted offer of different days.
 */
export function hasAskedForOtherDays(log: LoggedState): boolean {
  const offer = findAgreedOffer(log);
  const indexOfSet = offer && findOfferedHold(offer) ? log.entries.findIndex(isAcceptance) : 0;
  return log.entries
    .slice(indexOfSet + 1)
    .some(({ actor, note }) => actor === 'person' && mentionsDays(note ?? ''));
}

/** Whether the entry at `index` confirms a request or changes a confirmed one. */
function isConfirmation(entries: readonly HistoryEntry[], index: number): boolean {
  const { status, kind } = entries[index]!;
  return (
    kind === 'change' || (status === 'confirmed' && entries[index - 1]?.status !== 'confirmed')
  );
}

/**
 * Whether the provider's entry at `index` only asks a question, so it is not part of the agreement.
 * A confirmation, a change or an offer may end with a question.
 */
function isQuestion(entries: readonly HistoryEntry[], index: number): boolean {
  const { status, note, offer } = entries[index]!;
  if (offer || isConfirmation(entries, index)) return false;
  return status === 'needs_info' || (note !== null && endsWithQuestion(note));
}

/**
 * Index of the first entry whose text can apply to an agreed request: the accepted offer or, if no
 * offer was accepted, the first entry after the person's last step; -1 if there is no agreement.
 */
function findFirstAgreedIndex(entries: readonly HistoryEntry[]): number {
  const agreedIndex = entries.findIndex(({ status }) => isAgreed(status));
  if (agreedIndex === -1) return -1;
  const before = entries.slice(0, agreedIndex);
  const first = before.findLastIndex(({ actor }) => actor === 'person') + 1;
  const agreed = entries[agreedIndex]!;
  if (!isAcceptance(agreed)) return first;
  const offerIndex = before.findLastIndex(({ offer }) => offer);
  return agreed.actor === 'person' ? offerIndex : Math.min(first, offerIndex);
}

/**
 * The provider's messages that were ever part of the agreement, with their indexes, and when a
 * later change replaced each. A change replaces the message with the confirmation or an earlier
 * change, and any other message that names a time. Other messages, for example about parking, still
 * apply.
 */
function listAgreedEntries(entries: readonly HistoryEntry[]) {
  const first = findFirstAgreedIndex(entries);
  if (first === -1) return [];
  return entries.flatMap(({ at, actor, note, offer }, index) => {
    const applies =
      index >= first && actor !== 'person' && actor !== 'system' && !isQuestion(entries, index);
    if (!applies || note === null) return [];
    const isReplaceable = isConfirmation(entries, index) || mentionsTimeOrDay(note);
    const replacedAt = isReplaceable
      ? entries.find(({ kind }, later) => later > index && kind === 'change')?.at
      : undefined;
    return [{ at, note, offer, index, isReplaceable, replacedAt }];
  });
}

/**
 * For each entry, when a later change replaced what the provider wrote, ISO 8601; undefined if none
 * did.
 */
export function findReplacedTimes(entries: readonly HistoryEntry[]): (string | undefined)[] {
  const replacedTimes = new Map(
    listAgreedEntries(entries).map(({ index, replacedAt }) => [index, replacedAt]),
  );
  return entries.map((_, index) => replacedTimes.get(index));
}

/** The text that a change to a confirmed request would replace; '' if none. */
export const findReplaceableText = ({ status, entries }: LoggedState): string =>
  status === 'confirmed'
    ? listAgreedEntries(entries)
        .filter(({ isReplaceable, replacedAt }) => isReplaceable && replacedAt === undefined)
        .map(({ note }) => note)
        .join('\n')
    : '';

/**
 * The accepted offer of an accepted or confirmed request. Undefined before acceptance, or if the
 * provider confirmed the request first.
 */
export function findAgreedOffer({ status, entries }: LoggedState): Offer | undefined {
  if (!isAgreed(status)) return undefined;
  const offerIndex = entries.findLastIndex(({ offer }) => offer);
  const agreement = entries.slice(offerIndex + 1).find((entry) => isAgreed(entry.status));
  return agreement && isAcceptance(agreement) ? entries[offerIndex]?.offer : undefined;
}

/**
 * The provider's messages that apply to an accepted or confirmed request, in order: those since the
 * accepted offer or, if no offer was accepted, since the person's last step, up to the confirmation
 * note or the latest change. Later messages are updates. Questions, messages sent with offers that
 * were not accepted, and texts that a change replaced do not apply.
 */
function listApplicableEntries({ status, entries }: LoggedState, acceptedOffer: Offer | undefined) {
  if (!isAgreed(status)) return [];
  const last = findAgreementIndex({ status, entries });
  return listAgreedEntries(entries).filter(
    ({ index, offer, replacedAt }) =>
      index <= last &&
      (!offer || offer.offerId === acceptedOffer?.offerId) &&
      replacedAt === undefined,
  );
}

/**
 * What the provider wrote after it confirmed or last changed a request, oldest first: corrections
 * and updates.
 */
export const listLaterMessages = ({ status, entries }: LoggedState): string[] =>
  status === 'confirmed'
    ? listProviderMessages(entries.slice(findAgreementIndex({ status, entries }) + 1))
    : [];

/** What the provider wrote for an accepted or confirmed request. */
export interface Agreement {
  /** What the price of the accepted offer includes. */
  description: string | undefined;
  /** The messages that apply, oldest first; after a change, the last one is its text. */
  texts: readonly string[];
  /** When the provider wrote each of the texts, ISO 8601. */
  times: readonly string[];
  /** When the provider last changed a confirmed request, ISO 8601. */
  changedAt?: string | undefined;
  /**
   * What the latest change was about: a new time instead of another, a first time, or something
   * else.
   */
  changeKind?: 'time' | 'firstTime' | 'other' | undefined;
}

/** What the latest change to a confirmed request was about; undefined without a change. */
function findChangeKind(
  entries: readonly HistoryEntry[],
  acceptedOffer: Offer | undefined,
): Agreement['changeKind'] {
  const changeIndex = findLastChangeIndex(entries);
  if (changeIndex === -1) return undefined;
  const replacedTexts = listAgreedEntries(entries).flatMap(({ note, replacedAt }) =>
    replacedAt === undefined ? [] : [note],
  );
  if ([...replacedTexts, acceptedOffer?.description ?? ''].some(mentionsTimeOrDay)) return 'time';
  return mentionsTime(entries[changeIndex]!.note ?? '') ? 'firstTime' : 'other';
}

/**
 * What the provider's messages and offer say about the agreement; undefined if nothing was written.
 */
export function findAgreement(log: LoggedState): Agreement | undefined {
  const acceptedOffer = findAgreedOffer(log);
  const applicableEntries = listApplicableEntries(log, acceptedOffer);
  if (acceptedOffer?.description === undefined && !applicableEntries.length) return undefined;
  const changedAt = log.entries[findLastChangeIndex(log.entries)]?.at;
  const changeKind = findChangeKind(log.entries, acceptedOffer);
  return {
    description: acceptedOffer?.description,
    texts: applicableEntries.map(({ note }) => note),
    times: applicableEntries.map(({ at }) => at),
    ...(changedAt !== undefined && { changedAt }),
    ...(changeKind && { changeKind }),
  };
}

/**
 * The provider's texts, oldest first, for an accepted or confirmed request that ends after these
 * entries. Of the messages after the confirmation, only those about a time are part of the
 * agreement. An answer to a question is no agreement.
 */
export function listEndingTexts(
  entries: readonly LogEntry[],
  action: Pick<Action, 'purpose'> | undefined,
): string[] {
  const status = entries.at(-1)?.status;
  if (status === undefined || !isAgreed(status)) return [];
  const log = { status, entries };
  if (action?.purpose === 'question' && !findAgreedOffer(log)) return [];
  const { description, texts = [] } = findAgreement(log) ?? {};
  const allTexts = [...texts, ...listLaterMessages(log).filter(mentionsTimeOrDay)];
  return allTexts.length || description === undefined ? allTexts : [description];
}

/** What the provider wrote for a confirmed request, and later messages, oldest first. */
export const listCurrentMessages = (
  log: LoggedState,
  agreement: Agreement | undefined,
): string[] => [...(agreement?.texts ?? []), ...listLaterMessages(log)];
