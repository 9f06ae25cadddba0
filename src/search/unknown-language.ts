import type { ServiceIndex } from './find-services.ts';
import { type Phrases, separatePlaces } from './question.ts';
import { isEnglish, termOf, wordsOf } from './index/terms.ts';

/**
 * Minimum number of words at which a question without any English or Spanish word counts as being
 * in another language.
 */
const MIN_WORDS = 4;

/** Whether text has a letter that is not in the Latin script. */
export const hasOtherScript = (text: string): boolean => /(?!\p{Script=Latin})\p{L}/u.test(text);

/** Words that precede the name of a place. */
const PLACE_PREPOSITIONS = new Set(['in', 'near', 'at', 'around', 'en']);

/** The words in text except place names, which are the same in every language. */
function wordsWithoutPlaces(text: string, phrases: Phrases): string[] {
  const { rest, places } = separatePlaces(wordsOf(text), phrases);
  return places.length ? rest.filter((word) => !PLACE_PREPOSITIONS.has(word)) : rest;
}

/**
 * Whether text with few known words may be in an unsupported language, because it is in another
 * script, or because it has no function words and few words that a service uses. Two-letter words
 * occur in many languages.
 */
export function isUnknownLanguage(text: string, { index, vocabulary }: ServiceIndex): boolean {
  if (hasOtherScript(text)) return true;
  const words = wordsWithoutPlaces(text, vocabulary.places).filter((word) => !/\d/.test(word));
  const longWords = words.filter(({ length }) => length > 2);
  const isUsed = (word: string) => index.countEntriesWith(termOf(word) ?? '') > 0;
  return (
    words.length >= MIN_WORDS &&
    !isEnglish(text) &&
    longWords.every((word) => termOf(word) !== null) &&
    2 * longWords.filter(isUsed).length < longWords.length
  );
}
