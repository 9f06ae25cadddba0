import type { Synonyms } from './synonyms.ts';
import { wordsOf } from './terms.ts';

/** What an entry of an index is found by. */
export interface Searchable {
  title: string;
  text: string;
  /** Words that people search with and the text does not have: keywords, questions, the service it belongs to. */
  words: string;
  /** Synonyms of what title and text say. */
  synonyms: string;
  /** How much a match counts, 1 when left out. */
  weight?: number | undefined;
}

/** Words that are repeated say no more about what an entry is. */
const eachOnce = (text: string): string => [...new Set(wordsOf(text))].join(' ');

/** An entry with the synonyms of its words. */
export const searchable = (
  { title, text, words, weight }: Omit<Searchable, 'synonyms'>,
  synonyms: Synonyms,
): Searchable => ({
  title,
  text,
  words: eachOnce(`${words} ${synonyms(words)}`),
  synonyms: synonyms(`${title} ${text}`),
  weight,
});
