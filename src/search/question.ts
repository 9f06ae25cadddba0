import type { NotOfferedService } from './not-offered.ts';
import {
  createSpellingCorrector,
  createWordCompleter,
  type SpellingCorrector,
} from './index/spelling.ts';
import {
  createSynonymFinder,
  type SynonymFinder,
  type SynonymMatch,
  type Synonyms,
} from './index/synonyms.ts';
import { termOf, termsIn, wordsOf } from './index/terms.ts';

/**
 * Maximum number of characters in a question, and of distinct search terms; both limit the work.
 */
export const MAX_CHARACTERS = 4000;
export const MAX_TERMS = 12;

/** Maximum number of words in a question; later words are ignored. */
export const MAX_WORDS = 120;

/** Maximum number of letters in a word; longer words are ignored. */
const MAX_WORD_LENGTH = 40;

/** Maximum number of synonym groups to search for; each has many entries. */
export const MAX_SYNONYM_GROUPS = 8;

/** Five digits without a comma, optionally with four more (ZIP+4). */
const ZIP_CODE_PATTERN = /(?<![\d,])(\d{5})(?:-\d{4})?(?!,?\d)/g;

export const removeZipCodes = (text: string): string => text.replace(ZIP_CODE_PATTERN, ' ');

/** The five digits of each ZIP code in text. */
export const zipCodesIn = (text: string): string[] =>
  Array.from(text.matchAll(ZIP_CODE_PATTERN), ([, code]) => code!);

/** Phrases, each split into words, longest first. */
export type Phrases = readonly (readonly string[])[];

export const phrasesOf = (texts: readonly string[]): string[][] =>
  texts
    .map(wordsOf)
    .filter((words) => words.length > 0)
    .sort((a, b) => b.length - a.length);

/** The word lists for parsing a network's questions. */
export interface SearchVocabulary {
  places: Phrases;
  findSynonyms: SynonymFinder;
  correctSpelling: SpellingCorrector;
  /** The most frequent word with a given prefix; undefined if there is none. */
  completePrefix: (prefix: string) => string | undefined;
}

/** A network's lists of words, as the registry contains them. */
export interface WordLists {
  places: readonly string[];
  synonyms: Synonyms;
  notOffered: readonly Pick<NotOfferedService, 'words'>[];
}

/**
 * The vocabulary of a network with these word lists; `words` are all words of what it offers, most
 * frequent first.
 */
export const createSearchVocabulary = (
  { places, synonyms, notOffered }: WordLists,
  words: readonly string[],
): SearchVocabulary => ({
  places: phrasesOf(places),
  findSynonyms: createSynonymFinder(synonyms),
  correctSpelling: createSpellingCorrector([
    ...new Set([...words, ...notOffered.flatMap((service) => service.words.flatMap(wordsOf))]),
  ]),
  completePrefix: createWordCompleter(words),
});

export interface ParsedQuestion {
  /** Distinct terms, at most {@link MAX_TERMS}, without places. */
  terms: string[];
  /** Terms whose spelling was corrected. */
  correctedTerms: ReadonlySet<string>;
  /** The synonym groups of the terms, at most {@link MAX_SYNONYM_GROUPS}. */
  synonymGroups: SynonymMatch[];
  /** Terms of the places and ZIP codes in the question. */
  places: string[];
}

export function separatePlaces(
  words: readonly string[],
  phrases: Phrases,
): { rest: string[]; places: string[] } {
  const rest: string[] = [];
  const places: string[] = [];
  for (let index = 0; index < words.length;) {
    const phrase = phrases.find((named) => named.every((word, i) => words[index + i] === word));
    if (phrase) places.push(...phrase);
    else rest.push(words[index]!);
    index += phrase?.length ?? 1;
  }
  return { rest, places };
}

const selectUniqueTerms = (terms: readonly string[]): string[] =>
  [...new Set(terms)].slice(0, MAX_TERMS);

/**
 * An unfinished word, or its completion if the typed letters extend beyond the stem of that
 * completion; undefined if no known word starts with them.
 */
function completeWord(
  word: string,
  completePrefix: SearchVocabulary['completePrefix'],
): string | undefined {
  const completed = completePrefix(word);
  return completed !== undefined && termOf(completed)?.startsWith(termOf(word) ?? '')
    ? word
    : completed;
}

/**
 * Corrects at most {@link MAX_TERMS} words, each once, because each lookup compares a word with
 * many known words.
 */
function createWordCorrector(correctSpelling: SpellingCorrector): SpellingCorrector {
  const correctedWords = new Map<string, string>();
  return (word) => {
    if (termOf(word) === null) return word;
    let intendedWord = correctedWords.get(word);
    if (intendedWord === undefined) {
      if (correctedWords.size >= MAX_TERMS) return word;
      correctedWords.set(word, (intendedWord = correctSpelling(word)));
    }
    return intendedWord;
  };
}

/** The words that a search reads. */
const readWords = (text: string): string[] =>
  wordsOf(removeZipCodes(text.slice(0, MAX_CHARACTERS)))
    .filter(({ length }) => length <= MAX_WORD_LENGTH)
    .slice(0, MAX_WORDS);

/**
 * The words of a text with corrected spelling, except for the last word while it is being typed.
 */
export function correctWords(
  text: string,
  { correctSpelling }: Pick<SearchVocabulary, 'correctSpelling'>,
  isTyping: boolean,
): string {
  const correctWord = createWordCorrector(correctSpelling);
  return readWords(text)
    .map((word, index, { length }) => (isTyping && index === length - 1 ? word : correctWord(word)))
    .join(' ');
}

/**
 * Parses a question; while it is being typed, its last word may be unfinished. Places are search
 * terms only in a question that has no other terms.
 */
export function parseQuestion(
  question: string,
  { places: phrases, findSynonyms, correctSpelling, completePrefix }: SearchVocabulary,
  isTyping = false,
): ParsedQuestion {
  const correctedTerms = new Set<string>();
  const codes = zipCodesIn(question.slice(0, MAX_CHARACTERS));
  const correctUnknownWord = createWordCorrector(correctSpelling);
  const correctWord = (word: string): string => {
    const intendedWord = correctUnknownWord(word);
    if (intendedWord !== word) correctedTerms.add(termOf(intendedWord)!);
    return intendedWord;
  };
  const words = readWords(question).map(
    (word, index, { length }) =>
      (isTyping && index === length - 1 ? completeWord(word, completePrefix) : undefined) ??
      correctWord(word),
  );
  const { rest, places: named } = separatePlaces(words, phrases);
  const places = [...named, ...codes];
  const terms = termsIn(rest);
  return {
    terms: selectUniqueTerms(terms.length ? terms : termsIn(places)),
    correctedTerms,
    synonymGroups: findSynonyms(terms).slice(0, MAX_SYNONYM_GROUPS),
    places: selectUniqueTerms(termsIn(places)),
  };
}
