import { isCalendarDate } from '../../fields/kinds/date.ts';
import type { Context } from '../../operation/context.ts';
import type { CallChannel } from '../../operation/operation.ts';
import type { InputError } from '../../operation/problem.ts';
import { isObject, pointerTo } from '../../operation/validate.ts';
import type { Action, HoldEffect } from '../../registry/action.ts';
import { plannedDayInWords } from '../../site/words.ts';
import { dayIn, type Days, daysAfter } from './days.ts';

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

/** Everything that is wrong with the days of a hold, whoever holds what. */
export function dayFaults(effect: HoldEffect, { from, to }: Days, asked: Asked): InputError[] {
  const { fromField, toField, furthestDays, longestDays } = effect;
  const { context, now, channel, fieldsAt } = asked;
  const today = dayIn(context.site.registry.network.timeZone, now);
  const furthest = furthestDay(effect, asked);
  // The first day that it would take once that of the caller is corrected.
  const latest = daysAfter(from < today ? today : from, longestDays - 1);
  const errors: InputError[] = [];
  const fault = (field: string, message: string) =>
    errors.push({ pointer: pointerTo(...fieldsAt, field), message });
  if (from < today) fault(fromField, `Choose ${writtenDay(channel, today)} or a later day.`);
  else if (furthest && from > furthest)
    fault(
      fromField,
      `Choose ${writtenDay(channel, furthest)} or an earlier day: holds begin at most ${furthestDays} days ahead.`,
    );
  if (to < today) fault(toField, `Choose ${writtenDay(channel, today)} or a later day.`);
  else if (to > latest)
    fault(
      toField,
      `Choose ${writtenDay(channel, latest)} or an earlier day: at most ${longestDays} days are held.`,
    );
  return errors;
}

/** The same for fields that are refused for another reason, so that one answer names every fault. */
export function uncheckedDayFaults(
  action: Pick<Action, 'effect'> | undefined,
  fields: unknown,
  asked: Asked,
): InputError[] {
  const effect = action?.effect;
  if (effect?.kind !== 'hold' || !isObject(fields)) return [];
  const dayOf = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' && isCalendarDate(value) ? value : undefined;
  };
  const from = dayOf(effect.fromField);
  return from === undefined
    ? []
    : dayFaults(effect, { from, to: dayOf(effect.toField) ?? from }, asked);
}
