import { memoize } from './memoize.ts';
import type { Registry } from './registry.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';

const mapSubsitesByUrl = memoize(
  ({ subsites }: Registry) => new Map(subsites.map((subsite) => [subsite.url, subsite])),
);

/** Finds the nearest subsite above a page's path; undefined if there is none. */
export function findSubsiteAbove(registry: Registry, path: string): Subsite | undefined {
  const known = mapSubsitesByUrl(registry);
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    const subsite = known.get(path.slice(0, slash));
    if (subsite) return subsite;
  }
  return undefined;
}
