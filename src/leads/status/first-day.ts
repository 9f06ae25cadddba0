import { type Fields, isDayValue, listFutureDateFields } from '../../fields/fields.ts';
import { findDayBeforeAnswer, findFirstDayFrom } from '../../site/calendar/answer-deadline.ts';
import { toDateInTimeZone } from '../../site/calendar/days.ts';
import { actionOf, type Registry } from '../../site/registry.ts';

/** The parts of a request that name its days. */
export interface RequestWithDays {
  subsite: string;
  /** Verb; null for a plain lead. */
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

/** The days (YYYY-MM-DD) for which a request asks. */
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

/** The requested day, if the answer to a new request is promised only after that day. */
export function findRequestedDayBeforeAnswer(
  registry: Registry,
  lead: RequestWithDays,
  { createdAt, firstAnswerDue }: Readonly<Record<'createdAt' | 'firstAnswerDue', string>>,
): string | undefined {
  const { timeZone } = registry.network;
  const sent = new Date(createdAt);
  const days = isForToday(registry, lead)
    ? [toDateInTimeZone(timeZone, sent)]
    : listRequestedDays(registry, lead);
  return findDayBeforeAnswer(days, timeZone, { sent, due: new Date(firstAnswerDue) });
}
