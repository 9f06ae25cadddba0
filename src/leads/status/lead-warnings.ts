import { type Field, kindOf } from '../../fields/fields.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { toDateInTimeZone } from '../../site/calendar/days.ts';
import { findOpeningBeforeAnswer } from '../../site/calendar/answer-deadline.ts';
import { formatTimeOfDay, hoursOn, isClosedOn } from '../../site/calendar/opening-hours.ts';
import { phoneOf } from '../../site/phone.ts';
import {
  actionOf,
  EMAIL_ENDPOINT,
  findSubsite,
  isSoldOrPast,
  itemFieldOf,
  itemsOf,
  type Registry,
} from '../../site/registry.ts';
import { findWarningAnswer } from '../../search/not-offered.ts';
import { describeArea } from '../../search/services-to-ask.ts';
import {
  addCorrection,
  createOutOfAreaNotice,
  isOutsideServiceArea,
} from '../../site/words/service-area.ts';
import {
  formatAnswerDeadline,
  formatList,
  formatPlannedDay,
  formatPromisedTime,
} from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { relayAdvice, warnings as text } from '../../text/index.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';
import { listCustomerMessages, type LeadLog, type LogEntry } from '../lead-log.ts';
import { isUndecided } from '../lead-states.ts';
import { mustAskForAddress } from './missing-address.ts';
import {
  type AnswerPromise,
  findRequestedDayBeforeAnswer,
  findFirstFutureDay,
  isForToday,
  listRequestedDays,
  type RequestWithDays,
} from './first-day.ts';

/** Codes for warnings about how a request was sent; only its receipt contains them. */
const submissionWarningCodes = ['mistyped_email', 'email_limit', 'action_not_named'] as const;

/** Codes for warnings about something that the person can still send in a message. */
const missingTextCodes = ['details_missing', 'no_address'] as const;

/** Codes of warnings, which programs can compare. */
export const warningCodes = [
  'danger',
  'emergency',
  'outside_area',
  'place_mismatch',
  'item_unavailable',
  'answer_after_first_day',
  'same_day',
  'answer_after_opening',
  'closed_day',
  'no_contact',
  'no_email',
  ...missingTextCodes,
  ...submissionWarningCodes,
] as const;

/** Something about a request that the person should know or correct. */
export interface Warning {
  code: (typeof warningCodes)[number];
  /** One or more sentences, which are also in the notice. */
  message: string;
}

/** The parts of a lead that determine its warnings. */
export interface LeadForWarnings extends Pick<
  LeadLog,
  'receiptToken' | 'subsite' | 'action' | 'status' | 'isEmergency' | 'isReachable' | 'hasEmail'
> {
  /** Fields of the lead, which may include a ZIP code outside the service area. */
  fields?: Readonly<Record<string, unknown>> | undefined;
  /** What both sides wrote after the request. */
  entries?:
    readonly (Pick<LogEntry, 'actor' | 'note'> & Partial<Pick<LogEntry, 'offer'>>)[] | undefined;
  /** When the lead was created and the deadline for the first answer, ISO 8601. */
  promise?: Readonly<Record<'createdAt' | 'firstAnswerDue', string>> | undefined;
  /** The answer that is due after the person accepts an offer. */
  promiseAfterAcceptance?: AnswerPromise | undefined;
  /** When the hold ends unless the provider confirms it, ISO 8601. */
  heldUntil?: string | undefined;
}

/** Whether a warning is about how a request was sent. */
export const isSubmissionWarning = ({ code }: Pick<Warning, 'code'>): boolean =>
  submissionWarningCodes.some((submissionCode) => submissionCode === code);

/**
 * Whether a warning is about something that the person can still send in a message. The receipt
 * page says this next to its message box, and email next to the link to the page, so neither shows
 * the warning.
 */
export const isAboutMissingText = ({ code }: Pick<Warning, 'code'>): boolean =>
  missingTextCodes.some((missingTextCode) => missingTextCode === code);

/**
 * Says which details to send to the provider in a message because no field asks for them, until the
 * person has written or the provider has asked or offered something.
 */
const describeMissingDetails = (
  { messageHint }: Action,
  { status, entries = [] }: Pick<LeadForWarnings, 'status' | 'entries'>,
): string | undefined =>
  messageHint !== undefined &&
  (status === 'new' || status === 'acknowledged') &&
  listCustomerMessages(entries).length === 0 &&
  entries.every(({ offer }) => !offer)
    ? fill(text.detailsMissing, { hint: messageHint, fix: text.sendText })
    : undefined;

