import MiniSearch, { type AsPlainObject } from 'minisearch';
import type { OpeningHours } from '../registry/opening-hours.ts';
import type { Subsite } from '../registry/subsite.ts';
import type { NotOffered } from './not-offered.ts';
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
  /** Price as people read it, for example “From $35 per day”. */
  price?: string;
  /** Where the service is given or the item is. */
  area?: string;
  hours?: OpeningHours;
  phone?: string;
  /** What can be asked of a subsite: title and path of the form. */
  requests?: readonly { title: string; path: string }[];
}

/** The index as the front page loads it. */
export interface ServiceDocument {
  places: readonly string[];
  synonyms: Synonyms;
  notOffered: readonly NotOffered[];
  /** IANA time zone of the hours. */
  timeZone: string;
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
}: Pick<ServiceDocument, 'places' | 'synonyms' | 'words' | 'index'>): ServiceIndex => ({
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
