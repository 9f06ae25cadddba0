import type { Adapter } from './adapter.ts';
import { answerFrom } from './published-answer.ts';

/** Answers from the facts and prices that a subsite publishes. */
export const facts: Adapter = {
  immediate: true,
  question: (input) => input['question'],
  step: async ({ capability, input }, { site }) => ({
    kind: 'completed',
    result: answerFrom(site, { ...capability, kinds: ['fact', 'price'] }, input['question']),
  }),
};
