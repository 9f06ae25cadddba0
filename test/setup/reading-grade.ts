import { fleschKincaid } from 'flesch-kincaid';
import { syllable } from 'syllable';

/** Maximum U.S. school grade level of text for consumers. */
export const MAX_GRADE = 8;

const words = new Intl.Segmenter('en', { granularity: 'word' });
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Words in a text. */
export const wordsIn = (text: string): string[] =>
  [...words.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));

/** Flesch-Kincaid grade level of text. */
export const gradeOf = (text: string): number =>
  fleschKincaid({
    sentence: [...sentences.segment(text)].filter(({ segment }) => /\p{L}/u.test(segment)).length,
    word: wordsIn(text).length,
    syllable: wordsIn(text).reduce((sum, word) => sum + (syllable(word) || 1), 0),
  });