/** Asks for the street address that the provider needs. A sandbox request accepts no messages. */
const describeMissingAddress = (record: Action, lead: LeadForWarnings): string | undefined =>
  mustAskForAddress(record, lead)
    ? fill(text.noAddress, {
        fix:
          lead.receiptToken === SANDBOX_TOKEN
            ? fill(text.writeInField, { field: record.visitField! })
            : text.sendText,
      })
    : undefined;

type Candidate = readonly [code: Warning['code'], message: string | false | undefined];

/** A sentence that says when a hold ends if the provider does not confirm it. */
function describeHoldEnd(
  registry: Registry,
  { heldUntil, promise }: Pick<LeadForWarnings, 'heldUntil' | 'promise'>,
): string {
  if (heldUntil === undefined) return '';
  const until = formatPromisedTime(heldUntil, registry.network.timeZone);
  const isEarly = promise !== undefined && heldUntil < promise.firstAnswerDue;
  return ` ${fill(isEarly ? text.holdEndsEarly : text.holdEnds, { until })}`;
}

/** Whether a ZIP code in a request differs from the place in the subsite record. */
const isMismatchedZip = (field: Field, value: unknown): boolean =>
  kindOf(field).isZipCode === true &&
  field.known !== undefined &&
  typeof value === 'string' &&
  !value.startsWith(field.known);

/** A number at the start of an address, which may look like a ZIP code. */
const HOUSE_NUMBER_PATTERN = /^\s*\d+\s+(?=\D)/;

/**
 * Notice about a ZIP code or place outside the service area. It names only a place that the network
 * knows by name, and repeats nothing else that the person entered.
 */
function describeOutsideArea(
  registry: Registry,
  service: Subsite,
  record: Action,
  { fields = {}, receiptToken }: Pick<LeadForWarnings, 'fields' | 'receiptToken'>,
): string | undefined {
  const placeNotices = Object.entries(record.fields).map(([name, { place }]) => {
    const value = fields[name];
    return place && typeof value === 'string'
      ? describeArea(service, value.replace(HOUSE_NUMBER_PATTERN, ''), registry)
      : undefined;
  });
  const notice = isOutsideServiceArea(service, record, fields)
    ? createOutOfAreaNotice(service)
    : placeNotices.find((placeNotice) => placeNotice !== undefined);
  // Nobody can correct a sandbox request.
  return notice === undefined || receiptToken === SANDBOX_TOKEN
    ? notice
    : addCorrection(notice, service);
}

/**
 * The network's advice about a danger that the person mentions in the request or a later message.
 */
const describeDanger = (
  { network }: Registry,
  { fields = {}, entries = [] }: Pick<LeadForWarnings, 'fields' | 'entries'>,
): string | undefined =>
  findWarningAnswer(network.search.notOffered, [
    ...Object.values(fields).filter((value) => typeof value === 'string'),
    ...listCustomerMessages(entries),
  ]);

function describeUnavailableItem(
  registry: Registry,
  { subsite }: Pick<LeadForWarnings, 'subsite'>,
  record: Action,
  fields: NonNullable<LeadForWarnings['fields']>,
): string | undefined {
  const field = itemFieldOf(record);
  const item = itemsOf(registry, subsite).find(({ id }) => field && id === fields[field]);
  return item && isSoldOrPast(item)
    ? fill(text.unavailable, { item: item.title, status: item.status! })
    : undefined;
}

/** Names the requested days on which the provider is closed. */
function describeClosedDays(
  registry: Registry,
  service: Subsite,
  request: RequestWithDays,
  phone: string,
): string | undefined {
  const closedDays = [...new Set(listRequestedDays(registry, request))].filter((day) =>
    isClosedOn(service, day),
  );
  return closedDays.length
    ? fill(text.closedDay, {
        service: service.title,
        days: formatList(closedDays.map(formatPlannedDay)),
        phone,
      })
    : undefined;
}

/** Warns if the answer is promised only after the first requested day. */
function describeLateAnswer(
  registry: Registry,
  service: Subsite,
  request: RequestWithDays,
  promise: AnswerPromise,
): string | undefined {
  const day = findRequestedDayBeforeAnswer(registry, request, promise);
  return day === undefined
    ? undefined
    : fill(text.afterFirstDay, {
        deadline: formatAnswerDeadline(promise.due, registry.network.timeZone, service),
        day: formatPlannedDay(day),
        phone: phoneOf(service, registry),
      });
}

