import type { AsPlainObject } from 'minisearch';

/**
 * How rare each term of an index is: its inverse document frequency, over all fields, relative to the logarithm of the
 * number of entries.
 */
export function rarityOf({ index, documentCount }: AsPlainObject): (term: string) => number {
  const of = (entries: number) =>
    Math.log(1 + (documentCount - entries + 0.5) / (entries + 0.5)) / Math.log(documentCount + 1);
  const rarities = new Map(
    index.map(([term, fields]) => [
      term,
      of(new Set(Object.values(fields).flatMap((entries) => Object.keys(entries))).size),
    ]),
  );
  const unknown = of(0);
  return (term) => rarities.get(term) ?? unknown;
}
