import type { Graph } from 'schema-dts';
import type { Site } from '../../site/site.ts';
import type { SitePage } from '../../site/pages-of-site.ts';
import { createItemNode } from './items.ts';
import {
  createGraph,
  createOrganizationNode,
  createSubsiteGraph,
  websiteIdOf,
  createWebsiteNode,
} from './subsite.ts';

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
        {
          '@type': 'BreadcrumbList',
          itemListElement: [
            { name: page.subsite.title, path: page.subsite.url },
            { name: page.title, path: page.path },
          ].map(({ name, path }, index) => ({
            '@type': 'ListItem',
            position: index + 1,
            name,
            item: `${base}${path}`,
          })),
        },
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
