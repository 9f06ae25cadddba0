import { feedPaths, hasFeed } from '../site/feeds.ts';
import { memoize } from '../site/memoize.ts';
import { editDistance } from '../site/corrections/similar-names.ts';
import { pagesOfSite } from '../site/pages-of-site.ts';
import { findSubsite } from '../site/registry.ts';
import type { Site } from '../site/site.ts';

const MAX_SUGGESTIONS = 3;

const pathsOf = memoize((site: Site) => pagesOfSite(site).map(({ path }) => path));

/** The path of the page itself: decoded, without query and fragment, not its Markdown version. */
function toPagePath(path: string): string {
  const route = path.replace(/[?#].*$/su, '');
  return decodeURIComponent(route).replace(/\.md$/, '');
}

/**
 * Notice that a share link points to a page that its subsite does not have, with the most similar
 * existing pages; undefined if the page exists.
 */
export function createMissingPageNotice(
  path: string,
  name: string,
  site: Site,
): string | undefined {
  const subsite = findSubsite(site.registry, name)!;
  const { url } = subsite;
  const { links, catalogs } = site.registry;
  const page = toPagePath(path);
  const pages = [
    ...pathsOf(site),
    ...(hasFeed(subsite, catalogs[name]) ? Object.values(feedPaths(subsite)) : []),
    ...links.map(({ slug }) => `/go/${slug}`),
  ].filter((other) => other === url || other.startsWith(`${url}/`));
  if (pages.includes(page)) return undefined;
  const nearestPages = pages
    .map((other) => ({ other, distance: editDistance(page, other) }))
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS);
  return `This subsite has no page at this path now, so the link leads to an error page. Existing pages: ${nearestPages.map(({ other }) => other).join(', ')}.`;
}
