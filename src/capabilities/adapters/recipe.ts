import type { Adapter } from './adapter.ts';
import { buildAnswer } from './published-answer.ts';

/** Answers from a subsite's guide: steps for doing or choosing something yourself. */
export const recipe: Adapter = {
  immediate: true,
  questionOf: (input) => input['question'],
  step: async ({ capability, input }, { site }) => ({
    kind: 'completed',
    result: buildAnswer(site, { ...capability, kinds: ['guide'] }, input['question']),
  }),
};
