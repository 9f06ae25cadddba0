import { findNotOffered } from '../search/not-offered.ts';
import type { Registry } from '../site/registry.ts';
import { placeholdersIn } from './starting-subsite.ts';

/** Finds likely mistakes in a valid registry. Returns sentences with the place. */
export const recordWarnings = ({ network, subsites }: Registry): string[] =>
  subsites.flatMap((subsite) => {
    const place = `subsites/${subsite.name}`;
    const missing = findNotOffered(network.search.notOffered, subsite.title)?.what;
    return [
      ...placeholdersIn(subsite).map(
        (path) =>
          `${place} ${path}: still has the placeholder from npm run new. Replace it with your own text.`,
      ),
      ...(missing === undefined
        ? []
        : [
            `${place} title: has words that search.notOffered in network.yaml lists under “${missing}”. Remove them there, because the network offers the service.`,
          ]),
    ];
  });
