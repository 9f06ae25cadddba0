import type { CapabilityRecord } from '../../site/capability-record.ts';
import { answerText, searchKnowledge } from '../../search/knowledge.ts';
import type { Passage, PassageKind } from '../../search/passage.ts';
import type { Site } from '../../site/site.ts';

/**
 * Maximum bytes of passages, as JSON, where nothing is asked: an MCP result holds them twice and
 * stays under 10 KB.
 */
const MAX_BYTES = 3_600;

/** The first passages that fit. */
function fitting(passages: readonly Passage[]): Passage[] {
  let bytes = 0;
  const end = passages.findIndex(
    (passage) => (bytes += Buffer.byteLength(JSON.stringify(passage)) + 1) > MAX_BYTES,
  );
  return passages.slice(0, end < 0 ? undefined : Math.max(1, end));
}

/**
 * What a subsite publishes about a question: the nearest passages with their source, and whether
 * they answer it or only may. Without a question, the first of it.
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
  const passages = asked ? found : fitting(found);
  return {
    published: answered,
    answer:
      answered && !asked
        ? passages.length < found.length
          ? 'The passages are the first of what is published, each with its source. Ask a question to find the rest.'
          : 'All that is published is in passages, each with its source.'
        : answerText(answered, passages),
    passages,
    ask,
    limitations,
  };
}
