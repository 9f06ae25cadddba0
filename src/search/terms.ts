import { stem } from 'porter2';
import type { Network } from '../registry/network.ts';

/** Words that a question has and an answer need not have. */
const STOP_WORDS = new Set(
  (
    'a about also am an and any anybody anyone anything are as at be because been being but by can ' +
    'could d did do does doesn doing don done find for from get gets give go goes had has have having ' +
    'he her here him his how i if in into is isn it its just know let like ll looking m make many may ' +
    'me might more most much must my near need no not of off on only or our out please re s shall she ' +
    'should so some somebody someone something such t take tell than that the their them then there ' +
    'these they this those to too up us ve very want wants was we were what when where which who whom ' +
    'whose why will with within would you your yours'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}]+/gu;

/** The words of a text in lower case, without accents; “1,000” is one word. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .match(WORD) ?? [];

/** Most words whose stems are kept: a network’s own vocabulary is far smaller, and questions bring any. */
const MOST_STEMS = 20_000;

/** Stems of the words seen so far; passages of a network share most of their words. */
const stems = new Map<string, string>();

/** The stem of a word, by which all its forms are found; null for a word that says nothing. */
export function termOf(word: string): string | null {
  if (STOP_WORDS.has(word)) return null;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stemmed = stem(word);
  if (stems.size < MOST_STEMS) stems.set(word, stemmed);
  return stemmed;
}

const termsIn = (words: readonly string[]): string[] =>
  words.map(termOf).filter((term) => term !== null);

/** The terms of a text in its order. */
export const termsOf = (text: string): string[] => termsIn(wordsOf(text));

/** Characters of a question that are read, and distinct terms that are searched for: both bound the work. */
export const MOST_CHARACTERS = 4000;
export const MOST_TERMS = 24;

/** Five digits without a comma, and the four that may follow. */
const ZIP_CODE = /(?<![\d,])\d{5}(?:-\d{4})?(?!,?\d)/g;

/** The words without the phrases, which are words themselves; longer phrases come before shorter ones. */
function without(words: readonly string[], phrases: Ignored): string[] {
  const rest: string[] = [];
  for (let at = 0; at < words.length;) {
    const phrase = phrases.find((words_) => words_.every((word, i) => words[at + i] === word));
    if (phrase) at += phrase.length;
    else rest.push(words[at++]!);
  }
  return rest;
}

/** Phrases, each as its words, that a question is searched without. */
export type Ignored = readonly (readonly string[])[];

/** What questions are searched without: the places that the operator of a network lists. */
export const ignoredNames = ({ search }: Pick<Network, 'search'>): string[][] =>
  search.places
    .map(wordsOf)
    .filter((words) => words.length > 0)
    .sort((a, b) => b.length - a.length);

/**
 * The distinct terms that a question is searched by, at most {@link MOST_TERMS}. Ignored names and ZIP codes are left
 * out, unless it has nothing else: most texts that answer do not say where.
 */
export function questionTerms(question: string, ignored: Ignored): string[] {
  const read = question.slice(0, MOST_CHARACTERS);
  const terms = termsIn(without(wordsOf(read.replace(ZIP_CODE, ' ')), ignored));
  return [...new Set(terms.length ? terms : termsOf(read))].slice(0, MOST_TERMS);
}
