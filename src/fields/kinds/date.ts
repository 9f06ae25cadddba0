import * as v from 'valibot';
import { plannedDayInWords } from '../../site/words.ts';
import type { FieldKind } from '../kind.ts';

/** Whether YYYY-MM-DD is a day of the calendar. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** A day, which may have to be on or after that of another field. */
export const date: FieldKind = {
  keys: ['notBefore'],
  exampleFault: (_, example) =>
    isCalendarDate(example) ? undefined : 'is not a calendar date. Write YYYY-MM-DD.',
  jsonSchema: () => ({ type: 'string', format: 'date' }),
  check: () => v.pipe(v.string(), v.check(isCalendarDate)),
  rule: () => 'Write a day of the calendar as YYYY-MM-DD.',
  instruction: () => 'Choose a date.',
  control: ({ required, notBefore }) => ({
    kind: 'input',
    attributes: { type: 'date', required, ...(notBefore && { 'data-not-before': notBefore }) },
  }),
  inWords: (text) => plannedDayInWords(text),
  isDay: true,
  isImpersonal: true,
};
