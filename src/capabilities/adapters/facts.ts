import type { Adapter } from './adapter.ts';
import { passageKinds } from '../../search/passage.ts';
import { buildAnswer } from './published-answer.ts';

const kinds = passageKinds.filter((kind) => kind !== 'guide');

/**
 * Answers from everything that a subsite publishes, except its guide, which has its own capability.
 */
export const facts: Adapter = {
  immediate: true,
  questionOf: (input) => input['question'],
  step: async ({ capability, input }, { site }) => ({
    kind: 'completed',
    result: buildAnswer(site, { ...capability, kinds }, input['question']),
  }),
};
