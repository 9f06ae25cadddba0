import { z } from 'zod';

/** Fewest leads behind a published figure, so that a handful of people cannot be identified. */
export const LEADS_BEHIND_A_FIGURE = 20;

/** How quickly one subsite’s leads were answered, measured from the lead store. */
export const subsiteResponsiveness = z
  .strictObject({
    answered: z.int().min(0).describe('Leads that the provider answered.'),
    of: z
      .int()
      .min(
        LEADS_BEHIND_A_FIGURE,
        `is under ${LEADS_BEHIND_A_FIGURE}. Leave the subsite out until it has enough leads`,
      )
      .describe('Leads in all.'),
    medianMinutes: z
      .number()
      .min(0)
      .nullable()
      .describe('Median minutes from lead to first answer; null where none was answered.'),
    since: z.iso.date().describe('First day counted, YYYY-MM-DD.'),
  })
  .refine(({ answered, medianMinutes }) => (answered === 0) === (medianMinutes === null), {
    path: ['medianMinutes'],
    message: 'is a number where leads were answered, and null where none was',
  })
  .describe('Measured answers of a subsite.');

/** responsiveness.json: by subsite; written by `npm run leads -- stats --export`, never by hand. */
export const responsiveness = z
  .record(z.string(), subsiteResponsiveness)
  .describe('Measured answers by subsite.');

export type Responsiveness = z.infer<typeof subsiteResponsiveness>;
