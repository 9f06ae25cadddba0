import type MiniSearch from 'minisearch';
import type { Options, SearchOptions, SearchResult } from 'minisearch';
import { type Language, readQuestion, type ParsedQuestion } from './question.ts';
import type { Searchable } from './searchable.ts';
import { tokensOf } from './synonyms.ts';
import { termOf, wordsOf } from './terms.ts';

const BOOST: Record<keyof Omit<Searchable, 'weight'>, number> = {
  text: 3,
  title: 2,
  words: 1.5,
  asked: 2,
  meanings: 2.5,
  implied: 2,
  service: 1,
  place: 3,
};

/**
 * The length of a text depends more on its kind, such as a price or a step, than on its content.
 */
const BM25 = { k: 1, b: 0.7, d: 0.3 };

/** Weight of a word that is spelled differently in the question. */
const CORRECTED_WEIGHT = 0.7;

/** Exponent of the number of matched terms in a score; MiniSearch uses 1. */
const MATCH_EXPONENT = 0.5;

/** Options of every index, in the server and in the browser. */
export const indexOptions: Options = {
  fields: Object.keys(BOOST),
  tokenize: wordsOf,
  processTerm: termOf,
  storeFields: ['weight'],
};

/** Minimum confidence for the best match to count as an answer: see {@link Ranked}. */
const MIN_ANSWER_CONFIDENCE = 56;

/**
 * Minimum confidence if the two best matches belong to one service and each contains every word of
 * the question.
 */
const MIN_AGREED_CONFIDENCE = 22;

/** A match. */
export interface Ranked {
  id: number;
  /**
   * Confidence in the match, comparable between questions: the score relative to the weight of the
   * question's terms, times the share of them in the match's title and text.
   */
  confidence: number;
  /** The share of the question in the match's title and text, weighted by term rarity; 0 to 1. */
  coverage: number;
  /** Confidence if the search phrases are counted as part of the text. */
  confidenceAsAsked: number;
  /** Whether the question has several terms and the match contains every place in the question. */
  isSpecific: boolean;
  stored: SearchResult;
}

export interface RankOptions {
  keep?: (result: SearchResult) => boolean;
  /** Whether the last word may be unfinished, while the user types. */
  typing?: boolean;
}

const identity = (term: string) => term;

/** Search options for prepared terms. */
const TERM_OPTIONS: SearchOptions = {
  tokenize: (term) => [term],
  processTerm: identity,
  combineWith: 'OR',
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Index fields with the text of an entry. */
const TEXT_FIELDS = ['text', 'title', 'meanings'];

/** Index fields with the text and the search phrases of an entry. */
const TEXT_AND_PHRASE_FIELDS = [...TEXT_FIELDS, 'asked', 'implied'];

/**
 * The share of a question in these fields of a match, including synonyms, weighted by term rarity;
 * the `unfinished` term needs only a prefix match.
 */
function coverage(
  { terms, meanings }: ParsedQuestion,
  { match }: SearchResult,
  rarity: Language['rarity'],
  unfinished: string | undefined,
  counted = TEXT_FIELDS,
): number {
  const isCounted = (fields: readonly string[] | undefined) =>
    fields?.some((field) => counted.includes(field));
  const has = (term: string) =>
    isCounted(match[term]) ||
    (term === unfinished &&
      Object.keys(match).some((other) => other.startsWith(term) && isCounted(match[other]))) ||
    meanings.some((meaning) => meaning.terms.includes(term) && isCounted(match[meaning.token]));
  return sum(terms.filter(has).map(rarity)) / sum(terms.map(rarity));
}

/** Entries of an index that match any word of a question, nearest first. */
export function rank(
  index: MiniSearch,
  question: string,
  language: Language,
  { keep, typing = false }: RankOptions = {},
): Ranked[] {
  const reading = readQuestion(question, language, typing);
  const { terms, corrected, meanings, places } = reading;
  // “so” may become “sofa”.
  if (typing && !terms.length) terms.push(...wordsOf(question).slice(-1));
  if (!terms.length) return [];
  const { rarity } = language;
  const unfinished = typing ? terms.at(-1) : undefined;
  // A single word is more likely than several to match by chance.
  const weight = Math.sqrt(sum(terms.map(rarity))) * (1 + 1 / terms.length);
  return index
    .search(
      {
        queries: [
          { queries: terms, fields: ['title', 'text', 'words', 'asked'] },
          { queries: tokensOf(meanings), fields: ['meanings', 'implied', 'service'] },
          { queries: places, fields: ['place'] },
        ].filter(({ queries }) => queries.length),
      },
      {
        ...TERM_OPTIONS,
        boost: BOOST,
        bm25: BM25,
        boostDocument: (_id, _term, stored) => Number(stored?.['weight'] ?? 1),
        boostTerm: (term) => rarity(term) * (corrected.has(term) ? CORRECTED_WEIGHT : 1),
        prefix: (term) => term === unfinished && term.length > 1,
        weights: { fuzzy: 0, prefix: 0.5 },
        ...(keep && { filter: keep }),
      },
    )
    .map((stored) => ({
      stored,
      score: stored.score * stored.queryTerms.length ** (MATCH_EXPONENT - 1),
    }))
    .sort((a, b) => b.score - a.score)
    .map(({ stored, score }) => ({
      id: stored.id as number,
      get coverage() {
        return coverage(reading, stored, rarity, unfinished);
      },
      get confidence() {
        return (score / weight) * this.coverage;
      },
      get confidenceAsAsked() {
        return (
          (score / weight) * coverage(reading, stored, rarity, unfinished, TEXT_AND_PHRASE_FIELDS)
        );
      },
      get isSpecific() {
        return terms.length > 1 && places.every((place) => stored.match[place] !== undefined);
      },
      stored,
    }));
}

/**
 * Whether the best matches count as an answer; `factor` lowers the threshold where the topic is
 * known.
 */
export function isAnswer(
  [first, second]: readonly Ranked[],
  areOfOneService: boolean,
  factor = 1,
): boolean {
  if (!first) return false;
  const { confidence, confidenceAsAsked, coverage: share, isSpecific } = first;
  if (Math.max(confidence, confidenceAsAsked) >= MIN_ANSWER_CONFIDENCE * factor) return true;
  return (
    areOfOneService &&
    isSpecific &&
    share === 1 &&
    second?.coverage === 1 &&
    confidence >= MIN_AGREED_CONFIDENCE
  );
}
