import MiniSearch, { type SearchOptions } from 'minisearch';

/** Words that a question has and an answer need not have; English, as the registry is. */
const STOP_WORDS = new Set(
  ('a an and any are as at be been but by can could did do does for from get give gives go had has have here how i if in into is it its ' +
    'like may me much many my need no not of on or our please shall should show so some tell than that the their them then there these they this ' +
    'to up us was we were what when where which who whom whose why will with would you your about find want looking near make someone somebody anyone anybody s t')
    .split(' '),
);

/** Plural and simple verb endings cut off, so that “rentals” finds “rental” and “repairs” finds “repair”. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us')) return word.slice(0, -1);
  return word;
}

/** A word as it is indexed and searched: lower case, without accents; null for one that says nothing. */
export function term(word: string): string | null {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain === '' || STOP_WORDS.has(plain) ? null : stem(plain);
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[.'’][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;

/** The words of a text that say something, each once. */
export const termsOf = (text: string): string[] => [...new Set((text.match(WORD) ?? []).map(term).filter((word) => word !== null))];

/** Longer words may be misspelled more: none under 4 letters, one letter under 8, two above. */
const fuzzy = (word: string): number | false => (word.length < 4 || /^\d/.test(word) ? false : word.length < 8 ? 1 : 2);

const prefix = (word: string): boolean => word.length >= 3;

/** Letters from which on a misspelt word is evidence; shorter ones are too often another word, as “roof” and “proof” are. */
const LEAST_MISSPELT = 6;
/** How much of a word a misspelling of it is worth as evidence. */
const MISSPELT = 0.7;
/** Part of a longer word that its beginning must be, to be evidence: “generat” of “generator”, and not “car” of “carpet”. */
const LEAST_BEGINNING = 0.7;

/** How surely a word of a query is meant by a word that it was found by: 1 the same, 0 hardly. */
function likeness(asked: string, found: string): number {
  if (asked === found) return 1;
  const part = asked.length / found.length;
  if (found.startsWith(asked)) return part >= LEAST_BEGINNING ? part : 0;
  const alike = asked[0] === found[0] && asked[1] === found[1] && Math.abs(asked.length - found.length) <= 2;
  return alike && Math.min(asked.length, found.length) >= LEAST_MISSPELT && !/^\d/.test(asked) ? MISSPELT : 0;
}

/** An entry that was found. */
export interface Found<Entry> {
  entry: Entry;
  score: number;
  /** Share of the query’s words that it was found by. */
  share: number;
  /** Words of the query that it was found by, with how surely each is meant: 1 as it stands there, less as a beginning or misspelt. */
  evidence: ReadonlyMap<string, number>;
}

/** A text that can be found by its words, with the weight of each of its parts. */
export interface WordIndex<Entry> {
  /** Entries by relevance. */
  search(query: string, keep?: (entry: Entry) => boolean): Found<Entry>[];
}

const evidenceOf = (asked: readonly string[], found: readonly string[]): Map<string, number> =>
  new Map(asked.map((word) => [word, Math.max(...found.map((other) => likeness(word, other)))] as const).filter(([, sure]) => sure > 0));

/** An index over entries; prefixes and misspellings are found, whole words rank first. */
export function wordIndex<Entry, Part extends string>(entries: readonly Entry[], parts: (entry: Entry) => Readonly<Record<Part, string>>, boost: Readonly<Record<Part, number>>): WordIndex<Entry> {
  const fields = Object.keys(boost) as Part[];
  const searchOptions: SearchOptions = { boost, prefix, fuzzy, weights: { prefix: 0.6, fuzzy: 0.4 }, combineWith: 'OR' };
  const index = new MiniSearch<Record<string, unknown>>({ fields, tokenize: (text) => text.match(WORD) ?? [], processTerm: term, searchOptions });
  index.addAll(entries.map((entry, id) => ({ id, ...parts(entry) })));
  return {
    search(query, keep) {
      const asked = termsOf(query).length;
      if (!asked) return [];
      const options = keep && { filter: ({ id }: { id: number }) => keep(entries[id]!) };
      return index.search(query, options).map(({ id, score, queryTerms, terms }) => ({ entry: entries[id as number]!, score, share: queryTerms.length / asked, evidence: evidenceOf(queryTerms, terms) }));
    },
  };
}
