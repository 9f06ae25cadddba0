import { type Phrases, separatePlaces } from './question.ts';
import { termOf, wordsOf } from './terms.ts';

/**
 * Minimum number of words for a question without any English or Spanish word to count as being in
 * another language.
 */
const MIN_WORDS = 4;

/** Whether text has a letter that is not in the Latin script. */
export const hasOtherScript = (text: string): boolean => /(?!\p{Script=Latin})\p{L}/u.test(text);

/** Words before the name of a place. */
const PLACE_PREPOSITIONS = new Set(['in', 'near', 'at', 'around', 'en']);

/** The words in text without places, whose names are the same in every language. */
function wordsWithoutPlaces(text: string, phrases: Phrases): string[] {
  const { rest, places } = separatePlaces(wordsOf(text), phrases);
  return places.length ? rest.filter((word) => !PLACE_PREPOSITIONS.has(word)) : rest;
}

/**
 * Whether text with few known words may be in an unsupported language: it is in another script, or
 * is a sentence without function words. Two-letter words occur in many languages.
 */
export function isUnknownLanguage(text: string, places: Phrases): boolean {
  const words = wordsWithoutPlaces(text, places);
  return (
    hasOtherScript(text) ||
    (words.length >= MIN_WORDS && words.every((word) => word.length < 3 || termOf(word) !== null))
  );
}
