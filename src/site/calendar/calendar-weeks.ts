import { defineDateFormat } from '../words/formats.ts';

/**
 * A day (YYYY-MM-DD) with its day of the month and, if a calendar shows it, the name of the month.
 */
export type CalendarDay<Day extends { day: string }> = Day & {
  number: number;
  month: string | undefined;
};

const shortMonth = defineDateFormat({ month: 'short' });

/**
 * Groups consecutive days into calendar weeks that start on Sunday, with empty cells in incomplete
 * weeks. Only the first day and the first day of each month show a month name.
 */
export function createCalendarWeeks<Day extends { day: string }>(
  days: readonly Day[],
): (CalendarDay<Day> | undefined)[][] {
  const weeks: (CalendarDay<Day> | undefined)[][] = [];
  for (const [index, known] of days.entries()) {
    const date = new Date(`${known.day}T00:00:00Z`);
    const weekday = date.getUTCDay();
    if (index === 0 || weekday === 0) weeks.push(Array.from({ length: 7 }, () => undefined));
    const number = date.getUTCDate();
    const month = index === 0 || number === 1 ? shortMonth().format(date) : undefined;
    weeks.at(-1)![weekday] = { ...known, number, month };
  }
  return weeks;
}
