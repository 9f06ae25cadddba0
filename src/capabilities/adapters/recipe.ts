import type { Adapter } from './adapter.ts';
import { answerFrom } from './published-answer.ts';

/** Answers from a subsite's guide: steps for doing or choosing something yourself. */
export const recipe: Adapter = {
  immediate: true,
  question: (input) => input['question'],
  step: async ({ capability, input }, { site }) => ({
    kind: 'completed',
    result: answerFrom(site, { ...capability, kinds: ['guide'] }, input['question']),
  }),
};
