import { type Meanings, tokensOf } from './synonyms.ts';
import { termsOf, wordsOf } from './terms.ts';

/** What an entry is found by, in words. */
export interface Texts {
  title: string;
  text: string;
  /**
   * Words that people search with and the text does not have: keywords, questions, the service it
   * belongs to.
   */
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

/** Makes entries with what their words mean. Many entries have the words of the same service. */
export function searchableWith(meanings: Meanings): (texts: Texts) => Searchable {
  const meant = (said: string) => tokensOf(meanings(termsOf(said)));
  const known = new Map<string, Pick<Searchable, 'words' | 'service'>>();
  const ofWords = (words: string) => {
    let found = known.get(words);
    if (!found)
      known.set(words, (found = { words: eachOnce(words), service: meant(words).join(' ') }));
    return found;
  };
  return ({ title, text, words, asked = [], place = '', weight }) => {
    const own = meant(`${title} ${text}`);
    return {
      title,
      text,
      ...ofWords(words),
      asked: asked.join(' '),
      place,
      meanings: own.join(' '),
      implied: meant(asked.join(' '))
        .filter((token) => !own.includes(token))
        .join(' '),
      weight,
    };
  };
}
