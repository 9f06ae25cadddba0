import type { AsPlainObject } from 'minisearch';

type Fields = AsPlainObject['index'][number][1];

/** Number of entries with a term in any field. */
function entriesWith(fields: Fields): number {
  const [first = {}, ...others] = Object.values(fields);
  const entries = Object.keys(first);
  if (!others.length) return entries.length;
  const all = new Set(entries);
  for (const other of others) for (const entry in other) all.add(entry);
  return all.size;
}

/** The number of entries with each term of a serialized index. */
export const countsIn = ({ index }: AsPlainObject): Map<string, number> =>
  new Map(index.map(([term, fields]) => [term, entriesWith(fields)]));

/**
 * Rarity of each term in an index: its inverse document frequency, over all fields, relative to the
 * logarithm of the number of entries. `counts` has the number of entries with each term.
 */
export function rarityOf(
  counts: ReadonlyMap<string, number>,
  entryCount: number,
): (term: string) => number {
  const rarityFor = (count: number) =>
    Math.log(1 + (entryCount - count + 0.5) / (count + 0.5)) / Math.log(entryCount + 1);
  return (term) => rarityFor(counts.get(term) ?? 0);
}
