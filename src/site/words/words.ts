import { REFERENCE_GROUP_LENGTH } from '../request-ids.ts';
import { CURRENCY } from '../prices/currency.ts';
import { ANSWER_DELAY_AFTER_OPENING } from '../calendar/answer-deadline.ts';
import { DAY_MS, MINUTE_MS } from '../calendar/durations.ts';
import { formatTimeOfDay, type ServiceHours } from '../calendar/opening-hours.ts';
import { defineDateFormat, fullDay, getNumberFormat, longDay } from './formats.ts';
import { locale } from '../../language.ts';
import { fill, fillPlural } from '../../text/fill.ts';
import {
  clock,
  durations,
  offerings,
  recordWords,
  servicePage,
  units as unitTexts,
} from '../../text/index.ts';

/** Unit suffixes in attribute names, with the text that follows the number. */
const units: Readonly<Record<string, string>> = unitTexts;

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Converts a snake_case or kebab-case name to words, with a capital first letter. */
export const humanizeName = (name: string): string => capitalize(name.replaceAll(/[_-]/g, ' '));

const listFormat = new Intl.ListFormat(locale);

/** Joins items into a list within a sentence: “Friday and Saturday”. */
export const formatList = (words: Iterable<string>): string => listFormat.format(words);

/** Formats an amount in a currency, without cents if it is a whole number. */
export const formatMoney = (amount: number, currency: string): string =>
  getNumberFormat({
    style: 'currency',
    currency,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  }).format(amount);

/** Formats the offered item and days; undefined if the offer changes neither. */
export const formatOfferedItem = ({
  itemTitle,
  from,
  to,
}: Readonly<Partial<Record<'itemTitle' | 'from' | 'to', string | undefined>>>):
  string | undefined =>
  itemTitle === undefined || from === undefined || to === undefined
    ? undefined
    : `${itemTitle}, ${formatPlannedDays({ from, to })}`;

/**
 * A product or service that a storefront sells, as its owner enters it; `priceCents` is null
 * without a price.
 */
export interface WrittenOffering {
  name: string;
  desc: string;
  priceCents: number | null;
  kind: 'one_time' | 'monthly';
}

/** Formats an offering for people, for example “Mowing, $45 (Front lawn)”. */
export function formatOffering({ name, desc, priceCents, kind }: WrittenOffering): string {
  const price = priceCents === null ? '' : `, ${formatMoney(priceCents / 100, CURRENCY)}`;
  return [
    name,
    kind === 'monthly' && price ? fill(offerings.monthlyPrice, { price }) : price,
    desc && ` (${desc})`,
  ].join('');
}

/** Rewrites amounts in text for people: “$35” for “35 USD”, “$12 or $19” for “12 or 19 USD”. */
export const withDollarSigns = (text: string): string =>
  text.replaceAll(/(?:\d[\d,.]*(?:, | or | and | to ))*\d[\d,]*(?:\.\d+)?\sUSD\b/g, (amounts) =>
    amounts.slice(0, -4).replaceAll(/\d(?:[\d,.]*\d)?/g, '$$$&'),
  );

const shortDay = defineDateFormat({ weekday: 'short', month: 'short', day: 'numeric' });

/** Formats a date (YYYY-MM-DD) in words, such as “November 9, 2026”. */
export const formatDay = (day: string): string => longDay().format(new Date(`${day}T00:00:00Z`));

/**
 * Formats a date (YYYY-MM-DD) for planning, with its weekday, such as “Monday, November 9, 2026”.
 */
export const formatPlannedDay = (day: string): string =>
  fullDay().format(new Date(`${day}T00:00:00Z`));

/** Formats one or more planned days (YYYY-MM-DD) without the year: “Sat, Nov 28 – Sun, Nov 29”. */
export const formatShortDays = ({ from, to }: Readonly<Record<'from' | 'to', string>>): string =>
  shortDay().formatRange(Date.parse(from), Date.parse(to));

/** Formats one or more planned days (YYYY-MM-DD) in words. */
export const formatPlannedDays = ({ from, to }: Readonly<Record<'from' | 'to', string>>): string =>
  from === to
    ? formatPlannedDay(from)
    : fill(clock.dayRange, { from: formatPlannedDay(from), to: formatPlannedDay(to) });

