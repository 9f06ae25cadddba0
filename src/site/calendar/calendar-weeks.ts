/**
 * A calendar day: YYYY-MM-DD, its number in the month, the short name of the month if its cell shows
 * it, and its data.
 */
export type CalendarDay<Known extends { day: string }> = Known & {
  number: number;
  month: string | undefined;
};

const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/**
 * Consecutive days as calendar weeks, Sunday first; incomplete weeks have empty cells. The first
 * day overall and of each month shows its month.
 */
export function calendarWeeks<Known extends { day: string }>(
  days: readonly Known[],
): (CalendarDay<Known> | undefined)[][] {
  const weeks: (CalendarDay<Known> | undefined)[][] = [];
  for (const [index, known] of days.entries()) {
    const date = new Date(`${known.day}T00:00:00Z`);
    const weekday = date.getUTCDay();
    if (index === 0 || weekday === 0) weeks.push(Array.from({ length: 7 }, () => undefined));
    const number = date.getUTCDate();
    const month = index === 0 || number === 1 ? shortMonth.format(date) : undefined;
    weeks.at(-1)![weekday] = { ...known, number, month };
  }
  return weeks;
}
