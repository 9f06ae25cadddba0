import { z } from 'zod';
import { MIN_LEADS_FOR_FIGURE } from '../../site/calendar/responsiveness.ts';

/** How quickly a subsite answered its leads, measured from the stored leads. */
export const subsiteResponsiveness = z
  .strictObject({
    answered: z.int().min(0).describe('Number of leads that the provider answered.'),
    of: z
      .int()
      .min(
        MIN_LEADS_FOR_FIGURE,
        `is less than ${MIN_LEADS_FOR_FIGURE}. Omit the subsite until it has enough leads`,
      )
      .describe('Number of leads that the provider answered or whose answer was already due.'),
    medianMinutes: z
      .number()
      .min(0)
      .nullable()
      .describe('Median minutes from lead to first answer; null if no lead was answered.'),
    since: z.iso.date().describe('First day of the statistics, YYYY-MM-DD.'),
  })
  .refine(({ answered, medianMinutes }) => (answered === 0) === (medianMinutes === null), {
    path: ['medianMinutes'],
    error: 'must be a number if any leads were answered, and null otherwise',
  })
  .describe('Measured response times of a subsite.');

export type Responsiveness = z.infer<typeof subsiteResponsiveness>;

/**
 * The content of responsiveness.json, by subsite, which `npm run leads -- stats --export` writes.
 */
export const responsiveness = z
  .record(z.string(), subsiteResponsiveness)
  .describe('Measured response times by subsite.');
