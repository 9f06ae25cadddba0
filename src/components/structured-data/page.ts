import type { Graph } from 'schema-dts';
import type { Site } from '../../site/site.ts';
import type { SitePage } from '../../site/pages-of-site.ts';
import { itemNode } from './items.ts';
import { organizationNode, subsiteGraph, websiteId, websiteNode } from './subsite.ts';

const graph = (...nodes: unknown[]): Graph => ({
  '@context': 'https://schema.org',
  '@graph': nodes as unknown as Graph['@graph'],
});

/**
 * The JSON-LD graph of a page (one `@graph` of schema.org types); undefined if the page has none.
 */
export function pageGraph(site: Site, page: SitePage): Graph | undefined {
  const { base } = site;
  const url = `${base}${page.path}`;
  const website = websiteNode(site);
  const webPage = {
    '@type': 'WebPage',
    '@id': url,
    url,
    name: page.title,
    description: page.description,
    dateModified: page.lastmod,
    isPartOf: { '@id': websiteId(site) },
  };
  switch (page.kind) {
    case 'front':
      return graph(website, organizationNode(site));
    case 'subsite':
      return subsiteGraph(site, page.subsite);
    case 'item':
      if (page.subsite.skipJsonLd) return undefined;
      return graph(
        itemNode(site, page.subsite, page.catalog, page.item),
        breadcrumbs(site, [page.subsite.title, page.subsite.url], [page.title, page.path]),
        organizationNode(site),
      );
    case 'page':
    case 'agentArea':
    case 'apiReference':
    case 'guide':
    case 'capability':
    case 'problem':
      return graph(webPage, website, organizationNode(site));
    default:
      return page satisfies never;
  }
}

function breadcrumbs(site: Site, ...steps: readonly (readonly [name: string, path: string])[]) {
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
