import type { Options } from 'minisearch';
import type { Subsite } from '../registry/index.ts';

/** What the search finds. */
export interface Found {
  id: number;
  title: string;
  text: string;
  path: string;
  /** What it is, as a word behind the title. */
  kind: string;
  category: Subsite['category'];
  /** Whether it is a subsite itself, which comes before its requests and items. */
  whole?: true;
}

/** An entry of the index with the words that it is found by beside its text. */
export type Searched = Found & { words: string };

/** How much more a subsite weighs than one of its requests or items. */
const WHOLE = 1.6;

/** How the index is made and read: both ends must agree. */
export const searchOptions: Options<Searched> = {
  fields: ['title', 'text', 'words'],
  storeFields: ['title', 'text', 'path', 'kind', 'category', 'whole'],
  searchOptions: {
    boost: { title: 4, words: 2 },
    boostDocument: (_, __, stored) => (stored!.whole ? WHOLE : 1),
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  },
};
