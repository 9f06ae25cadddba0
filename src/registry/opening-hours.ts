import { z } from 'zod';
import { weekdays } from '../site/calendar/week.ts';

export const TIME_PATTERN = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** What is wrong with a value that is not a time of day. */
export function describeTimeFault(value: unknown): string {
  const paddedTime = `0${String(value)}`;
  return `is not a time of day. ${
    TIME_PATTERN.test(paddedTime)
      ? `Write ${paddedTime}.`
      : 'Use 00:00 to 23:59, such as 07:00. For midnight at the end of a day, use 23:59.'
  }`;
}

const timeOfDay = z
  .string()
  .regex(TIME_PATTERN, { error: ({ input }) => describeTimeFault(input) });

/** Weekly hours in the network’s time zone. A day without an entry is closed. */
export const openingHours = z
  .array(
    z
      .strictObject({
        days: z.array(z.enum(weekdays)).min(1).describe('Days with these hours.'),
        opens: timeOfDay.describe('Opening time, HH:MM.'),
        closes: timeOfDay.describe('Closing time on the same day, HH:MM.'),
      })
      .refine(
        ({ opens, closes }) =>
          opens < closes || ![opens, closes].every((time) => TIME_PATTERN.test(time)),
        { path: ['closes'], error: 'is not after opens. Use a later time on the same day' },
      ),
  )
  .min(1)
  .refine(
    (hours) => {
      const days = hours.flatMap((entry) => entry.days);
      return new Set(days).size === days.length;
    },
    { error: 'name a day twice. Give each day one entry' },
  );

export type OpeningHours = z.infer<typeof openingHours>;
