import MiniSearch from 'minisearch';
import type { Network } from '../registry/network.ts';
import { type Language, phrasesOf } from './question.ts';
import { indexOptions, rank, type Ranked } from './ranking.ts';
import { type Searchable, searchableWith, type Texts } from './searchable.ts';
import { rarityOf } from './rarity.ts';
import { completionOf, spellingOf, wordsByFrequency } from './spelling.ts';
import { meaningsOf } from './synonyms.ts';
import { wordsOf } from './terms.ts';

/** An entry that was found, and how it matches. */
export interface Found<Entry> {
  entry: Entry;
  match: Ranked;
}

/** Searchable entries. */
export interface TextIndex<Entry> {
  /** The entries that match a question, nearest first. */
  search: (question: string, keep?: (entry: Entry) => boolean) => Found<Entry>[];
}

/** A network's word lists for questions. */
interface WordLists {
  search: Pick<Network['search'], 'places' | 'synonyms'>;
}

/**
 * The {@link Language} of a network without term rarity, and every word of these texts and of the
 * network’s lists, most frequent first.
 */
export function languageOf(
  { search: { places, synonyms } }: WordLists,
  texts: readonly Texts[],
): { language: Omit<Language, 'rarity'>; words: string[] } {
  const known = texts.map(({ title, text, words, asked = [], place = '' }) =>
    wordsOf([title, text, words, ...asked, place].join(' ')),
  );
  const words = wordsByFrequency([...known, ...[...places, ...synonyms.flat()].map(wordsOf)]);
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

/** An index over entries in memory. */
export function textIndex<Entry>(
  network: WordLists,
  entries: readonly Entry[],
  textsOf: (entry: Entry) => Texts,
): TextIndex<Entry> {
  const texts = entries.map(textsOf);
  const read = languageOf(network, texts).language;
  const index = new MiniSearch<Searchable & { id: number }>(indexOptions);
  const searchable = searchableWith(read.meanings);
  index.addAll(texts.map((text, id) => ({ ...searchable(text), id })));
  const language = { ...read, rarity: rarityOf(index.toJSON()) };
  return {
    search: (question, keep) =>
      rank(index, question, language, {
        ...(keep && { keep: ({ id }) => keep(entries[id as number]!) }),
      }).map((match) => ({ entry: entries[match.id]!, match })),
  };
}
