import type { Item } from '../../registry/schemas/catalog.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import type { Registry } from '../registry.ts';
import { fill } from '../../text/fill.ts';
import { recordWords } from '../../text/index.ts';
import { capitalize } from './words.ts';

/** Maximum length of a title, because search engines cut off longer ones. */
const MAX_TITLE_LENGTH = 60;

/**
 * Finds the first of the network's places that a text mentions; if two start at the same position,
 * the longer one.
 */
function findPlace(text: string, { network }: Registry): string | undefined {
  const [first] = network.search.places
    .filter((place) => text.includes(place))
    .toSorted((a, b) => text.indexOf(a) - text.indexOf(b) || b.length - a.length);
  return first;
}

/**
 * Creates the title of a service or item page for search results, which says what and where it is,
 * such as “Bayline Trailers · Trailer rental in St. Petersburg”; undefined if the records lack this
 * information or the title would be too long.
 */
export function createDocumentTitle(
  { title, subsite, item }: { title: string; subsite: Subsite; item?: Item },
  registry: Registry,
): string | undefined {
  const { keywords: [kind] = [], serviceArea = '', address, category } = subsite;
  const place = findPlace(item?.place ?? address?.town ?? serviceArea, registry);
  if (category !== 'product' || kind === undefined || place === undefined) return undefined;
  const titleNamesKind = title.toLowerCase().includes(kind.toLowerCase());
  return [
    ...(titleNamesKind
      ? []
      : [
          `${title} · ${fill(recordWords.kindInPlace, { kind: capitalize(kind), place })}`,
          `${title} · ${capitalize(kind)}`,
        ]),
    `${title} · ${place}`,
  ].find(({ length }) => length <= MAX_TITLE_LENGTH);
}
