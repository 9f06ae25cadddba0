import { keysOf } from '../../site/json-object.ts';
import type { SearchableText } from '../searchable.ts';

export type Field = keyof Omit<SearchableText, 'weight'>;

export interface StoredEntry {
  /** Weight of a match, 1 by default. */
  weight?: number | undefined;
}

export interface TermIndexDocument<Entry extends StoredEntry> {
  fields: readonly Field[];
  /** Number of distinct words in each entry, by field. */
  lengths: readonly (readonly number[])[];
  terms: readonly string[];
  /**
   * For each term: the number of entries with it, the number of fields with it, and for each of
   * these the field, the number of its entries, and the entries and their frequencies.
   */
  postings: readonly number[];
  stored: readonly Entry[];
}

export interface TermMatch<Entry extends StoredEntry> {
  id: number;
  stored: Entry;
  score: number;
  /** The terms of the query that match. */
  queryTerms: string[];
  /** The fields that contain each matching term. */
  match: Map<string, Field[]>;
}

/** Terms to find in certain fields. */
export interface TermQuery {
  terms: readonly string[];
  fields: readonly Field[];
}

export interface TermSearchOptions {
  boostTerm: (term: string) => number;
  /** Whether a term also matches words that start with it. */
  isPrefix: (term: string) => boolean;
}

export const FIELD_BOOSTS: Readonly<Record<Field, number>> = {
  title: 2,
  text: 3,
  words: 1.5,
  asked: 2,
  meanings: 2.5,
  implied: 2,
  service: 1,
  place: 3,
};

/** The fields of every index, on the server and in the browser. */
export const INDEX_FIELDS = keysOf(FIELD_BOOSTS);

/**
 * These values reduce the effect of length, because the length of a text depends more on its kind,
 * such as a price or a step, than on its content.
 */
export const BM25_PARAMETERS = { k: 1, b: 0.7, d: 0.3 };

/** Weight of a word that starts with an unfinished word of the question. */
export const PREFIX_WEIGHT = 0.5;

/** How quickly the weight of a longer word decreases with its length. */
const PREFIX_DECAY = 0.3;

type MatchesById<Entry extends StoredEntry> = Map<number, TermMatch<Entry>>;

const averageOf = (lengths: readonly number[]): number =>
  lengths.reduce((mean, length, count) => (mean * count + length) / (count + 1), 0);

/**
 * An inverted index. It ranks like MiniSearch, whose nested maps need ten times as much memory as
 * these arrays of numbers.
 */
export class TermIndex<Entry extends StoredEntry> {
  readonly stored: readonly Entry[];
  readonly #fields: readonly Field[];
  readonly #lengths: readonly Uint32Array[];
  readonly #averages: readonly number[];
  readonly #postings: Uint32Array;
  /** Where the postings of each term start. */
  readonly #starts = new Map<string, number>();

  constructor({ fields, lengths, terms, postings, stored }: TermIndexDocument<Entry>) {
    this.stored = stored;
    this.#fields = fields;
    this.#lengths = lengths.map((of) => Uint32Array.from(of));
    this.#averages = lengths.map(averageOf);
    this.#postings = Uint32Array.from(postings);
    let start = 0;
    for (const term of terms) {
      this.#starts.set(term, start);
      let end = start + 2;
      for (let field = 0; field < postings[start + 1]!; field++) end += 2 + 2 * postings[end + 1]!;
      start = end;
    }
  }

  countEntriesWith(term: string): number {
    const start = this.#starts.get(term);
    return start === undefined ? 0 : this.#postings[start]!;
  }

  /**
   * The rarity of a term: its inverse document frequency across all fields, relative to the
   * logarithm of the number of entries.
   */
  rarityOf(term: string): number {
    return this.#inverseFrequency(this.countEntriesWith(term)) / Math.log(this.stored.length + 1);
  }

  #inverseFrequency(count: number): number {
    return Math.log(1 + (this.stored.length - count + 0.5) / (count + 0.5));
  }

  /** The entries that contain any term of the queries, in the order in which they are found. */
  search(
    queries: readonly TermQuery[],
    { boostTerm, isPrefix }: TermSearchOptions,
  ): TermMatch<Entry>[] {
    const found: MatchesById<Entry> = new Map();
    for (const { terms, fields } of queries)
      for (const term of terms) {
        const boost = boostTerm(term);
        this.#addMatches(found, term, term, boost, fields);
        if (!isPrefix(term)) continue;
        for (const longerTerm of this.#starts.keys()) {
          const distance = longerTerm.length - term.length;
          if (distance <= 0 || !longerTerm.startsWith(term)) continue;
          const share = longerTerm.length / (longerTerm.length + PREFIX_DECAY * distance);
          this.#addMatches(found, term, longerTerm, boost * PREFIX_WEIGHT * share, fields);
        }
      }
    return [...found.values()];
  }

  /** Adds the entries that contain a word to the matches of a term. */
  #addMatches(
    found: MatchesById<Entry>,
    term: string,
    word: string,
    weight: number,
    fields: readonly Field[],
  ): void {
    const { k, b, d } = BM25_PARAMETERS;
    for (const [field, from, count] of this.#fieldsWith(word)) {
      const name = this.#fields[field]!;
      if (!fields.includes(name)) continue;
      const rarity = this.#inverseFrequency(count);
      for (let at = from; at < from + 2 * count; at += 2) {
        const id = this.#postings[at]!;
        const frequency = this.#postings[at + 1]!;
        const stored = this.stored[id]!;
        const relativeLength = this.#lengths[field]![id]! / this.#averages[field]!;
        const saturation = frequency + k * (1 - b + b * relativeLength);
        const score =
          weight *
          FIELD_BOOSTS[name] *
          (stored.weight ?? 1) *
          rarity *
          (d + (frequency * (k + 1)) / saturation);
        let match = found.get(id);
        if (!match)
          found.set(id, (match = { id, stored, score: 0, queryTerms: [], match: new Map() }));
        match.score += score;
        if (!match.queryTerms.includes(term)) match.queryTerms.push(term);
        const matchedFields = match.match.get(word);
        if (!matchedFields) match.match.set(word, [name]);
        else if (!matchedFields.includes(name)) matchedFields.push(name);
      }
    }
  }

  /** The fields that contain a word, each with the position and number of its entries. */
  *#fieldsWith(word: string): Generator<[field: number, from: number, count: number]> {
    const start = this.#starts.get(word);
    if (start === undefined) return;
    let at = start + 2;
    for (let left = this.#postings[start + 1]!; left > 0; left--) {
      const [field, count] = [this.#postings[at]!, this.#postings[at + 1]!];
      yield [field, at + 2, count];
      at += 2 + 2 * count;
    }
  }

  toJSON(): TermIndexDocument<Entry> {
    return {
      fields: this.#fields,
      lengths: this.#lengths.map((of) => Array.from(of)),
      terms: [...this.#starts.keys()],
      postings: Array.from(this.#postings),
      stored: this.stored,
    };
  }
}
