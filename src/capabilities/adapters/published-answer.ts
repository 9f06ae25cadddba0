import type { CapabilityRecord } from '../../site/capability-record.ts';
import { answerText, searchKnowledge } from '../../search/knowledge.ts';
import type { Passage, PassageKind } from '../../search/passage.ts';
import type { Site } from '../../site/site.ts';

/**
 * Maximum JSON size of passages without a question, in bytes: an MCP result contains them twice and
 * stays under 10 KB.
 */
const MAX_BYTES = 3_600;

/** The first passages that fit. */
function withinSizeLimit(passages: readonly Passage[]): Passage[] {
  let bytes = 0;
  const end = passages.findIndex(
    (passage) => (bytes += Buffer.byteLength(JSON.stringify(passage)) + 1) > MAX_BYTES,
  );
  return passages.slice(0, end < 0 ? undefined : Math.max(1, end));
}

/**
 * A subsite's passages nearest to a question, with their sources, and whether they are a confident
 * answer. Without a question, its first passages.
 */
export function answerFrom(
  site: Site,
  {
    subsite,
    limitations,
    kinds,
  }: Pick<CapabilityRecord, 'subsite' | 'limitations'> & { kinds: readonly PassageKind[] },
  question: unknown,
): Record<string, unknown> {
  const asked = typeof question === 'string' ? question.trim() : '';
  const {
    answered,
    passages: found,
    ask,
  } = searchKnowledge(site, {
    question: asked,
    ...(subsite !== undefined && { subsites: [subsite] }),
    kinds,
    ...(!asked && { limit: Infinity }),
  });
  const passages = asked ? found : withinSizeLimit(found);
  return {
    published: answered,
    answer:
      answered && !asked
        ? passages.length < found.length
          ? 'The passages are the first of what is published, each with its source. Ask a question to find the rest.'
          : 'All that is published is in passages, each with its source.'
        : answerText({ answered, passages }),
    passages,
    ask,
    limitations,
  };
}
