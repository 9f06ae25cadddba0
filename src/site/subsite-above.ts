import type { Registry } from './registry.ts';
import type { Subsite } from '../registry/subsite.ts';

const byUrl = new WeakMap<Registry, Map<string, Subsite>>();

/** The subsite that a page lies below, by its path: the nearest one, or undefined. */
export function subsiteAbove(registry: Registry, path: string): Subsite | undefined {
  let known = byUrl.get(registry);
  if (!known)
    byUrl.set(
      registry,
      (known = new Map(registry.subsites.map((subsite) => [subsite.url, subsite]))),
    );
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const subsite = known.get(path.slice(0, at));
    if (subsite) return subsite;
  }
  return undefined;
}
