import MiniSearch from 'minisearch';
import { indexOptions, rank, type RankOptions } from './ranking.ts';
import type { Searchable } from './searchable.ts';

/** An entry that was found, with the relative score of the ranking. */
export interface Found<Entry> {
  entry: Entry;
  score: number;
}

/** Entries that are found by words. */
export interface TextIndex<Entry> {
  /** Entries by nearness. */
  search: (
    question: string,
    options?: Pick<RankOptions, 'ignored'> & { keep?: (entry: Entry) => boolean },
  ) => Found<Entry>[];
}

/** An index over entries in memory. */
export function textIndex<Entry>(
  entries: readonly Entry[],
  searchableOf: (entry: Entry) => Searchable,
): TextIndex<Entry> {
  const index = new MiniSearch(indexOptions);
  index.addAll(entries.map((entry, id) => ({ ...searchableOf(entry), id })));
  return {
    search: (question, { keep, ...options } = {}) =>
      rank(index, question, {
        ...options,
        ...(keep && { keep: ({ id }) => keep(entries[id as number]!) }),
      }).map(({ id, score }) => ({ entry: entries[id]!, score })),
  };
}
