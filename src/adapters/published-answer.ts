import type { CapabilityRecord, Site } from '../registry/index.ts';
import { type PassageKind, searchKnowledge } from './knowledge-search.ts';

/** Most passages of an answer to a question, and of the whole when none is asked. */
const MOST_FOUND = 5;
const MOST_SHOWN = 40;

/**
 * What a subsite publishes about a question: passages with their source, or that nothing is published and where to ask.
 * Without a question, all of it.
 */
export function answerFrom(site: Site, { subsite, limitations, kinds }: Pick<CapabilityRecord, 'subsite' | 'limitations'> & { kinds: readonly PassageKind[] }, question: unknown): Record<string, unknown> {
  const asked = typeof question === 'string' ? question : '';
  const { passages, ask } = searchKnowledge(site, { question: asked, subsites: [subsite!], kinds, limit: asked.trim() ? MOST_FOUND : MOST_SHOWN });
  const published = passages.length > 0;
  return {
    published,
    answer: published ? (asked.trim() ? passages.map(({ text }) => text).join(' ') : 'What is published stands in passages, each with its source.') : 'Nothing is published about this. Ask the provider; where to do so stands in ask.',
    passages,
    ask,
    limitations,
  };
}
