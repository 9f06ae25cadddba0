import { listFutureDateFields } from '../../fields/fields.ts';
import { isCalendarDate } from '../../fields/kinds/date.ts';
import type { Context } from '../../operation/context.ts';
import type { CallChannel } from '../../operation/operation.ts';
import type { InputError, InputFault } from '../../operation/problem.ts';
import { isObject } from '../../site/json-object.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import type { Action, HoldEffect } from '../../registry/schemas/action.ts';
import { createEndBeforeStartMessage } from '../../site/forms/date-rule.ts';
import { labelOf } from '../../site/words/field-words.ts';
import { formatPlannedDay } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { formOutcome } from '../../text/index.ts';
import {
  addDays,
  type DayRange,
  formatDayRange,
  toDateInTimeZone,
} from '../../site/calendar/days.ts';
import {
  findLatestDay,
  findLatestHoldEnd,
  MAX_YEARS_AHEAD,
} from '../../site/calendar/latest-day.ts';
import { findFirstBookableDay, type ServiceHours } from '../../site/calendar/opening-hours.ts';

/** Service, time and channel of the request, and the location of the fields in its body. */
interface DayContext {
  context: Pick<Context, 'site' | 'budgets'>;
  /** The service that the request is for, if known. */
  service: ServiceHours | undefined;
  now: Date;
  channel: CallChannel | undefined;
  fieldsPath: readonly string[];
}

/** Formats a date for a channel: spelled out for a form, as ISO 8601 for others. */
export const formatDayFor = (channel: CallChannel | undefined, day: string): string =>
  channel === 'form' ? formatPlannedDay(day) : day;

/** Formats the first and the last day for a channel. */
export const formatDaysFor = (channel: CallChannel | undefined, { from, to }: DayRange): string =>
  formatDayRange({ from: formatDayFor(channel, from), to: formatDayFor(channel, to) });

/** The last day on which a hold may start; undefined if budgets are off. */
export const computeFurthestDay = (
  { furthestDays }: HoldEffect,
  { context, now }: Pick<DayContext, 'context' | 'now'>,
): string | undefined =>
  context.budgets &&
  addDays(toDateInTimeZone(context.site.registry.network.timeZone, now), furthestDays);

/** The last day for which a request may ask, unless a hold limits it. */
const computeMaxDay = ({ context, now }: Pick<DayContext, 'context' | 'now'>): string =>
  findLatestDay(toDateInTimeZone(context.site.registry.network.timeZone, now));

const computeFirstDay = ({ context, service, now }: DayContext): string =>
  findFirstBookableDay(service ?? {}, context.site.registry.network.timeZone, now);

/** The date in `fields`, which may be unvalidated; undefined if malformed. */
const dayIn = (fields: Record<string, unknown>, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && isCalendarDate(value) ? value : undefined;
};

/** Errors for requested dates that are in the past in the network's time zone. */
export function findPastDateFaults(
  action: Pick<Action, 'fields'>,
  fields: Record<string, unknown>,
  dayContext: DayContext,
): InputError[] {
  const { context, now, channel, fieldsPath } = dayContext;
  const today = toDateInTimeZone(context.site.registry.network.timeZone, now);
  const first = computeFirstDay(dayContext);
  return listFutureDateFields(action.fields).flatMap((name) => {
    const day = dayIn(fields, name) ?? first;
    if (day >= first) return [];
    return {
      pointer: formatPointer(...fieldsPath, name),
      message: fill(day < today ? formOutcome.notPast : formOutcome.closed, {
        day: formatDayFor(channel, first),
      }),
      min: first,
    };
  });
}

/** Errors for future dates that are too far ahead; a hold limits its own dates. */
function findDistantDayFaults(
  { fields: specs, effect }: Pick<Action, 'effect' | 'fields'>,
  fields: Record<string, unknown>,
  dayContext: DayContext,
): InputError[] {
  const { channel, fieldsPath } = dayContext;
  const max = computeMaxDay(dayContext);
  const heldDays = effect?.kind === 'hold' ? [effect.fromField, effect.toField] : [];
  return listFutureDateFields(specs)
    .filter((name) => !heldDays.includes(name) && (dayIn(fields, name) ?? max) > max)
    .map((name) => ({
      pointer: formatPointer(...fieldsPath, name),
      message: fill(formOutcome.distant, {
        day: formatDayFor(channel, max),
        years: MAX_YEARS_AHEAD,
      }),
      min: computeFirstDay(dayContext),
      max,
    }));
}

