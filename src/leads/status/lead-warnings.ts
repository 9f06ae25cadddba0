import { kindOf } from '../../fields/fields.ts';
import type { Action } from '../../registry/action.ts';
import type { Subsite } from '../../registry/subsite.ts';
import { toDateInTimeZone } from '../../site/calendar/days.ts';
import { findOpeningBeforeAnswer } from '../../site/calendar/answer-deadline.ts';
import { formatClock, hoursOn, isClosedOn } from '../../site/calendar/opening-hours.ts';
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
import {
  isOutsideServiceArea,
  createSubmittedOutOfAreaNotice,
} from '../../site/words/service-area.ts';
import { formatList, formatPlannedDay, formatPromisedTime } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { relayAdvice, warnings as text } from '../../text/index.ts';
import type { LeadLog } from '../lead-log.ts';
import { isUndecided } from '../lead-states.ts';
import {
  findRequestedDayBeforeAnswer,
  findFirstFutureDay,
  listRequestedDays,
  type RequestWithDays,
} from './first-day.ts';

/** Codes of warnings about how a request was sent, which only its receipt has. */
const submissionWarningCodes = ['mistyped_email', 'email_limit', 'action_not_named'] as const;

/** Codes of warnings, which programs can compare. */
export const warningCodes = [
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
  ...submissionWarningCodes,
] as const;

/** Something about a request that the person should know or correct. */
export interface Warning {
  code: (typeof warningCodes)[number];
  /** One or more sentences, which are also in the notice. */
  message: string;
}

/** The parts of a lead that decide its warnings. */
export interface LeadForWarnings extends Pick<
  LeadLog,
  'subsite' | 'action' | 'status' | 'isEmergency' | 'reachable' | 'hasEmail'
> {
  /** Fields of the lead, which may include a ZIP code outside the service area. */
  fields?: Readonly<Record<string, unknown>> | undefined;
  /** When the lead was created, and the deadline for the first answer, ISO 8601. */
  promise?: Readonly<Record<'createdAt' | 'firstAnswerDue', string>> | undefined;
  /** When the hold ends unless the provider confirms it, ISO 8601. */
  heldUntil?: string | undefined;
}

/** Whether a warning is about how a request was sent. */
export const isSubmissionWarning = ({ code }: Pick<Warning, 'code'>): boolean =>
  submissionWarningCodes.some((submissionCode) => submissionCode === code);

const createEmergencyWarning = (phone: string) =>
  `${fill(text.emergency, { phone })} ${relayAdvice}`;

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

/**
 * Warnings about missing contact details. Subsites with the email endpoint send what they offer,
 * such as a newsletter, by email.
 */
function findContactWarning(
  { leadEndpoint }: Subsite,
  { contact }: Pick<Action, 'contact'>,
  { reachable, hasEmail }: Pick<LeadForWarnings, 'reachable' | 'hasEmail'>,
  phone: string,
  holdEnd: string,
): Warning | undefined {
  if (contact === 'optional') return undefined;
  if (leadEndpoint === EMAIL_ENDPOINT)
    return hasEmail
      ? undefined
      : {
          code: 'no_email',
          message: fill(text.noEmail, { phone }),
        };
  return reachable
    ? undefined
    : {
        code: 'no_contact',
        message: fill(text.noContact, { holdEnd, phone }),
      };
}

/** Warning about a ZIP code that differs from the place in the record. */
const listPlaceMismatchWarnings = (
  { fields }: Pick<Action, 'fields'>,
  values: Readonly<Record<string, unknown>>,
): Warning[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const value = values[name];
    return kindOf(field).isZipCode === true &&
      field.known !== undefined &&
      typeof value === 'string' &&
      !value.startsWith(field.known)
      ? {
          code: 'place_mismatch',
          message: fill(text.placeMismatch, { known: field.known }),
        }
      : [];
  });

/** Warning about a requested item that is sold or past. */
function findUnavailableItemWarning(
  registry: Registry,
  { subsite, action, fields = {} }: Pick<LeadForWarnings, 'subsite' | 'action' | 'fields'>,
): Warning | undefined {
  const record = actionOf(registry, { subsite, action });
  const field = record && itemFieldOf(record);
  const item = itemsOf(registry, subsite).find(({ id }) => field && id === fields[field]);
  return item && isSoldOrPast(item)
    ? {
        code: 'item_unavailable',
        message: fill(text.unavailable, { item: item.title, status: item.status! }),
      }
    : undefined;
}

