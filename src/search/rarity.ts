import type { StoredEntry, TermIndex } from './term-index.ts';

/**
 * Rarity of each term in an index: its inverse document frequency, over all fields, relative to the
 * logarithm of the number of entries.
 */
export function createRarityLookup<Entry extends StoredEntry>(
  index: TermIndex<Entry>,
): (term: string) => number {
  const total = index.stored.length;
  return (term) => {
    const count = index.countEntriesWith(term);
    return Math.log(1 + (total - count + 0.5) / (count + 0.5)) / Math.log(total + 1);
  };
}
