import type { Spelling } from './spelling.ts';
import type { Meaning, Meanings } from './synonyms.ts';
import { termOf, termsIn, wordsOf } from './terms.ts';

/**
 * Characters of a question that are read (spec.md “Limits”), and distinct terms that are searched
 * for: both bound the work.
 */
export const MAX_CHARACTERS = 4000;
export const MAX_TERMS = 12;

/** Words of a question that are read; it has its terms in the first of them. */
export const MAX_WORDS = 120;

/** Letters of a word; longer ones are none. */
const LONGEST_WORD = 40;

/** Groups of synonyms that are searched for; each has many entries. */
export const MAX_MEANINGS = 8;

/** Five digits without a comma, and the four that may follow. */
const ZIP_CODE = /(?<![\d,])(\d{5})(?:-\d{4})?(?!,?\d)/g;

/** Phrases, each as its words, longer ones first. */
export type Phrases = readonly (readonly string[])[];

/** Phrases of a list, as a question is searched for them. */
export const phrasesOf = (texts: readonly string[]): string[][] =>
  texts
    .map(wordsOf)
    .filter((words) => words.length > 0)
    .sort((a, b) => b.length - a.length);

/** How a network’s questions are read. */
export interface Language {
  places: Phrases;
  meanings: Meanings;
  spelling: Spelling;
  /** The most frequent word that begins so; undefined where none does. */
  completion: (beginning: string) => string | undefined;
  /** How rare a term is among the entries, from 0 on. */
  rarity: (term: string) => number;
}

/** What a question is searched by. */
export interface Reading {
  /** Distinct terms, at most {@link MAX_TERMS}, without places. */
  terms: string[];
  /** Terms that are not written so in the question. */
  corrected: ReadonlySet<string>;
  /** What they mean, at most as many. */
  meanings: Meaning[];
  /** Terms of the places and ZIP codes that it names. */
  places: string[];
}

/** Words of places, and the words without them. */
function apart(words: readonly string[], phrases: Phrases): { rest: string[]; places: string[] } {
  const rest: string[] = [];
  const places: string[] = [];
  for (let at = 0; at < words.length;) {
    const phrase = phrases.find((named) => named.every((word, i) => words[at + i] === word));
    if (phrase) places.push(...phrase);
    else rest.push(words[at]!);
    at += phrase?.length ?? 1;
  }
  return { rest, places };
}

const distinct = (terms: readonly string[]): string[] => [...new Set(terms)].slice(0, MAX_TERMS);

/**
 * An unfinished word, or its completion where the letters typed are past the stem of that;
 * undefined where no word begins so.
 */
function readUnfinished(word: string, completion: Language['completion']): string | undefined {
  const completed = completion(word);
  return completed !== undefined && termOf(completed)?.startsWith(termOf(word) ?? '')
    ? word
    : completed;
}

/**
 * Reads a question; while it is being typed, its last word may be unfinished. A place is what it is
 * about only where it has nothing else.
 */
export function readQuestion(
  question: string,
  { places: phrases, meanings, spelling, completion }: Language,
  typing = false,
): Reading {
  const corrected = new Set<string>();
  const read = question.slice(0, MAX_CHARACTERS);
  const codes = Array.from(read.matchAll(ZIP_CODE), ([, code]) => code!);
  const looked = new Map<string, string>();
  // Looking for a word among the known ones is a walk through many of them.
  const lookUp = (word: string): string => {
    if (termOf(word) === null) return word;
    let meant = looked.get(word);
    if (meant === undefined) {
      if (looked.size >= MAX_TERMS) return word;
      looked.set(word, (meant = spelling(word)));
      if (meant !== word) corrected.add(termOf(meant)!);
    }
    return meant;
  };
  const words = wordsOf(read.replace(ZIP_CODE, ' '))
    .filter(({ length }) => length <= LONGEST_WORD)
    .slice(0, MAX_WORDS)
    .map(
      (word, at, { length }) =>
        (typing && at === length - 1 ? readUnfinished(word, completion) : undefined) ??
        lookUp(word),
    );
  const { rest, places: named } = apart(words, phrases);
  const places = [...named, ...codes];
  const terms = termsIn(rest);
  return {
    terms: distinct(terms.length ? terms : termsIn(places)),
    corrected,
    meanings: meanings(terms).slice(0, MAX_MEANINGS),
    places: distinct(termsIn(places)),
  };
}
