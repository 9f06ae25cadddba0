import { memoize } from '../../site/memoize.ts';
import { type Registry, sortByRank } from '../../site/registry.ts';
import type { Subsite } from '../../registry/subsite.ts';

/** Maximum number of subsite links in a footer; the rest are on the front page. */
const MAX_FOOTER_SUBSITES = 6;

/** The highest-ranked public subsites about the network itself, for every footer. */
export const listFooterSubsites = memoize((registry: Registry): readonly Subsite[] =>
  sortByRank(registry.subsites)
    .filter(({ category, status }) => category === 'misc' && status === 'public')
    .slice(0, MAX_FOOTER_SUBSITES),
);