const dayAndTimeOptions = {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;
const dayAndTime = defineDateFormat(dayAndTimeOptions);
const shortDayAndTime = defineDateFormat({
  ...dayAndTimeOptions,
  weekday: 'short',
  month: 'short',
});
const dayAndTimeWithYear = defineDateFormat({ ...dayAndTimeOptions, year: 'numeric' });

/** Matches the time of day in a locale with a 12-hour clock. */
const TIME_OF_DAY_PATTERN = /\b(\d{1,2}:\d{2})\s([AP]M)\b/;

/**
 * Formats a time as in a service’s hours (“9 am”), with “noon” for 12:00 PM and “the end of Friday”
 * for the midnight after Friday, because people confuse the two midnights.
 */
function formatDayAndTime(time: Date, format: Intl.DateTimeFormat): string {
  const text = format.format(time);
  return /\b12:00\sAM\b/.test(text)
    ? fill(clock.endOfDay, {
        day: format.format(time.getTime() - MINUTE_MS).replace(/(?:\sat|,)\s11:59\sPM\b.*$/, ''),
      })
    : text
        .replace(/\b12:00\sPM\b/, clock.noon)
        .replace(TIME_OF_DAY_PATTERN, (_, time: string, half: string) =>
          fill(half === 'AM' ? clock.am : clock.pm, { time: time.replace(':00', '') }),
        );
}

/**
 * Formats a time (ISO 8601) in words in a time zone, such as “Monday, November 9, 2026 at 3:04 pm
 * EST”.
 */
export const formatTime = (time: string, timeZone: string): string =>
  formatDayAndTime(new Date(time), dayAndTimeWithYear(timeZone));

/**
 * Formats a promised time without the year, because it is near: “Monday, November 9 at 9 am EST”.
 */
export const formatPromisedTime = (time: string, timeZone: string): string =>
  formatDayAndTime(new Date(time), dayAndTime(timeZone));

const dayWithWeekday = defineDateFormat({ weekday: 'long', month: 'long', day: 'numeric' });

/**
 * Formats the deadline for an answer (ISO 8601) for people: day and time or, if the service has no
 * hours, only the day, because the time may be in the middle of the night.
 */
export const formatAnswerDeadline = (
  time: string,
  timeZone: string,
  { hours }: ServiceHours,
): string =>
  hours ? formatPromisedTime(time, timeZone) : dayWithWeekday(timeZone).format(new Date(time));

/** Formats a promised time in a list: “Mon, Nov 9, 9 am EST”. */
export const formatShortTime = (time: string, timeZone: string): string =>
  formatDayAndTime(new Date(time), shortDayAndTime(timeZone));

const REFERENCE_GROUPS_PATTERN = new RegExp(`.{1,${REFERENCE_GROUP_LENGTH}}`, 'g');

/** Formats a reference for reading aloud: “4K7M-29QX-D4TB-7RWF”. */
export const formatReference = (reference: string): string =>
  reference.match(REFERENCE_GROUPS_PATTERN)?.join('-') ?? reference;

/** Formats a response time: in hours if it is less than two days, otherwise in days. */
export const formatHourCount = (hours: number): string =>
  hours < 48 ? fillPlural(durations.hours, hours) : fillPlural(durations.days, hours / 24);

/**
 * Describes the promised response time, such as “within 4 hours. If we are closed when that time is
 * up, within 2 hours after we open”.
 */
export const formatResponseTime = (hours: number, { hours: opening }: ServiceHours): string =>
  [
    fill(durations.within, { time: formatHourCount(hours) }),
    ...(opening
      ? [
          fill(servicePage.promiseWhenClosed, {
            after: formatHourCount(ANSWER_DELAY_AFTER_OPENING.hours),
          }),
        ]
      : []),
  ].join('. ');

/**
 * Says when an answer is due, as in “due in 3 hours” or “2 days overdue”, rounded down so that
 * nobody waits too long; an emergency is due now.
 */
export function formatDueTime(time: string, now: Date, isEmergency = false): string {
  const milliseconds = Date.parse(time) - now.getTime();
  const minutes = Math.floor(Math.abs(milliseconds) / MINUTE_MS);
  const [length, unit] = [
    [Math.floor(minutes / 1_440), 'days'] as const,
    [Math.floor(minutes / 60), 'hours'] as const,
  ].find(([count]) => count >= 2) ?? [minutes, 'minutes' as const];
  const words = fillPlural(durations[unit], length);
  if (milliseconds < 0 && length > 0) return fill(durations.overdue, { time: words });
  return isEmergency || length === 0 ? durations.dueNow : fill(durations.due, { time: words });
}

/**
 * Like {@link formatDueTime}, but names the day and time if they are a day or more away, as in “due
 * by Mon, Nov 30, 10 am EST”.
 */
export const formatDueTimeOrDay = (
  time: string,
  now: Date,
  { timeZone, isEmergency }: { timeZone: string; isEmergency: boolean },
): string =>
  !isEmergency && Date.parse(time) - now.getTime() >= DAY_MS
    ? fill(durations.dueAt, { at: formatShortTime(time, timeZone) })
    : formatDueTime(time, now, isEmergency);

/** Formats a retention period; a whole number of years is given in years. */
export const formatDayCount = (days: number): string =>
  days % 365 ? fillPlural(durations.days, days) : fillPlural(durations.years, days / 365);

/** Formats an attribute's text for people: dates and times in words, codes without underscores. */
function formatAttributeText(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatPlannedDay(text);
  if (/^\d{2}:\d{2}$/.test(text)) return formatTimeOfDay(text);
  return /^[a-z]+(?:_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
}

/**
 * Formats an attribute as a label and a value; a unit at the end of its name is put after the
 * number.
 */
export function formatAttribute(
  name: string,
  value: string | number | boolean,
): { label: string; value: string } {
  const label = humanizeName(name);
  if (typeof value === 'boolean') return { label, value: value ? recordWords.yes : recordWords.no };
  if (typeof value === 'string') return { label, value: formatAttributeText(value) };
  const end = name.lastIndexOf('_');
  const suffix = name.slice(end + 1);
  const labelWithoutUnit = end < 0 ? label : humanizeName(name.slice(0, end));
  if (suffix === 'usd' && end >= 0)
    return { label: labelWithoutUnit, value: formatMoney(value, CURRENCY) };
  const count = getNumberFormat().format(value);
  const unit = Object.hasOwn(units, suffix) ? units[suffix]! : undefined;
  if (unit === undefined) return { label, value: count };
  return { label: labelWithoutUnit, value: unit === '%' ? `${count}%` : `${count} ${unit}` };
}