/**
 * Warns that the answer is promised only after the first requested day, or after the service opens
 * on that day, or that the request needs something on the same day, which leaves the provider
 * little time to prepare it.
 */
function findShortTimeWarning(
  registry: Registry,
  service: Subsite,
  { purpose }: Pick<Action, 'purpose'>,
  request: RequestWithDays,
  promise: NonNullable<LeadForWarnings['promise']>,
): Candidate {
  const { timeZone } = registry.network;
  const phone = phoneOf(service, registry);
  const lateAnswer = describeLateAnswer(registry, service, request, {
    createdAt: promise.createdAt,
    due: promise.firstAnswerDue,
  });
  if (lateAnswer !== undefined) return ['answer_after_first_day', lateAnswer];
  const sent = new Date(promise.createdAt);
  const today = toDateInTimeZone(timeZone, sent);
  const closes = hoursOn(service, today)?.closes;
  const isToday =
    isForToday(registry, request) || findFirstFutureDay(registry, request, sent) === today;
  if (closes !== undefined && purpose === undefined && isToday) {
    const time = formatTimeOfDay(closes);
    return [
      'same_day',
      fill(text.sameDay, {
        service: service.title,
        day: formatPlannedDay(today),
        time,
        phone,
      }),
    ];
  }
  const opens = findOpeningBeforeAnswer(service, timeZone, listRequestedDays(registry, request), {
    sent,
    due: new Date(promise.firstAnswerDue),
  });
  return [
    'answer_after_opening',
    opens &&
      fill(text.afterOpening, {
        service: service.title,
        deadline: formatAnswerDeadline(promise.firstAnswerDue, timeZone, service),
        time: formatTimeOfDay(opens),
        phone,
      }),
  ];
}

/**
 * Warnings about a request that the provider still has to answer: a danger, an emergency or a place
 * outside the area until an offer is made, a sold item, an answer after the requested day, a
 * requested day without opening hours, a missing contact, and missing details or a missing street
 * address. The first deadline matters only for a new request, and the next one after an acceptance.
 */
export function listOpenWarnings(registry: Registry, lead: LeadForWarnings): Warning[] {
  const record = actionOf(registry, lead);
  if (!record || !isUndecided(lead.status)) return [];
  const hasOffer = lead.status === 'quoted' || lead.status === 'accepted';
  const { fields = {}, heldUntil, isReachable, hasEmail } = lead;
  const promise = lead.status === 'new' ? lead.promise : undefined;
  const service = findSubsite(registry, lead.subsite)!;
  const phone = phoneOf(service, registry);
  const holdEnd = describeHoldEnd(registry, { heldUntil, promise });
  const needsContact = record.contact !== 'optional';
  // Subsites with the email endpoint send what they offer, such as a newsletter, by email.
  const answersByEmail = service.leadEndpoint === EMAIL_ENDPOINT;
  const candidates: Candidate[] = [
    ['danger', !hasOffer && describeDanger(registry, lead)],
    [
      'emergency',
      lead.isEmergency && !hasOffer && `${fill(text.emergency, { phone })} ${relayAdvice}`,
    ],
    ['outside_area', !hasOffer && describeOutsideArea(registry, service, record, lead)],
    ...Object.entries(record.fields).map(([name, field]): Candidate => [
      'place_mismatch',
      isMismatchedZip(field, fields[name]) &&
        fill(record.effect?.kind === 'hold' ? text.pickupMismatch : text.placeMismatch, {
          known: field.known!,
        }),
    ]),
    ['item_unavailable', describeUnavailableItem(registry, lead, record, fields)],
    ...(promise ? [findShortTimeWarning(registry, service, record, lead, promise)] : []),
    [
      'answer_after_first_day',
      lead.promiseAfterAcceptance &&
        describeLateAnswer(registry, service, lead, lead.promiseAfterAcceptance),
    ],
    ['closed_day', describeClosedDays(registry, service, lead, phone)],
    ['no_email', needsContact && answersByEmail && !hasEmail && fill(text.noEmail, { phone })],
    [
      'no_contact',
      needsContact && !answersByEmail && !isReachable && fill(text.noContact, { holdEnd, phone }),
    ],
    ['details_missing', describeMissingDetails(record, lead)],
    ['no_address', describeMissingAddress(record, lead)],
  ];
  return candidates.flatMap(([code, message]) => (message ? [{ code, message }] : []));
}
