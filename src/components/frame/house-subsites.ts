import { memoize } from '../../site/memoize.ts';
import type { Registry } from '../../site/registry.ts';
import type { Subsite } from '../../registry/subsite.ts';

/** Maximum number of subsite links in a footer; the rest are on the front page. */
const MAX_FOOTER_SUBSITES = 14;

/** The public subsites about houses, which every footer links to. */
export const listFooterSubsites = memoize((registry: Registry): readonly Subsite[] =>
  registry.subsites
    .filter(({ category, status }) => category === 'misc' && status === 'public')
    .slice(0, MAX_FOOTER_SUBSITES),
);
