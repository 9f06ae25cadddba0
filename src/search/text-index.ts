import MiniSearch, { type Options } from 'minisearch';
import type { Network } from '../registry/network.ts';
import { type Language, phrasesOf } from './question.ts';
import { indexOptions, rank, type Ranked } from './ranking.ts';
import { type Searchable, searchableWith, type Texts } from './searchable.ts';
import { rarityOf } from './rarity.ts';
import { completionOf, spellingOf, wordsByFrequency } from './spelling.ts';
import { runSteps, mapInSteps, type Steps } from './steps.ts';
import { meaningsOf } from './synonyms.ts';
import { termOf, wordsOf } from './terms.ts';

/** An entry that was found, and how it matches. */
export interface FoundEntry<Entry> {
  entry: Entry;
  match: Ranked;
}

/** Searchable entries. */
export interface TextIndex<Entry> {
  /** The entries that match a question, nearest first. */
  search: (question: string, keep?: (entry: Entry) => boolean) => FoundEntry<Entry>[];
}

/** A network's word lists for questions. */
interface WordLists {
  search: Pick<Network['search'], 'places' | 'synonyms'>;
}

/**
 * The {@link Language} of a network without term rarity, and every word of these texts and of the
 * network's lists, most frequent first.
 */
function* languageOf(
  { search: { places, synonyms } }: WordLists,
  texts: readonly Texts[],
): Steps<{ language: Omit<Language, 'rarity'>; words: string[] }> {
  const known = yield* mapInSteps(texts, ({ title, text, words, asked = [], place = '' }) =>
    wordsOf([title, text, words, ...asked, place].join(' ')),
  );
  yield;
  const words = wordsByFrequency([...known, ...[...places, ...synonyms.flat()].map(wordsOf)]);
  yield;
  return {
    words,
    language: {
      places: phrasesOf(places),
      meanings: meaningsOf(synonyms),
      spelling: spellingOf(words),
      completion: completionOf(words),
    },
  };
}

/** An index of texts, the language of its questions, and its words, most frequent first. */
export interface IndexedTexts {
  index: MiniSearch;
  language: Language;
  words: string[];
}

/** Indexes texts by their position. `stored` adds members that the `options` store. */
export function* indexTexts(
  network: WordLists,
  texts: readonly Texts[],
  options: Options,
  stored: (index: number) => object = () => ({}),
): Steps<IndexedTexts> {
  const { language, words } = yield* languageOf(network, texts);
  const searchable = searchableWith(language.meanings);
  const counts = new Map<string, number>();
  const terms = new Set<string>();
  const index = new MiniSearch<Searchable & { id: number }>({
    ...options,
    processTerm(word) {
      const term = termOf(word);
      if (term !== null) terms.add(term);
      return term;
    },
  });
  yield* mapInSteps(texts, (text, id) => {
    terms.clear();
    index.add({ ...searchable(text), ...stored(id), id });
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  });
  return { index, language: { ...language, rarity: rarityOf(counts, texts.length) }, words };
}

/** An index over entries in memory. */
export const textIndex = <Entry>(
  network: WordLists,
  entries: readonly Entry[],
  textsOf: (entry: Entry) => Texts,
): TextIndex<Entry> => runSteps(textIndexInSteps(network, entries, textsOf));

/** Builds an index over entries in memory. */
export function* textIndexInSteps<Entry>(
  network: WordLists,
  entries: readonly Entry[],
  textsOf: (entry: Entry) => Texts,
): Steps<TextIndex<Entry>> {
  const { index, language } = yield* indexTexts(network, entries.map(textsOf), indexOptions);
  return {
    search: (question, keep) =>
      rank(index, question, language, {
        ...(keep && { keep: ({ id }) => keep(entries[id as number]!) }),
      }).map((match) => ({ entry: entries[match.id]!, match })),
  };
}
