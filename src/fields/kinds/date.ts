import * as v from 'valibot';
import { MAX_YEARS_AHEAD } from '../../site/calendar/latest-day.ts';
import { describeDateFault } from '../../site/corrections/corrections.ts';
import { formatPlannedDay } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { clock, fieldInstructions } from '../../text/index.ts';
import type { FieldKind } from '../kind.ts';

/** Whether text is a date that exists, in the form YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

const DATE_RULE = 'Enter a date as YYYY-MM-DD.';

/** Explains why text is not a valid date, and gives the accepted form. */
export function describeInvalidDate(text: string): string {
  const [, year, month] = /^(\d{4})-(\d{2})-\d{2}$/.exec(text) ?? [];
  if (month === undefined) return DATE_RULE;
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const rangeText =
    Number(month) >= 1 && Number(month) <= 12
      ? `This month has ${days} days.`
      : 'Months are 01 to 12.';
  return `This date does not exist. ${rangeText} ${DATE_RULE}`;
}

export const FUTURE_DAY_RULE = `Today before closing time, or a later day, at most ${MAX_YEARS_AHEAD} years ahead.`;

/** A date: today or later unless `past`, and optionally not before another field’s date. */
export const date: FieldKind = {
  keys: ['notBefore', 'past', 'time'],
  findExampleFault: (_, example) =>
    isCalendarDate(example) ? undefined : describeDateFault(example),
  jsonSchema: () => ({ type: 'string', format: 'date' }),
  check: () =>
    v.pipe(
      v.string(),
      v.rawCheck(({ dataset, addIssue }) => {
        if (dataset.typed && !isCalendarDate(dataset.value))
          addIssue({
            message: describeInvalidDate(dataset.value),
            expected: fieldInstructions.day,
          });
      }),
    ),
  rule: () => DATE_RULE,
  instruction: () => fieldInstructions.day,
  control: ({ required, notBefore, past }) => ({
    kind: 'input',
    attributes: {
      type: 'date',
      required,
      ...(notBefore && { 'data-not-before': notBefore }),
      // A page is built once and used for many days, so a script sets the first valid date.
      ...(!past && { 'data-current-date': '' }),
    },
  }),
  // A capability may accept other text in place of a date.
  format(text, { time }) {
    if (!isCalendarDate(text)) return text;
    const day = formatPlannedDay(text);
    return time === undefined ? day : fill(clock.dayWithTime, { day, time });
  },
  isDay: true,
  isNeverPersonal: (value) => typeof value === 'string' && isCalendarDate(value),
};
