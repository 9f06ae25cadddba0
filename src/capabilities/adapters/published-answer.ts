import type { CapabilityRecord } from '../../registry/capability-record.ts';
import { searchKnowledge } from '../../search/knowledge.ts';
import type { Passage, PassageKind } from '../../search/passage.ts';
import type { Site } from '../../site/site.ts';

/** Most passages where nothing is asked. */
const MOST_SHOWN = 40;

/** An answer in words: the passages where they answer, else that they only may. */
export const answerText = (answered: boolean, passages: readonly Passage[]): string =>
  answered
    ? passages.map(({ text }) => text).join(' ')
    : passages.length
      ? 'Nothing published clearly answers this. The nearest passages may answer it.'
      : 'Nothing published answers this.';

/**
 * What a subsite publishes about a question: the nearest passages with their source, and whether they answer it or
 * only may. Without a question, all of it.
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
  const { answered, passages, ask } = searchKnowledge(site, {
    question: asked,
    ...(subsite !== undefined && { subsites: [subsite] }),
    kinds,
    ...(!asked && { limit: MOST_SHOWN }),
  });
  return {
    published: answered,
    answer:
      answered && !asked
        ? 'All that is published is in passages, each with its source.'
        : answerText(answered, passages),
    passages,
    ask,
    limitations,
  };
}
