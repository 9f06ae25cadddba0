import { addDays, toDateInTimeZone } from '../../site/calendar/days.ts';
import {
  findLatestDay,
  findLatestHoldEnd,
  MAX_YEARS_AHEAD,
} from '../../site/calendar/latest-day.ts';
import { findFirstBookableDay } from '../../site/calendar/opening-hours.ts';
import { formatPlannedDay } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { formOutcome } from '../../text/index.ts';
import { readServiceHours } from '../subsite/service-hours.ts';

/**
 * The element about the hold in a form, if any; its attributes include the names of the hold’s
 * inputs.
 */
export const holdNoteOf = (form: HTMLFormElement) =>
  form.querySelector<HTMLElement>('[data-hold-hours]');

/** The last valid day of a date input (YYYY-MM-DD), and the message for a later day. */
function findLastDay(
  { name, form }: HTMLInputElement,
  today: string,
  earliest: string,
): { day: string; message: string } {
  const describe = (message: string, day: string, counts: Readonly<Record<string, number>>) => ({
    day,
    message: fill(message, { day: formatPlannedDay(day), ...counts }),
  });
  const { fromField, toField, furthestDays, longestDays } =
    (form && holdNoteOf(form)?.dataset) ?? {};
  if (name !== fromField && name !== toField)
    return describe(formOutcome.distant, findLatestDay(today), { years: MAX_YEARS_AHEAD });
  const furthest = addDays(today, Number(furthestDays));
  if (name === fromField)
    return describe(formOutcome.distantHold, furthest, { days: Number(furthestDays) });
  const from = form?.elements.namedItem(fromField!);
  const start = from instanceof HTMLInputElement && from.value ? from.value : furthest;
  const end = findLatestHoldEnd(start, { earliest, furthest }, Number(longestDays))!;
  return describe(formOutcome.longHold, end, { days: Number(longestDays) });
}

/**
 * Sets the first and last valid days of date inputs, using the hours and time zone of the service,
 * not those of the user.
 */
export function setDayLimits(form: HTMLFormElement, now: Date): void {
  const { service, timeZone } = readServiceHours(form);
  const today = toDateInTimeZone(timeZone, now);
  const first = findFirstBookableDay(service, timeZone, now);
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-current-date]')) {
    const { day, message } = findLastDay(input, today, first);
    input.min = first;
    input.max = day;
    input.dataset['currentDate'] = today;
    input.dataset['afterMax'] = message;
  }
}
