import { toComeFields } from '../fields/fields.ts';
import { isCalendarDate } from '../fields/kinds/date.ts';
import type { Context } from '../operation/context.ts';
import type { CallChannel } from '../operation/operation.ts';
import type { InputError } from '../operation/problem.ts';
import { isObject } from '../site/json-object.ts';
import { pointerTo } from '../operation/validate.ts';
import type { Action, HoldEffect } from '../registry/action.ts';
import { plannedDayInWords } from '../site/words.ts';
import { fill } from '../text/fill.ts';
import { formOutcome } from '../text/index.ts';
import { dayIn, daysAfter } from '../site/days.ts';

/** When the days are asked for, by which channel, and where the fields are in the body. */
interface Asked {
  context: Pick<Context, 'site' | 'budgets'>;
  now: Date;
  channel: CallChannel | undefined;
  fieldsAt: readonly string[];
}

/** A day as the reader of a channel writes it: a form shows it in words. */
export const writtenDay = (channel: CallChannel | undefined, day: string): string =>
  channel === 'form' ? plannedDayInWords(day) : day;

/** The last day on which a hold may begin; undefined where budgets are off. */
export const furthestDay = (
  { furthestDays }: HoldEffect,
  { context, now }: Pick<Asked, 'context' | 'now'>,
): string | undefined =>
  context.budgets && daysAfter(dayIn(context.site.registry.network.timeZone, now), furthestDays);

/**
 * Everything that is wrong with the days that an action is asked for: those that are past where the
 * network is, and those that its hold does not take. `fields` may be unchecked: what is no day in
 * them is left to their own check.
 */
export function dayFaults(
  action: Pick<Action, 'effect' | 'fields'> | undefined,
  fields: unknown,
  asked: Asked,
): InputError[] {
  if (!action || !isObject(fields)) return [];
  const { context, now, channel, fieldsAt } = asked;
  const today = dayIn(context.site.registry.network.timeZone, now);
  const dayOf = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' && isCalendarDate(value) ? value : undefined;
  };
  const fault = (field: string, message: string): InputError => ({
    pointer: pointerTo(...fieldsAt, field),
    message,
  });
  const isPast = (name: string) => (dayOf(name) ?? today) < today;
  const errors = toComeFields(action.fields)
    .filter(isPast)
    .map((name) => fault(name, fill(formOutcome.notPast, { day: writtenDay(channel, today) })));
  const { effect } = action;
  const from = effect?.kind === 'hold' ? dayOf(effect.fromField) : undefined;
  if (effect?.kind !== 'hold' || from === undefined) return errors;
  const { fromField, toField, furthestDays, longestDays } = effect;
  const furthest = furthestDay(effect, asked);
  // The first day that it would take once that of the caller is corrected.
  const latest = daysAfter(from < today ? today : from, longestDays - 1);
  if (furthest && from > furthest)
    errors.push(
      fault(
        fromField,
        `Choose ${writtenDay(channel, furthest)} or an earlier day: holds begin at most ${furthestDays} days ahead.`,
      ),
    );
  if ((dayOf(toField) ?? from) > latest)
    errors.push(
      fault(
        toField,
        `Choose ${writtenDay(channel, latest)} or an earlier day: at most ${longestDays} days are held.`,
      ),
    );
  return errors;
}
