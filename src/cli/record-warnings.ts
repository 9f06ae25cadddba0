import { notOfferedIn } from '../search/not-offered.ts';
import type { Registry } from '../site/registry.ts';
import { placeholdersIn } from './starting-subsite.ts';

/** Likely mistakes in a valid registry, one sentence each with the place. */
export const recordWarnings = ({ network, subsites }: Registry): string[] =>
  subsites.flatMap((subsite) => {
    const place = `subsites/${subsite.name}`;
    const missing = notOfferedIn(network.search.notOffered, subsite.title)?.what;
    return [
      ...placeholdersIn(subsite).map(
        (path) =>
          `${place} ${path}: still has the placeholder of npm run new. Write your own text.`,
      ),
      ...(missing === undefined
        ? []
        : [
            `${place} title: has words that search.notOffered of the network lists under “${missing}”. Searches find the service anyway; remove the words there.`,
          ]),
    ];
  });
