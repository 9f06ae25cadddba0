import { type SearchVocabulary, parseQuestion, type ParsedQuestion } from './question.ts';
import { tokensOf } from './index/synonyms.ts';
import type { Field, StoredEntry, TermIndex, TermMatch } from './index/term-index.ts';
import { wordsOf } from './index/terms.ts';

/** Weight of a word whose spelling was corrected. */
const CORRECTED_WEIGHT = 0.7;

/** Exponent applied to the number of matched terms when computing a score. */
const MATCH_EXPONENT = 0.5;

/** Minimum confidence for the best match to count as an answer: see {@link RankedEntry}. */
const MIN_ANSWER_CONFIDENCE = 56;

/**
 * Minimum confidence if another of the best matches belongs to the same service and both contain
 * every word of the question.
 */
const MIN_AGREED_CONFIDENCE = 22;

export interface RankedEntry<Entry extends StoredEntry = StoredEntry> {
  id: number;
  /**
   * Confidence in the match, comparable across questions: the score relative to the weight of the
   * question's terms, times the coverage.
   */
  confidence: number;
  /**
   * The share of the question's terms that the match's title and text contain, weighted by rarity,
   * from 0 to 1.
   */
  coverage: number;
  /** Confidence and coverage if the search phrases are counted as part of the text. */
  confidenceWithPhrases: number;
  coverageWithPhrases: number;
  /** Terms of the question that are missing from the match's title and text. */
  missingTerms: readonly string[];
  /** Whether the match's title and text contain every term of the question, not only synonyms. */
  hasOwnTerms: boolean;
  /** Terms of the question that are in the match's title. */
  titleTerms: readonly string[];
  /** Whether the match's title contains every term of the question. */
  hasTermsInTitle: boolean;
  /**
   * Whether the question has more than one term and the match contains every place in the question.
   */
  isSpecific: boolean;
  stored: Entry;
}

export interface RankOptions {
  filter?: (id: number) => boolean;
  /** Whether the last word may be unfinished, while the user types. */
  isTyping?: boolean;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Index fields with the text of an entry. */
const TEXT_FIELDS: readonly Field[] = ['text', 'title', 'meanings'];

/** Index fields with the text and the search phrases of an entry. */
const TEXT_AND_PHRASE_FIELDS: readonly Field[] = [...TEXT_FIELDS, 'asked', 'implied'];

/**
 * The terms of a question that are missing from these fields of a match, even as synonyms;
 * `unfinishedTerm` needs only a prefix match.
 */
function findMissingTerms(
  { terms, synonymGroups }: ParsedQuestion,
  { match }: TermMatch<StoredEntry>,
  unfinishedTerm: string | undefined,
  countedFields = TEXT_FIELDS,
): string[] {
  const matchesCountedField = (fields: readonly Field[] | undefined) =>
    fields?.some((field) => countedFields.includes(field));
  const hasTerm = (term: string) =>
    matchesCountedField(match.get(term)) ||
    (term === unfinishedTerm &&
      Array.from(match).some(
        ([other, fields]) => other.startsWith(term) && matchesCountedField(fields),
      )) ||
    synonymGroups.some(
      (group) => group.terms.includes(term) && matchesCountedField(match.get(group.token)),
    );
  return terms.filter((term) => !hasTerm(term));
}

/** Index entries that match any word of a question, best match first. */
export function rank<Entry extends StoredEntry>(
  index: TermIndex<Entry>,
  question: string,
  vocabulary: SearchVocabulary,
  { filter, isTyping = false }: RankOptions = {},
): RankedEntry<Entry>[] {
  const parsedQuestion = parseQuestion(question, vocabulary, isTyping);
  const { terms, correctedTerms, synonymGroups, places } = parsedQuestion;
  // A stop word may be the beginning of another word: “so” may become “sofa”.
  if (isTyping && !terms.length) terms.push(...wordsOf(question).slice(-1));
  if (!terms.length) return [];
  const rarityOf = (term: string) => index.rarityOf(term);
  // A word with synonyms is complete: “AC” is not the beginning of “account”.
  const isComplete = vocabulary.findSynonyms(terms.slice(-1)).length > 0;
  const unfinishedTerm = isTyping && !isComplete ? terms.at(-1) : undefined;
  const totalRarity = sum(terms.map(rarityOf));
  // A single word is more likely than several words to match by chance.
  const weight = Math.sqrt(totalRarity) * (1 + 1 / terms.length);
  const missingTermsOf = (found: TermMatch<StoredEntry>, fields?: readonly Field[]) =>
    findMissingTerms(parsedQuestion, found, unfinishedTerm, fields);
  // The share of the question's terms that these fields of a match contain, weighted by rarity.
  const coverageOf = (found: TermMatch<StoredEntry>, fields?: readonly Field[]) => {
    const missingTerms = missingTermsOf(found, fields);
    return sum(terms.filter((term) => !missingTerms.includes(term)).map(rarityOf)) / totalRarity;
  };
  return index
    .search(
      [
        { terms, fields: ['title', 'text', 'words', 'asked'] },
        { terms: tokensOf(synonymGroups), fields: ['meanings', 'implied', 'service'] },
        { terms: places, fields: ['place'] },
      ],
      {
        boostTerm: (term) => rarityOf(term) * (correctedTerms.has(term) ? CORRECTED_WEIGHT : 1),
        isPrefix: (term) => term === unfinishedTerm && term.length > 1,
      },
    )
    .filter(({ id }) => !filter || filter(id))
    .map((found) => ({ found, score: found.score * found.queryTerms.length ** MATCH_EXPONENT }))
    .sort((a, b) => b.score - a.score)
    .map(({ found, score }) => ({
      id: found.id,
      get coverage() {
        return coverageOf(found);
      },
      get confidence() {
        return (score / weight) * this.coverage;
      },
      get confidenceWithPhrases() {
        return (score / weight) * this.coverageWithPhrases;
      },
      get coverageWithPhrases() {
        return coverageOf(found, TEXT_AND_PHRASE_FIELDS);
      },
      get missingTerms() {
        return missingTermsOf(found);
      },
      get hasOwnTerms() {
        return terms.every((term) =>
          found.match.get(term)?.some((field) => TEXT_FIELDS.includes(field)),
        );
      },
      get titleTerms() {
        const missingTerms = missingTermsOf(found, ['title']);
        return terms.filter((term) => !missingTerms.includes(term));
      },
      get hasTermsInTitle() {
        return this.titleTerms.length === terms.length;
      },
      get isSpecific() {
        return terms.length > 1 && places.every((place) => found.match.has(place));
      },
      stored: found.stored,
    }));
}

/**
 * Whether the best match counts as an answer; `others` are the next matches of the same service,
 * and `factor` lowers the threshold if the topic is known.
 */
export function isAnswer(
  first: RankedEntry | undefined,
  others: readonly RankedEntry[],
  factor = 1,
): boolean {
  if (!first) return false;
  const { confidence, confidenceWithPhrases, coverage: share, isSpecific } = first;
  if (Math.max(confidence, confidenceWithPhrases) >= MIN_ANSWER_CONFIDENCE * factor) return true;
  return (
    isSpecific &&
    share === 1 &&
    others.some(({ coverage }) => coverage === 1) &&
    confidence >= MIN_AGREED_CONFIDENCE
  );
}
