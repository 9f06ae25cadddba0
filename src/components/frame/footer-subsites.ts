import { memoize } from '../../site/memoize.ts';
import { type Registry, sortByRank } from '../../site/registry.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';

/** Maximum number of links to misc subsites in a footer; the rest are on the front page. */
const MAX_FOOTER_SUBSITES = 6;

/**
 * The subsites about the network itself, for every footer: who runs it, and the highest-ranked
 * public ones of their category.
 */
export const listFooterSubsites = memoize((registry: Registry): readonly Subsite[] => {
  const subsites = sortByRank(registry.subsites).filter(({ status }) => status === 'public');
  const isOrganization = ({ schemaType }: Subsite): boolean => schemaType === 'Organization';
  return [
    ...subsites.filter(isOrganization),
    ...subsites
      .filter((subsite) => subsite.category === 'misc' && !isOrganization(subsite))
      .slice(0, MAX_FOOTER_SUBSITES),
  ];
});
