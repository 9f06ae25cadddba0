import { type CapabilityRecord, capabilitiesOf, capabilityPath } from './capability-record.ts';
import type { Catalog, Item } from '../registry/schemas/catalog.ts';
import type { Page } from '../registry/schemas/network.ts';
import { type DeveloperGuide, createDeveloperGuides } from './developer/developer-guides.ts';
import { memoize } from './memoize.ts';
import { problemCodes } from './problem-codes.ts';
import {
  findLastChange,
  findLatestDay,
  findSubsite,
  itemPath,
  itemsOfPage,
  lastChangeOf,
  type Registry,
} from './registry.ts';
import type { Site } from './site.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';

interface PageInfo {
  /** Site-relative path, no trailing slash; `/` is the front page. */
  path: string;
  title: string;
  /** One sentence. */
  description: string;
  /** Date of the last change, YYYY-MM-DD. */
  lastmod: string;
  /** False for subsites with accounts or `skipSitemap`, and for problem pages. */
  indexable: boolean;
}

/** An HTML page of the network, with the record that it shows. */
export type SitePage = PageInfo &
  (
    | { kind: 'front'; page?: Page }
    | { kind: 'subsite'; subsite: Subsite }
    | { kind: 'page'; page: Page }
    | { kind: 'item'; subsite: Subsite; catalog: Catalog; item: Item }
    | { kind: 'agentArea'; page?: Page }
    | { kind: 'apiReference' }
    | { kind: 'guide'; guide: DeveloperGuide }
    | { kind: 'capability'; capability: CapabilityRecord }
    | { kind: 'problem'; code: string; status: number }
  );

function findNewestChange({ subsites, pages, catalogs }: Registry): string {
  return findLatestDay([
    ...subsites.map((subsite) => subsite.updated),
    ...pages.map((page) => page.updated),
    ...Object.values(catalogs).flatMap((catalog) =>
      catalog.items.flatMap((item) => item.updated ?? []),
    ),
  ]);
}

/** True if search engines may list the pages of a subsite. */
export const isListed = (subsite: Subsite | undefined): boolean =>
  subsite?.status !== 'auth' && !subsite?.skipSitemap;

function* listItemPages(registry: Registry, subsite: Subsite): Generator<SitePage> {
  const catalog = registry.catalogs[subsite.name];
  if (!catalog?.route) return;
  for (const item of catalog.items)
    yield {
      kind: 'item',
      path: itemPath(catalog, item)!,
      title: item.title,
      description: item.summary,
      // The date of any other item, such as an event, does not say when its page changed.
      lastmod:
        item.updated ??
        (catalog.schemaType === 'Article' ? item.date : undefined) ??
        subsite.updated,
      indexable: isListed(subsite),
      subsite,
      catalog,
      item,
    };
}

/** Path of a guide in the developer area. */
export const guidePath = ({ network }: Registry, { slug }: Pick<DeveloperGuide, 'slug'>): string =>
  `${network.agentArea}/${slug}`;

const toPageInfo = (registry: Registry, page: Page): PageInfo => ({
  path: page.path,
  title: page.title,
  description: page.description,
  lastmod: findLastChange(page, itemsOfPage(registry, page)),
  indexable: true,
});

/** Yields the front page, the subsites with their items, and the other Markdown pages. */
function* listContentPages(registry: Registry, newestDay: string): Generator<SitePage> {
  const { network, subsites } = registry;
  const frontPage = registry.pages.find(({ path }) => path === '/');
  yield {
    kind: 'front',
    path: '/',
    title: frontPage?.title ?? network.name,
    description: frontPage?.description ?? network.description,
    lastmod: newestDay,
    indexable: true,
    ...(frontPage && { page: frontPage }),
  };
  for (const subsite of subsites) {
    const { title, purpose, url } = subsite;
    yield {
      kind: 'subsite',
      path: url,
      title,
      description: purpose,
      lastmod: lastChangeOf(registry, subsite),
      indexable: isListed(subsite),
      subsite,
    };
    yield* listItemPages(registry, subsite);
  }
  for (const page of registry.pages)
    if (page.path !== '/' && page.path !== network.agentArea)
      yield { kind: 'page', ...toPageInfo(registry, page), page };
}

/**
 * Yields the pages of the agent services area: its front page, the API reference, the guides and
 * the capabilities.
 */
function* listAgentPages(site: Site, newestDay: string): Generator<SitePage> {
  const { registry, base } = site;
  const { network } = registry;
  const area = registry.pages.find(({ path }) => path === network.agentArea);
  yield area
    ? { kind: 'agentArea', ...toPageInfo(registry, area), lastmod: newestDay, page: area }
    : {
        kind: 'agentArea',
        path: network.agentArea,
        title: 'Agent services',
        description: `How software agents use ${network.name}.`,
        lastmod: newestDay,
        indexable: true,
      };
  yield {
    kind: 'apiReference',
    path: `${network.agentArea}/api`,
    title: 'API reference',
    description: `The endpoints and documents of ${network.name}, generated from the OpenAPI description.`,
    lastmod: newestDay,
    indexable: true,
  };
  for (const guide of createDeveloperGuides(site))
    yield {
      kind: 'guide',
      path: guidePath(registry, guide),
      title: guide.title,
      description: guide.description,
      lastmod: newestDay,
      indexable: true,
      guide,
    };
  for (const capability of capabilitiesOf(registry, base)) {
    const subsite = findSubsite(registry, capability.subsite ?? '');
    yield {
      kind: 'capability',
      path: capabilityPath(registry, capability.id),
      title: capability.title,
      description: capability.description,
      lastmod: subsite?.updated ?? newestDay,
      indexable: isListed(subsite),
      capability,
    };
  }
}

const createProblemPages = (lastmod: string): SitePage[] =>
  Object.entries(problemCodes).map(([code, { status, title }]) => ({
    kind: 'problem',
    path: `/problems/${code}`,
    title,
    description: `What the error code ${code} means and what to do about it.`,
    lastmod,
    indexable: false,
    code,
    status,
  }));

/**
 * Lists every prerendered HTML page of the network, by path: the front page, subsites, Markdown
 * pages, items, the agent services area with its guides and the API reference, capabilities and
 * problem codes. The sitemap, llms.txt, the Markdown versions and the pages themselves all use this
 * list.
 */
export const pagesOfSite = memoize((site: Site): readonly SitePage[] => {
  const newestDay = findNewestChange(site.registry);
  return [
    ...listContentPages(site.registry, newestDay),
    ...listAgentPages(site, newestDay),
    ...createProblemPages(newestDay),
  ].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
});
