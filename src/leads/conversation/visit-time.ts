import { isCalendarDate } from '../../fields/kinds/date.ts';
import type { InputFault } from '../../operation/problem.ts';
import {
  checkedDaysOf,
  type DayRange,
  toDateInTimeZone,
  toTimeOnDay,
} from '../../site/calendar/days.ts';
import { findLatestDay, MAX_YEARS_AHEAD } from '../../site/calendar/latest-day.ts';
import { formatTimeOfDay, type ServiceHours } from '../../site/calendar/opening-hours.ts';
import { formatPlannedDay, formatPromisedTime } from '../../site/words/words.ts';
import { createInputProblem } from '../../operation/validate.ts';
import { mentionsTime } from '../status/agreement.ts';
import { formatClosedDays } from '../status/visit.ts';
import type { ProviderContent } from './provider-content.ts';
import { fill } from '../../text/fill.ts';
import type { ProviderAction } from './conversation.ts';
import { formOutcome, offerInputs, visitInputs as text } from '../../text/index.ts';

/** When a provider will visit, as entered in a form: a day, YYYY-MM-DD, and a time, HH:MM. */
export interface EnteredVisit {
  visitDay?: string | undefined;
  visitTime?: string | undefined;
}

/** Whether an answer can set the time of a visit. */
export const canSetVisit = (action: ProviderAction): boolean =>
  action === 'offer' || action === 'confirm';

const TIME_PATTERN = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const isValidTime = (time: string | undefined): boolean =>
  time === undefined || TIME_PATTERN.test(time);

/** The text of an answer with the entered day and time of the visit as its first sentence. */
export function withVisitTime(
  note: string | undefined,
  { visitDay: day, visitTime: time }: EnteredVisit,
): string | undefined {
  if (day === undefined || !isCalendarDate(day) || !isValidTime(time)) return note;
  const sentence = fill(time === undefined ? text.day : text.dayAndTime, {
    day: formatPlannedDay(day),
    time: time === undefined ? '' : formatTimeOfDay(time),
  });
  return [sentence, note?.trim()].filter(Boolean).join('\n');
}

/** When a visit begins; undefined without a valid day and time. */
export const findVisitStart = (
  { visitDay: day, visitTime: time }: EnteredVisit,
  timeZone: string,
): Date | undefined =>
  day !== undefined && time !== undefined && isCalendarDate(day) && isValidTime(time)
    ? toTimeOnDay(timeZone, day, time)
    : undefined;

/** Errors in the entered day and time of a visit, worded for people. */
export function listVisitFaults(
  { visitDay: day, visitTime: time }: EnteredVisit,
  now: Date,
  timeZone: string,
): InputFault[] {
  if (day === undefined && time === undefined) return [];
  const today = toDateInTimeZone(timeZone, now);
  const latest = findLatestDay(today);
  const fault = (name: keyof EnteredVisit, message: string) => [{ pointer: `/${name}`, message }];
  if (day === undefined || !isCalendarDate(day)) return fault('visitDay', text.chooseDay);
  if (!isValidTime(time)) return fault('visitTime', text.chooseTime);
  if (day < today)
    return fault('visitDay', fill(formOutcome.notPast, { day: formatPlannedDay(today) }));
  if (day > latest)
    return fault(
      'visitDay',
      fill(formOutcome.distant, { day: formatPlannedDay(latest), years: MAX_YEARS_AHEAD }),
    );
  if (time !== undefined && toTimeOnDay(timeZone, day, time) <= now)
    return fault(
      'visitTime',
      fill(text.pastTime, { now: formatPromisedTime(now.toISOString(), timeZone) }),
    );
  return [];
}

/**
 * Rejects an entered day or time of a visit if the chosen action does not send it.
 * @throws {Problem}
 */
export function requireNoUnsentVisit(
  action: ProviderAction | undefined,
  { visitDay, visitTime }: EnteredVisit,
): void {
  const isEntered = visitDay !== undefined || visitTime !== undefined;
  if (isEntered && (action === undefined || !canSetVisit(action)))
    throw createInputProblem('/visitDay', text.unsent);
}

/**
 * Errors that ask for the time of a visit that is confirmed as soon as the customer accepts the
 * offer, unless the provider says that the time is still open.
 */
export const listMissingTimeFaults = ({
  confirmOnAccept,
  checkedTime,
  description = '',
  note = '',
}: Pick<ProviderContent, 'confirmOnAccept' | 'checkedTime' | 'description'> & {
  note?: string | undefined;
}): InputFault[] =>
  !confirmOnAccept || checkedTime || [note, description].some(mentionsTime)
    ? []
    : [{ pointer: '/checkedTime', message: fill(text.missing, { box: text.later }) }];

/**
 * Errors that ask whether the provider works on closed days: the first and the last offered day, or
 * the day of a visit. `checkedDays` are the days that the provider has confirmed, as in
 * {@link checkedDaysOf}.
 */
export function listClosedDayFaults(
  days: DayRange | undefined,
  checkedDays: string | undefined,
  service: ServiceHours | undefined,
): InputFault[] {
  const closedDays = days && formatClosedDays(service, days);
  if (!closedDays || checkedDays === checkedDaysOf(days)) return [];
  const message = fill(offerInputs.onClosedDay, { days: closedDays, box: offerInputs.exception });
  return [{ pointer: '/checkedDays', message }];
}
