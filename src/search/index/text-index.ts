import { createSearchVocabulary, type SearchVocabulary, type WordLists } from '../question.ts';
import { rank, type RankedEntry } from '../ranking.ts';
import { createSearchableTextConverter, type EntryTexts } from '../searchable.ts';
import { sortWordsByFrequency } from './spelling.ts';
import { runSteps, mapInSteps, type Steps } from '../steps.ts';
import type { StoredEntry, TermIndex } from './term-index.ts';
import { TermIndexBuilder } from './term-index-builder.ts';
import { wordsOf } from './terms.ts';

export interface FoundEntry<Entry> {
  entry: Entry;
  match: RankedEntry;
}

export interface TextIndex<Entry> {
  /** The entries that match a question, best match first. */
  search: (question: string, filter?: (entry: Entry) => boolean) => FoundEntry<Entry>[];
}

interface SearchedNetwork {
  search: WordLists;
}

/** Every word in these texts and in the network's lists, most frequent first. */
function* listWords(
  { search: { places, synonyms } }: SearchedNetwork,
  texts: readonly EntryTexts[],
): Steps<string[]> {
  const known = yield* mapInSteps(texts, ({ title, text, words, asked = [], place = '' }) =>
    wordsOf([title, text, words, ...asked, place].join(' ')),
  );
  yield;
  return sortWordsByFrequency([...known, ...[...places, ...synonyms.flat()].map(wordsOf)]);
}

/** A term index, the vocabulary of its questions, and its words, most frequent first. */
export interface IndexedTexts<Entry extends StoredEntry> {
  index: TermIndex<Entry>;
  vocabulary: SearchVocabulary;
  words: string[];
}

/** Indexes texts by position, and stores an entry with each text. */
export function* indexTexts<Entry extends StoredEntry>(
  network: SearchedNetwork,
  texts: readonly EntryTexts[],
  stored: (index: number) => Entry,
): Steps<IndexedTexts<Entry>> {
  const words = yield* listWords(network, texts);
  yield;
  const vocabulary = createSearchVocabulary(network.search, words);
  const toSearchableText = createSearchableTextConverter(vocabulary.findSynonyms);
  const builder = new TermIndexBuilder<Entry>();
  yield* mapInSteps(texts, (text, id) => builder.add(toSearchableText(text), stored(id)));
  yield;
  return { index: builder.build(), vocabulary, words };
}

/** An in-memory index over a few entries, built at the first search. */
export function createTextIndex<Entry>(
  network: SearchedNetwork,
  entries: readonly Entry[],
  textsOf: (entry: Entry) => EntryTexts,
): TextIndex<Entry> {
  let index: TextIndex<Entry> | undefined;
  return {
    search: (question, filter) =>
      (index ??= runSteps(createTextIndexInSteps(network, entries, textsOf))).search(
        question,
        filter,
      ),
  };
}

/** Builds an in-memory index over entries. */
export function* createTextIndexInSteps<Entry>(
  network: SearchedNetwork,
  entries: readonly Entry[],
  textsOf: (entry: Entry) => EntryTexts,
): Steps<TextIndex<Entry>> {
  const texts = entries.map(textsOf);
  const { index, vocabulary } = yield* indexTexts(network, texts, (id): StoredEntry => {
    const { weight } = texts[id]!;
    return weight === undefined ? {} : { weight };
  });
  return {
    search: (question, filter) =>
      rank(index, question, vocabulary, {
        ...(filter && { filter: (id) => filter(entries[id]!) }),
      }).map((match) => ({ entry: entries[match.id]!, match })),
  };
}
