import type { Graph, ListItem, Thing } from 'schema-dts';
import type { Catalog } from '../../registry/catalog.ts';
import type { Site } from '../../site/site.ts';
import type { Subsite } from '../../registry/subsite.ts';
import { potentialActions } from './actions.ts';
import { itemNode, organizationId } from './items.ts';
import { offer } from './offers.ts';

const reference = (id: string) => ({ '@id': id });

const listItems = (site: Site, subsite: Subsite, catalog: Catalog): ListItem[] =>
  catalog.items.map((item, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    item: itemNode(site, subsite, catalog, item) as Exclude<Thing, string>,
  }));

/** What a schema.org type says beside name and description; only what the type has. */
function typed(site: Site, subsite: Subsite, catalog: Catalog | undefined) {
  const url = `${site.base}${subsite.url}`;
  const { network } = site.registry;
  const offers = subsite.pricing?.map((price) => offer(price, url));
  const area = subsite.serviceArea && { areaServed: subsite.serviceArea };
  const open = subsite.hours?.map(({ days, opens, closes }) => ({
    '@type': 'OpeningHoursSpecification' as const,
    dayOfWeek: days.map((day) => `https://schema.org/${day}` as const),
    opens,
    closes,
  }));
  switch (subsite.schemaType) {
    case 'LocalBusiness':
      return {
        ...area,
        parentOrganization: reference(organizationId(site)),
        address: {
          '@type': 'PostalAddress',
          addressLocality: network.organization.locality,
          addressRegion: network.organization.region,
          addressCountry: network.organization.country,
        },
        telephone: subsite.phone ?? network.organization.phone,
        email: network.organization.email,
        ...(open && { openingHoursSpecification: open }),
        ...(offers && { makesOffer: offers }),
      };
    case 'Organization':
      return { ...area, parentOrganization: reference(organizationId(site)) };
    case 'Service':
      return {
        ...area,
        provider: reference(organizationId(site)),
        ...(open && { hoursAvailable: open }),
        ...(offers && { offers }),
      };
    case 'SoftwareApplication':
      return {
        applicationCategory: 'BusinessApplication',
        operatingSystem: 'Web',
        provider: reference(organizationId(site)),
        ...(offers && { offers }),
      };
    case 'ItemList':
      return catalog
        ? {
            numberOfItems: catalog.items.length,
            itemListElement: listItems(site, subsite, catalog),
          }
        : {};
    case 'Article':
      return {
        headline: subsite.title,
        dateModified: subsite.updated,
        author: reference(organizationId(site)),
      };
    case 'WebPage':
      return { dateModified: subsite.updated, isPartOf: reference(websiteId(site)) };
    default:
      return subsite.schemaType satisfies never;
  }
}

/** The graph of a subsite’s page, or undefined where its record asks for none. */
export function subsiteGraph(site: Site, subsite: Subsite): Graph | undefined {
  if (subsite.skipJsonLd) return undefined;
  const url = `${site.base}${subsite.url}`;
  const catalog = site.registry.catalogs[subsite.name];
  const actions = potentialActions(site, subsite);
  const node = {
    '@type': subsite.schemaType,
    '@id': `${url}#${subsite.name}`,
    name: subsite.title,
    description: subsite.purpose,
    url,
    ...(subsite.keywords && { keywords: subsite.keywords.join(', ') }),
    ...typed(site, subsite, catalog),
    ...(actions.length && { potentialAction: actions }),
  };
  const list =
    catalog && subsite.schemaType !== 'ItemList'
      ? [
          {
            '@type': 'ItemList',
            name: catalog.title,
            numberOfItems: catalog.items.length,
            itemListElement: listItems(site, subsite, catalog),
          },
        ]
      : [];
  return {
    '@context': 'https://schema.org',
    '@graph': [
      node,
      ...list,
      ...(subsite.schemaType === 'WebPage' ? [websiteNode(site)] : []),
      organizationNode(site),
    ] as Graph['@graph'],
  };
}

/** The network as a whole, by reference. */
export const websiteId = ({ base }: Site) => `${base}/#website`;

/** The network as a whole. */
export function websiteNode(site: Site): Exclude<Thing, string> {
  const { name, description } = site.registry.network;
  return {
    '@type': 'WebSite',
    '@id': websiteId(site),
    url: `${site.base}/`,
    name,
    description,
    publisher: reference(organizationId(site)),
  };
}

/** The operator of the network. */
export function organizationNode(site: Site): Exclude<Thing, string> {
  const { name, email, phone, locality, region, country } = site.registry.network.organization;
  return {
    '@type': 'Organization',
    '@id': organizationId(site),
    name,
    url: `${site.base}/`,
    email,
    telephone: phone,
    address: {
      '@type': 'PostalAddress',
      addressLocality: locality,
      addressRegion: region,
      addressCountry: country,
    },
  };
}
