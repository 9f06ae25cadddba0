import type { Graph } from 'schema-dts';
import type { Site } from '../../site/site.ts';
import type { SitePage } from '../../site/pages-of-site.ts';
import { createItemNode } from './items.ts';
import {
  createOrganizationNode,
  createSubsiteGraph,
  websiteIdOf,
  createWebsiteNode,
} from './subsite.ts';

const createGraph = (...nodes: unknown[]): Graph => ({
  '@context': 'https://schema.org',
  '@graph': nodes as unknown as Graph['@graph'],
});

/**
 * The JSON-LD graph of a page (one `@graph` of schema.org types); undefined if the page has none.
 */
export function createPageGraph(site: Site, page: SitePage): Graph | undefined {
  const { base } = site;
  const url = `${base}${page.path}`;
  const website = createWebsiteNode(site);
  const webPage = {
    '@type': 'WebPage',
    '@id': url,
    url,
    name: page.title,
    description: page.description,
    dateModified: page.lastmod,
    isPartOf: { '@id': websiteIdOf(site) },
  };
  switch (page.kind) {
    case 'front':
      return createGraph(website, createOrganizationNode(site));
    case 'subsite':
      return createSubsiteGraph(site, page.subsite);
    case 'item':
      if (page.subsite.skipJsonLd) return undefined;
      return createGraph(
        createItemNode(site, page.subsite, page.catalog, page.item),
        createBreadcrumbs(site, [page.subsite.title, page.subsite.url], [page.title, page.path]),
        createOrganizationNode(site),
      );
    case 'page':
    case 'agentArea':
    case 'apiReference':
    case 'guide':
    case 'capability':
    case 'problem':
      return createGraph(webPage, website, createOrganizationNode(site));
    default:
      return page satisfies never;
  }
}

function createBreadcrumbs(
  site: Site,
  ...steps: readonly (readonly [name: string, path: string])[]
) {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${site.base}${path}`,
    })),
  };
}
