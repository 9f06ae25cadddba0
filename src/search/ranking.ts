import type MiniSearch from 'minisearch';
import type { Options, SearchOptions, SearchResult } from 'minisearch';
import type { Searchable } from './searchable.ts';
import { type Ignored, questionTerms, termOf, wordsOf } from './terms.ts';

const BOOST: Record<keyof Omit<Searchable, 'weight'>, number> = {
  text: 3,
  title: 1,
  words: 2,
  synonyms: 1.5,
};

/** Texts differ in length by what they are, a price or a step, more than by how much they say. */
const BM25 = { k: 0.6, b: 0.4, d: 0.3 };

/** Letters above which a word may be misspelled, by a letter in five; shorter ones are too often another word. */
const SHORT_WORD = 5;
const MISSPELLED = 0.2;

const mayBeMisspelled = (term: string) =>
  term.length > SHORT_WORD && !/^\d/.test(term) ? MISSPELLED : false;

/** How every index is made and read, in the server and in the browser. */
export const indexOptions: Options = {
  fields: Object.keys(BOOST),
  tokenize: wordsOf,
  processTerm: termOf,
  storeFields: ['weight'],
};

/** A score from which on the best match is an answer: see {@link Ranked}. */
export const ANSWERS = 6;

/** A match. `score` is relative: per word asked, and to the weight of a word that a single entry has. */
export interface Ranked {
  id: number;
  score: number;
  stored: SearchResult;
}

export interface RankOptions {
  /** What to leave out of the question, from `ignoredNames`. */
  ignored?: Ignored;
  keep?: (result: SearchResult) => boolean;
  /** Whether the last word may be unfinished, as while a person types. */
  typing?: boolean;
}

const asTerm = (term: string) => term;

/** How terms are searched for that are terms already. */
const ASKED: SearchOptions = { tokenize: (term) => [term], processTerm: asTerm, combineWith: 'OR' };

/** Entries of an index that have any word of a question, the nearest first. */
export function rank(
  index: MiniSearch,
  question: string,
  { ignored = [], keep, typing = false }: RankOptions = {},
): Ranked[] {
  const terms = questionTerms(question, ignored);
  // “so” may become “sofa”.
  if (typing && !terms.length) terms.push(...wordsOf(question).slice(-1));
  const weight = terms.length * Math.log(index.documentCount + 1);
  // A word that entries have is not misspelled.
  const doubtful = { queries: terms.filter(mayBeMisspelled) };
  const known = new Set(index.search(doubtful, ASKED).flatMap(({ queryTerms }) => queryTerms));
  return index
    .search(
      { queries: terms },
      {
        ...ASKED,
        boost: BOOST,
        bm25: BM25,
        boostDocument: (_id, _term, stored) => Number(stored?.['weight'] ?? 1),
        fuzzy: (term) => !known.has(term) && mayBeMisspelled(term),
        prefix: (term) => typing && term === terms.at(-1) && term.length > 1,
        weights: { fuzzy: 0.4, prefix: 0.5 },
        ...(keep && { filter: keep }),
      },
    )
    .map((stored) => ({ id: stored.id as number, score: stored.score / weight, stored }));
}
