import { type Meanings, tokensOf } from './synonyms.ts';
import { termsOf, wordsOf } from './terms.ts';

/** What an entry is found by, in words. */
export interface Texts {
  title: string;
  text: string;
  /** Words that people search with and the text does not have: keywords, questions, the service it belongs to. */
  words: string;
  /** How people ask for it. */
  asked?: readonly string[] | undefined;
  /** Where it is or takes place. */
  place?: string | undefined;
  /** How much a match counts, 1 when left out. */
  weight?: number | undefined;
}

/** What an entry of an index is found by. */
export interface Searchable extends Required<Omit<Texts, 'asked' | 'weight'>> {
  /** What title and text mean, and what the words mean, as tokens of groups of synonyms. */
  meanings: string;
  service: string;
  asked: string;
  /** What the ways of asking mean, and title and text do not. */
  implied: string;
  weight: number | undefined;
}

/** Words that are repeated say no more about what an entry is. */
const eachOnce = (text: string): string => [...new Set(wordsOf(text))].join(' ');

/** An entry with what its words mean. */
export function searchable(
  { title, text, words, asked = [], place = '', weight }: Texts,
  meanings: Meanings,
): Searchable {
  const meant = (said: string) => tokensOf(meanings(termsOf(said)));
  const own = meant(`${title} ${text}`);
  return {
    title,
    text,
    words: eachOnce(words),
    asked: asked.join(' '),
    place,
    meanings: own.join(' '),
    implied: meant(asked.join(' '))
      .filter((token) => !own.includes(token))
      .join(' '),
    service: meant(words).join(' '),
    weight,
  };
}
