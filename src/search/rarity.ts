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

/**
 * Rarity of each term of an index: its inverse document frequency, over all fields, relative to the
 * logarithm of the number of entries.
 */
export function rarityOf({ index, documentCount }: AsPlainObject): (term: string) => number {
  const rarityFor = (entries: number) =>
    Math.log(1 + (documentCount - entries + 0.5) / (entries + 0.5)) / Math.log(documentCount + 1);
  const rarities = new Map(index.map(([term, fields]) => [term, rarityFor(entriesWith(fields))]));
  const unknown = rarityFor(0);
  return (term) => rarities.get(term) ?? unknown;
}
