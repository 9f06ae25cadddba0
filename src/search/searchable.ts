import { type SynonymFinder, tokensOf } from './index/synonyms.ts';
import { termsOf, wordsOf } from './index/terms.ts';

export interface EntryTexts {
  title: string;
  text: string;
  /** Additional search words: the keywords, the questions and the name of the service. */
  words: string;
  asked?: readonly string[] | undefined;
  place?: string | undefined;
  /** Weight of a match, 1 by default. */
  weight?: number | undefined;
}

export interface SearchableText extends Required<Omit<EntryTexts, 'asked' | 'weight'>> {
  /** Tokens for the synonym groups of the title and the text. */
  meanings: string;
  service: string;
  asked: string;
  /** Tokens of synonym groups that occur in the search phrases but not in the title or text. */
  implied: string;
  weight: number | undefined;
}

/** Removes repeated words, which would only make an entry longer. */
const removeRepeatedWords = (text: string): string => [...new Set(wordsOf(text))].join(' ');

/**
 * Adds the tokens of synonym groups to the texts of entries. Caches the tokens of search words,
 * because many entries share a service's words.
 */
export function createSearchableTextConverter(
  findMeanings: SynonymFinder,
): (texts: EntryTexts) => SearchableText {
  const findMeaningTokens = (text: string) => tokensOf(findMeanings(termsOf(text)));
  const known = new Map<string, Pick<SearchableText, 'words' | 'service'>>();
  const expandWords = (words: string) => {
    let found = known.get(words);
    if (!found)
      known.set(
        words,
        (found = {
          words: removeRepeatedWords(words),
          service: findMeaningTokens(words).join(' '),
        }),
      );
    return found;
  };
  return ({ title, text, words, asked = [], place = '', weight }) => {
    const own = findMeaningTokens(`${title} ${text}`);
    return {
      title,
      text,
      ...expandWords(words),
      asked: asked.join(' '),
      place,
      meanings: own.join(' '),
      implied: findMeaningTokens(asked.join(' '))
        .filter((token) => !own.includes(token))
        .join(' '),
      weight,
    };
  };
}