/** Warning that the first day of a hold is the day of the request, with the closing time. */
function findSameDayWarning(
  registry: Registry,
  service: Subsite,
  { effect }: Pick<Action, 'effect'>,
  request: Pick<LeadForWarnings, 'subsite' | 'action' | 'fields'>,
  createdAt: Date,
): Warning | undefined {
  const day = toDateInTimeZone(registry.network.timeZone, createdAt);
  const closes = hoursOn(service, day)?.closes;
  return closes !== undefined &&
    effect?.kind === 'hold' &&
    findFirstFutureDay(registry, request, createdAt) === day
    ? {
        code: 'same_day',
        message: fill(text.sameDay, {
          day: formatPlannedDay(day),
          time: formatClock(closes),
          phone: phoneOf(service, registry),
        }),
      }
    : undefined;
}

/** Warning that the provider is closed on a requested day. */
function findClosedDayWarning(
  registry: Registry,
  service: Subsite,
  request: RequestWithDays,
  phone: string,
): Warning | undefined {
  const closedDays = [...new Set(listRequestedDays(registry, request))].filter((day) =>
    isClosedOn(service, day),
  );
  return closedDays.length
    ? {
        code: 'closed_day',
        message: fill(text.closedDay, {
          days: formatList(closedDays.map(formatPlannedDay)),
          phone,
        }),
      }
    : undefined;
}

/** Warning that the answer is promised only after the service opens on the first requested day. */
function findLateAnswerWarning(
  registry: Registry,
  service: Subsite,
  request: RequestWithDays,
  { createdAt, firstAnswerDue }: NonNullable<LeadForWarnings['promise']>,
): Warning | undefined {
  const { timeZone } = registry.network;
  const opens = findOpeningBeforeAnswer(service, timeZone, listRequestedDays(registry, request), {
    sent: new Date(createdAt),
    due: new Date(firstAnswerDue),
  });
  return opens
    ? {
        code: 'answer_after_opening',
        message: fill(text.afterOpening, {
          deadline: formatPromisedTime(firstAnswerDue, timeZone),
          time: formatClock(opens),
          phone: phoneOf(service, registry),
        }),
      }
    : undefined;
}

/**
 * Warning that the answer is promised only after the first requested day or after the service opens
 * on it, or that a held item is needed on the day of the request, which leaves the provider little
 * time to prepare it.
 */
function findShortTimeWarning(
  registry: Registry,
  service: Subsite,
  record: Pick<Action, 'effect'>,
  { promise, ...request }: Pick<LeadForWarnings, 'subsite' | 'action' | 'fields' | 'promise'>,
): Warning | undefined {
  if (!promise) return undefined;
  const day = findRequestedDayBeforeAnswer(registry, request, promise);
  if (!day)
    return (
      findSameDayWarning(registry, service, record, request, new Date(promise.createdAt)) ??
      findLateAnswerWarning(registry, service, request, promise)
    );
  const deadline = formatPromisedTime(promise.firstAnswerDue, registry.network.timeZone);
  return {
    code: 'answer_after_first_day',
    message: fill(text.afterFirstDay, {
      deadline,
      day: formatPlannedDay(day),
      phone: phoneOf(service, registry),
    }),
  };
}

/**
 * Warnings about a request that the provider still has to answer: an emergency until an offer is
 * made, a ZIP code outside the area, a sold item, an answer after the requested day, a requested day
 * without opening hours, and a missing contact. The first deadline matters only for a new request.
 */
export function listOpenWarnings(registry: Registry, lead: LeadForWarnings): Warning[] {
  const record = actionOf(registry, lead);
  if (!record || !isUndecided(lead.status)) return [];
  const isNew = lead.status === 'new';
  const hasOffer = lead.status === 'quoted' || lead.status === 'accepted';
  const { fields, heldUntil } = lead;
  const promise = isNew ? lead.promise : undefined;
  const service = findSubsite(registry, lead.subsite)!;
  const phone = phoneOf(service, registry);
  const holdEnd = describeHoldEnd(registry, { heldUntil, promise });
  const warnings: (Warning | false | undefined)[] = [
    lead.isEmergency && !hasOffer && { code: 'emergency', message: createEmergencyWarning(phone) },
    fields !== undefined &&
      isOutsideServiceArea(service, record, fields) && {
        code: 'outside_area',
        message: createSubmittedOutOfAreaNotice(service),
      },
    ...(fields ? listPlaceMismatchWarnings(record, fields) : []),
    findUnavailableItemWarning(registry, lead),
    findShortTimeWarning(registry, service, record, { ...lead, promise }),
    findClosedDayWarning(registry, service, lead, phone),
    findContactWarning(service, record, lead, phone, holdEnd),
  ];
  return warnings.filter((warning) => warning !== undefined && warning !== false);
}
