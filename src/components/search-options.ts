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
}

/** An entry of the index with the words that it is found by beside its text. */
export type Searched = Found & { words: string };

/** How the index is made and read: both ends must agree. */
export const searchOptions: Options<Searched> = {
  fields: ['title', 'text', 'words'],
  storeFields: ['title', 'text', 'path', 'kind', 'category'],
  searchOptions: { boost: { title: 4, words: 2 }, prefix: (term) => term.length > 1, fuzzy: (term) => (term.length > 4 ? 0.2 : false), combineWith: 'AND' },
};
