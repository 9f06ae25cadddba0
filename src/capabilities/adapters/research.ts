import * as v from 'valibot';
import { createJobProviderAdapter } from './job-provider-adapter.ts';

/** Researches a question through a provider, which returns a written answer with its sources. */
export const research = createJobProviderAdapter({
  name: 'research',
  timeoutMinutes: 60,
  pauseMs: 5000,
  result: v.object({
    answer: v.pipe(v.string(), v.minLength(1)),
    sources: v.array(
      v.object({
        url: v.pipe(v.string(), v.regex(/^https?:/), v.url()),
        title: v.optional(v.string()),
      }),
    ),
  }),
});
