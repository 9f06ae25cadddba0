import type { Registry } from '../site/registry.ts';
import type { Subsite } from '../registry/subsite.ts';

/** Most links that a footer names; the rest stand on the front page. */
const MOST = 14;

const known = new WeakMap<Registry, readonly Subsite[]>();

/** The open subsites about the house itself, which every footer links to. */
export function houseSubsites(registry: Registry): readonly Subsite[] {
  let house = known.get(registry);
  if (!house)
    known.set(
      registry,
      (house = registry.subsites
        .filter(({ category, status }) => category === 'misc' && status === 'public')
        .slice(0, MOST)),
    );
  return house;
}
