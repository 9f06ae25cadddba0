import type { Adapter } from './adapter.ts';
import { answerFrom } from './published-answer.ts';

/** Answers from the guide that a subsite publishes: steps for doing or choosing it oneself. */
export const recipe: Adapter = {
  immediate: true,
  question: (input) => input['question'],
  step: async ({ capability, input }, { site }) => ({
    kind: 'completed',
    result: answerFrom(site, { ...capability, kinds: ['guide'] }, input['question']),
  }),
};
