import { z } from 'zod';
import { weekdays } from '../../site/calendar/week.ts';
import { describeTimeFault } from '../../site/corrections/corrections.ts';

export const TIME_PATTERN = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const timeOfDay = z
  .string()
  .regex(TIME_PATTERN, { error: ({ input }) => describeTimeFault(input) });

export const HOURS_EXAMPLE = '{days: [Monday, Tuesday], opens: "09:00", closes: "17:00"}';

/** Weekly hours in the network’s time zone. A day without an entry is closed. */
export const openingHours = z
  .array(
    z
      .strictObject({
        days: z.array(z.enum(weekdays)).min(1).describe('Days with these hours.'),
        opens: timeOfDay.describe('Opening time, HH:MM.'),
        closes: timeOfDay.describe('Closing time on the same day, HH:MM.'),
      })
      .describe(`Days with the same hours, such as ${HOURS_EXAMPLE}.`)
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