/** Errors for dates before the date that they must not precede. `fields` may be unvalidated. */
function findOrderFaults(
  { fields: specs, effect }: Pick<Action, 'effect' | 'fields'>,
  fields: Record<string, unknown>,
  dayContext: DayContext,
): InputFault[] {
  const { context, fieldsPath } = dayContext;
  return Object.entries(specs).flatMap(([name, { notBefore }]) => {
    const start = notBefore === undefined ? undefined : dayIn(fields, notBefore);
    const end = dayIn(fields, name);
    if (notBefore === undefined || start === undefined || end === undefined || end >= start)
      return [];
    const first = computeFirstDay(dayContext);
    const isHeld = effect?.kind === 'hold' && effect.fromField === notBefore;
    const latestStart = isHeld
      ? computeFurthestDay(effect, dayContext)
      : context.budgets && computeMaxDay(dayContext);
    // A start that is itself too late must be changed to an earlier day.
    const isStartTooLate = latestStart !== undefined && start > latestStart;
    const isEarliest = !isStartTooLate && (specs[notBefore]?.past || start > first);
    return {
      pointer: formatPointer(...fieldsPath, name),
      message: `Choose a day on or after ${notBefore}.`,
      instruction: createEndBeforeStartMessage(labelOf(notBefore, specs[notBefore] ?? {})),
      min: isEarliest ? start : first,
    };
  });
}

/**
 * Errors in the requested dates of an action: a last day before the first, days in the past, and
 * dates that the hold does not allow. `fields` may be unvalidated; malformed dates are ignored.
 */
export function findDayFaults(
  action: Pick<Action, 'effect' | 'fields'> | undefined,
  fields: unknown,
  dayContext: DayContext,
): InputFault[] {
  if (!action || !isObject(fields)) return [];
  const { context, channel, fieldsPath } = dayContext;
  const orderFaults = findOrderFaults(action, fields, dayContext);
  const reversed = new Set(orderFaults.map(({ pointer }) => pointer));
  const errors = [
    ...orderFaults,
    // If the last day is before the first, only the later of its two lower bounds is reported.
    ...findPastDateFaults(action, fields, dayContext).filter(
      ({ pointer }) => !reversed.has(pointer),
    ),
    ...(context.budgets ? findDistantDayFaults(action, fields, dayContext) : []),
  ];
  const { effect } = action;
  const from = effect?.kind === 'hold' ? dayIn(fields, effect.fromField) : undefined;
  if (effect?.kind !== 'hold' || from === undefined) return errors;
  const { fromField, toField, furthestDays, longestDays } = effect;
  const furthestDay = computeFurthestDay(effect, dayContext);
  const earliest = computeFirstDay(dayContext);
  const latestDay = findLatestHoldEnd(from, { earliest, furthest: furthestDay }, longestDays);
  const isStartValid = from >= earliest && !(furthestDay && from > furthestDay);
  const fromPointer = formatPointer(...fieldsPath, fromField);
  const withLimit = (error: InputFault): InputFault =>
    furthestDay && error.pointer === fromPointer ? { ...error, max: furthestDay } : error;
  return [
    ...errors.map(withLimit),
    ...(furthestDay && from > furthestDay
      ? [
          {
            pointer: fromPointer,
            message: fill(formOutcome.distantHold, {
              day: formatDayFor(channel, furthestDay),
              days: furthestDays,
            }),
            min: earliest,
            max: furthestDay,
          },
        ]
      : []),
    // A last day that is possible with an allowed first day is not an error.
    ...(latestDay !== undefined && (dayIn(fields, toField) ?? from) > latestDay
      ? [
          {
            pointer: formatPointer(...fieldsPath, toField),
            message: fill(formOutcome.longHold, {
              day: formatDayFor(channel, latestDay),
              days: longestDays,
            }),
            min: isStartValid ? from : earliest,
            max: latestDay,
          },
        ]
      : []),
  ];
}

/**
 * Errors in the requested dates while a body is parsed. If the body has no other errors, only the
 * order of the dates is checked: the other rules about dates can fail later, and a repeated request
 * must still get its first response.
 */
export function findDayFaultsOnParse(
  action: Pick<Action, 'effect' | 'fields'> | undefined,
  fields: unknown,
  hasOtherErrors: boolean,
  dayContext: DayContext,
): InputFault[] {
  const isRejected =
    hasOtherErrors ||
    (action && isObject(fields) && findOrderFaults(action, fields, dayContext).length > 0);
  return isRejected ? findDayFaults(action, fields, dayContext) : [];
}
