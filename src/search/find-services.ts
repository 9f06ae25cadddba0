import type { AsPlainObject } from 'minisearch';
import type MiniSearch from 'minisearch';
import type { Subsite } from '../registry/subsite.ts';
import { indexOptions, rank } from './ranking.ts';
import type { Ignored } from './terms.ts';

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
  /** What is left out of a question, see `ignoredNames`. */
  ignored: string[][];
  index: AsPlainObject;
}

/** How the index of services is made and read. */
export const serviceOptions = { ...indexOptions, storeFields: ['entry', 'weight'] };

/** An entry that was found, with the relative score of the ranking. */
export interface FoundService {
  entry: ServiceEntry;
  score: number;
}

/** Services, requests and items for words as people write them, the nearest first. */
export function findServices(
  index: MiniSearch,
  words: string,
  {
    keep,
    ...options
  }: {
    ignored: Ignored;
    keep?: (entry: ServiceEntry) => boolean;
    typing?: boolean;
  },
): FoundService[] {
  return rank(index, words, {
    ...options,
    ...(keep && { keep: (result) => keep(result['entry'] as ServiceEntry) }),
  }).map(({ stored, score }) => ({ entry: stored['entry'] as ServiceEntry, score }));
}
