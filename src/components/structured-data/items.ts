import type { Article, Event, Organization, Person, Product, Thing } from 'schema-dts';
import type { Catalog, Item } from '../../registry/catalog.ts';
import { itemPath } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import type { Subsite } from '../../registry/subsite.ts';
import { attributeInWords } from '../../site/words.ts';
import { offer } from './offers.ts';

type ItemNode = Product | Article | Event | Person | Exclude<Thing, string>;

const availability = {
  available: 'InStock',
  sold: 'SoldOut',
  upcoming: 'PreOrder',
  past: 'Discontinued',
} as const;

const properties = (item: Item) =>
  Object.entries(item.attributes ?? {}).map(([name, given]) => {
    const { label, value } = attributeInWords(name, given);
    return { '@type': 'PropertyValue' as const, name: label, value };
  });

/** Organisation of the network, by reference. */
export const organizationId = (site: Site) => `${site.base}/#organization`;

/** The node of an item, of the type that its catalog names. */
export function itemNode(site: Site, subsite: Subsite, catalog: Catalog, item: Item): ItemNode {
  const url = `${site.base}${itemPath(catalog, item) ?? `${subsite.url}#${item.id}`}`;
  const common = { '@id': url, name: item.title, description: item.summary, url };
  const seller: Organization = {
    '@type': 'Organization',
    '@id': organizationId(site),
    name: site.registry.network.organization.name,
  };
  const offers = item.price && {
    ...offer(item.price, url),
    availability: `https://schema.org/${availability[item.status ?? 'available']}` as const,
    seller,
  };
  switch (catalog.schemaType) {
    case 'Product':
      return {
        '@type': 'Product',
        ...common,
        sku: item.id,
        ...(offers && { offers }),
        additionalProperty: properties(item),
      };
    case 'Article': {
      const day = item.date ?? item.updated ?? subsite.updated;
      return {
        '@type': 'Article',
        ...common,
        headline: item.title,
        datePublished: day,
        dateModified: item.updated ?? day,
        author: seller,
        publisher: seller,
      };
    }
    case 'Event': {
      const { last_day: last } = item.attributes ?? {};
      if (!item.date) return { '@type': 'Thing', ...common };
      return {
        '@type': 'Event',
        ...common,
        startDate: item.date,
        ...(typeof last === 'string' && { endDate: last }),
        ...(item.place && {
          location: { '@type': 'Place', name: item.place, address: item.place },
        }),
        ...(offers && { offers }),
        organizer: seller,
      };
    }
    case 'Person':
      return {
        '@type': 'Person',
        ...common,
        worksFor: seller,
        ...(item.place && { workLocation: { '@type': 'Place', name: item.place } }),
      };
    case 'Thing':
      return { '@type': 'Thing', ...common };
    default:
      return catalog.schemaType satisfies never;
  }
}
