import MiniSearch, { type AsPlainObject } from 'minisearch';
import type { Subsite } from '../registry/subsite.ts';
import { type Language, phrasesOf } from './question.ts';
import { indexOptions, rank } from './ranking.ts';
import { spellingOf } from './spelling.ts';
import { meaningsOf, type Synonyms } from './synonyms.ts';

/** What the site search shows: a subsite, one of its requests or one of its items. */
export interface ServiceEntry {
  subsite: string;
  title: string;
  text: string;
  path: string;
  /** What it is, as a word behind the title. */
  kind: string;
  category: Subsite['category'];
}

/** The index as the front page loads it. */
export interface ServiceDocument {
  places: readonly string[];
  synonyms: Synonyms;
  /** All words, the most frequent first. */
  words: string;
  index: AsPlainObject;
}

/** An index of services, and how its questions are read. */
export interface ServiceIndex {
  index: MiniSearch;
  language: Language;
}

/** How the index of services is made and read. */
export const serviceOptions = { ...indexOptions, storeFields: ['entry', 'weight'] };

/** The index of a document. */
export const openServices = ({
  places,
  synonyms,
  words,
  index,
}: ServiceDocument): ServiceIndex => ({
  index: MiniSearch.loadJS(index, serviceOptions),
  language: {
    places: phrasesOf(places),
    meanings: meaningsOf(synonyms),
    spelling: spellingOf(words.split(' ')),
    // Services have few words, of which none says more than another.
    rarity: () => 1,
  },
});

/** An entry that was found, with the confidence of the ranking. */
export interface FoundService {
  entry: ServiceEntry;
  confidence: number;
}

/** Services, requests and items for words as people write them, the nearest first. */
export function findServices(
  { index, language }: ServiceIndex,
  words: string,
  { keep, typing = false }: { keep?: (entry: ServiceEntry) => boolean; typing?: boolean } = {},
): FoundService[] {
  return rank(index, words, language, {
    typing,
    ...(keep && { keep: (result) => keep(result['entry'] as ServiceEntry) }),
  }).map(({ stored, confidence }) => ({ entry: stored['entry'] as ServiceEntry, confidence }));
}
