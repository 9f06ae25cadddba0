import { listFutureDateFields } from '../../fields/fields.ts';
import { isCalendarDate } from '../../fields/kinds/date.ts';
import type { Context } from '../../operation/context.ts';
import type { CallChannel } from '../../operation/operation.ts';
import type { InputError } from '../../operation/problem.ts';
import { isObject } from '../../site/json-object.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import type { Action, HoldEffect } from '../../registry/action.ts';
import { formatPlannedDay } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { formOutcome } from '../../text/index.ts';
import {
  addDays,
  type DayRange,
  formatDayRange,
  toDateInTimeZone,
} from '../../site/calendar/days.ts';
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

/** The date in `fields`, which may be unvalidated; undefined if malformed. */
const dayIn = (fields: Record<string, unknown>, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && isCalendarDate(value) ? value : undefined;
};

/** Errors for requested dates that are in the past in the network's time zone. */
export function findPastDateFaults(
  action: Pick<Action, 'fields'>,
  fields: Record<string, unknown>,
  { context, service, now, channel, fieldsPath }: DayContext,
): InputError[] {
  const { timeZone } = context.site.registry.network;
  const today = toDateInTimeZone(timeZone, now);
  const first = findFirstBookableDay(service ?? {}, timeZone, now);
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

/**
 * Errors in the requested dates of an action: days in the past, and dates that the hold does not
 * allow. `fields` may be unvalidated; malformed dates are ignored.
 */
export function findDayFaults(
  action: Pick<Action, 'effect' | 'fields'> | undefined,
  fields: unknown,
  dayContext: DayContext,
): InputError[] {
  if (!action || !isObject(fields)) return [];
  const { context, now, channel, fieldsPath } = dayContext;
  const { timeZone } = context.site.registry.network;
  const errors = findPastDateFaults(action, fields, dayContext);
  const { effect } = action;
  const from = effect?.kind === 'hold' ? dayIn(fields, effect.fromField) : undefined;
  if (effect?.kind !== 'hold' || from === undefined) return errors;
  const { fromField, toField, furthestDays, longestDays } = effect;
  const furthestDay = computeFurthestDay(effect, dayContext);
  // Count from the corrected first day, so that following both messages is enough.
  const earliest = findFirstBookableDay(dayContext.service ?? {}, timeZone, now);
  const earliestFrom = from < earliest ? earliest : from;
  const correctedFrom = furthestDay && from > furthestDay ? furthestDay : earliestFrom;
  const latestDay = addDays(correctedFrom, longestDays - 1);
  const fromPointer = formatPointer(...fieldsPath, fromField);
  const withLimit = (error: InputError): InputError =>
    furthestDay && error.pointer === fromPointer ? { ...error, max: furthestDay } : error;
  return [
    ...errors.map(withLimit),
    ...(furthestDay && from > furthestDay
      ? [
          {
            pointer: fromPointer,
            message: `Choose ${formatDayFor(channel, furthestDay)} or an earlier day: holds can begin at most ${furthestDays} days ahead.`,
            min: earliest,
            max: furthestDay,
          },
        ]
      : []),
    ...((dayIn(fields, toField) ?? from) > latestDay
      ? [
          {
            pointer: formatPointer(...fieldsPath, toField),
            message: `Choose ${formatDayFor(channel, latestDay)} or an earlier day: holds can last at most ${longestDays} days.`,
            min: correctedFrom === from ? from : earliest,
            max: latestDay,
          },
        ]
      : []),
  ];
}
