import type MiniSearch from 'minisearch';
import type { Query, SearchResult } from 'minisearch';
import type { Searched } from './search-options.ts';

/** Words of a spoken sentence that say nothing about what is wanted. */
const FILLERS = new Set(
  'a about am an and any are at be been but by can could did do does doesn don done for from get gets give got had has have how i if im in into is isn it its just know like ll long looking make may me my near need no not of off on one or our out please put s should so some somebody someone something t take that the their them there these they this to up us use ve want was we what when where which who why will with won would you your'.split(' '),
);

/** Endings that a word loses, so that “cooling” finds “cool” and “conditioner” finds “conditioning”. */
const ENDING = /(?:ing|ers?|ed|es|s|e)$/;

/** Fewest letters that remain of a word without its ending. */
const SHORTEST = 4;

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word, or what remains of it without its ending. Among others, one of two letters stands for itself alone. */
function forms(word: string, _: number, all: readonly string[]): Query {
  if (word.length < 3 && all.length > 1) return { queries: [word], prefix: false };
  const stem = word.replace(ENDING, '');
  return stem === word || stem.length < SHORTEST ? word : { combineWith: 'OR', queries: [word, stem] };
}

/**
 * What is found for words as people write them: what has all of them, or, where nothing has, what has any, best first.
 * Filler words count only where there is nothing else.
 */
export function find(index: MiniSearch<Searched>, text: string, filter?: (result: SearchResult) => boolean): SearchResult[] {
  const said = words(text);
  const telling = said.filter((word) => !FILLERS.has(word));
  const queries = (telling.length ? telling : said).map(forms);
  const all = index.search({ combineWith: 'AND', queries }, filter && { filter });
  return all.length || queries.length < 2 ? all : index.search({ combineWith: 'OR', queries }, filter && { filter });
}
