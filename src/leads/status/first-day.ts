import { type Fields, isDayValue, listFutureDateFields } from '../../fields/fields.ts';
import { findDayBeforeAnswer, findFirstDayFrom } from '../../site/calendar/answer-deadline.ts';
import { toDateInTimeZone } from '../../site/calendar/days.ts';
import { actionOf, type Registry } from '../../site/registry.ts';

/** The parts of a request that name its days. */
export interface RequestWithDays {
  subsite: string;
  /** Verb of the action; null for a lead without an action. */
  action: string | null;
  fields?: Readonly<Record<string, unknown>> | undefined;
}

/** The days (YYYY-MM-DD) in the fields of an action, except in fields for past days. */
export const listDaysInFields = (
  specs: Fields,
  values: NonNullable<RequestWithDays['fields']>,
): string[] =>
  listFutureDateFields(specs).flatMap((name) => {
    const value = values[name];
    return isDayValue(specs[name]!, value) ? [value] : [];
  });

/** The days (YYYY-MM-DD) that a request asks for. */
export const listRequestedDays = (
  registry: Registry,
  { fields = {}, ...lead }: RequestWithDays,
): string[] => listDaysInFields(actionOf(registry, lead)?.fields ?? {}, fields);

/** The first requested day (YYYY-MM-DD) that is not over at `now`; undefined if there is none. */
export const findFirstFutureDay = (
  registry: Registry,
  lead: RequestWithDays,
  now: Date,
): string | undefined =>
  findFirstDayFrom(listRequestedDays(registry, lead), registry.network.timeZone, now);

/** Whether a request chooses “today” instead of a date. */
export const isForToday = (
  registry: Registry,
  { fields = {}, ...lead }: RequestWithDays,
): boolean =>
  Object.entries(actionOf(registry, lead)?.fields ?? {}).some(
    ([name, { today }]) => today !== undefined && fields[name] === today,
  );

/** A promised answer; all times are ISO 8601. */
export interface AnswerPromise {
  /** When the request was created. */
  createdAt: string;
  /** The deadline for the answer. */
  due: string;
  /** When the person took the step that awaits the answer; `createdAt` by default. */
  since?: string;
}

/**
 * The requested day, if it was not over when the person took their step, and the answer to that step
 * is promised only after that day.
 */
export function findRequestedDayBeforeAnswer(
  registry: Registry,
  lead: RequestWithDays,
  { createdAt, due, since = createdAt }: AnswerPromise,
): string | undefined {
  const { timeZone } = registry.network;
  const days = isForToday(registry, lead)
    ? [toDateInTimeZone(timeZone, new Date(createdAt))]
    : listRequestedDays(registry, lead);
  return findDayBeforeAnswer(days, timeZone, { sent: new Date(since), due: new Date(due) });
}
