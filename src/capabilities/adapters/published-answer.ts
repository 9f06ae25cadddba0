import type { CapabilityRecord } from '../../site/capability-record.ts';
import { formatAnswerText, searchKnowledge } from '../../search/knowledge.ts';
import { type Passage, type PassageKind, passageKinds } from '../../search/passages/passage.ts';
import type { Site } from '../../site/site.ts';
import type { Adapter } from './adapter.ts';

/**
 * Maximum JSON size of the passages if there is no question, in bytes. An MCP result contains them
 * twice and must stay under 10 KB.
 */
const MAX_BYTES = 3_600;

/** The first passages that fit within the limit. */
function takeWithinSizeLimit(passages: readonly Passage[]): Passage[] {
  let bytes = 0;
  const end = passages.findIndex(
    (passage) => (bytes += Buffer.byteLength(JSON.stringify(passage)) + 1) > MAX_BYTES,
  );
  return passages.slice(0, end < 0 ? undefined : Math.max(1, end));
}

/**
 * The passages of a subsite that best match a question, with their sources, and whether they answer
 * it with confidence. Without a question, returns the first passages.
 */
function buildAnswer(
  site: Site,
  { subsite, limitations }: CapabilityRecord,
  kinds: readonly PassageKind[],
  question: unknown,
): Record<string, unknown> {
  const query = typeof question === 'string' ? question.trim() : '';
  const {
    answered,
    passages: foundPassages,
    ask,
  } = searchKnowledge(site, {
    question: query,
    ...(subsite !== undefined && { subsites: [subsite] }),
    kinds,
    ...(!query && { limit: Infinity }),
  });
  const passages = query ? foundPassages : takeWithinSizeLimit(foundPassages);
  return {
    published: answered,
    answer:
      answered && !query
        ? passages.length < foundPassages.length
          ? 'These are the first published passages, each with its source. Ask a question to find the rest.'
          : 'These are all published passages, each with its source.'
        : formatAnswerText({ answered, passages }),
    passages,
    ask,
    limitations,
  };
}

const createAnswerAdapter = (kinds: readonly PassageKind[]): Adapter => ({
  immediate: true,
  questionOf: (input) => input['question'],
  step: async ({ capability, input }, { site }) => ({
    kind: 'completed',
    result: buildAnswer(site, capability, kinds, input['question']),
  }),
});

/**
 * Answers from everything that a subsite publishes, except its guide, which has its own capability.
 */
export const facts = createAnswerAdapter(passageKinds.filter((kind) => kind !== 'guide'));

/** Answers from a subsite's guide: steps for doing or choosing something yourself. */
export const recipe = createAnswerAdapter(['guide']);
