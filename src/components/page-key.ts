import { digestJson, digestPage, digestRecord } from '../site/digest.ts';
import { memoize } from '../site/memoize.ts';
import type { Registry } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import type { SitePage } from '../site/pages-of-site.ts';
import { listFooterSubsites } from './frame/footer-subsites.ts';
import { chooseImageGranularity } from './social-image/choice.ts';
import { findSubsiteAbove } from '../site/subsite-above.ts';

/** Digest of the subsite data in the frame of every page. */
const digestFrame = memoize((registry: Registry) =>
  digestJson([
    chooseImageGranularity(registry),
    listFooterSubsites(registry).map(({ title, url }) => [title, url]),
  ]),
);

/** Digest of all data in a page’s HTML; undefined if that includes the whole network. */
export function computePageKey(site: Site, page: SitePage): string | undefined {
  const text = digestPage(site, page);
  const parentSubsite =
    page.kind === 'page' ? findSubsiteAbove(site.registry, page.path) : undefined;
  return (
    text &&
    digestJson([text, digestFrame(site.registry), parentSubsite && digestRecord(parentSubsite)])
  );
}
