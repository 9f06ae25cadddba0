import { z } from 'zod';
import { includesDay, toDateWithYear } from '../../site/calendar/days.ts';
import { describeDayFault } from '../../site/corrections/corrections.ts';
import { addFault, calendarDate, line } from './text.ts';

const CLOSED_DAY_PATTERN = /^(?:\d{4}-)?\d{2}-\d{2}$/;

const closedDay = z.strictObject({
  date: z
    .string()
    .regex(CLOSED_DAY_PATTERN, { error: ({ input }) => describeDayFault(input) })
    .refine(
      (date) =>
        !CLOSED_DAY_PATTERN.test(date) || calendarDate.safeParse(toDateWithYear(date)).success,
      'does not exist. Use an existing date, with the month before the day',
    )
    .describe('YYYY-MM-DD, or MM-DD for a day that recurs every year.'),
  name: line(40).optional().describe('Name of the day, such as Christmas Day.'),
});

/** Days on which a business is closed despite its weekly hours. */
export const closedDays = z
  .array(closedDay)
  .max(50, 'has more than 50 days. Remove past days')
  .superRefine((days, context) => {
    for (const [index, { date }] of days.entries())
      if (
        days.some(
          ({ date: other }, place) => includesDay(other, date) && (other !== date || place < index),
        )
      )
        addFault(context, [index, 'date'], 'is listed twice. Remove one of the two');
  });
