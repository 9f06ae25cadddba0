import type { Article, Event, Organization, Person, Product, Thing } from 'schema-dts';
import type { Catalog, Item } from '../../registry/schemas/catalog.ts';
import { itemPath } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import type { Image } from '../../registry/schemas/image.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { formatAttribute } from '../../site/words/words.ts';
import { fallbackPictureOf } from '../../site/pictures.ts';
import { createOfferNode } from './offers.ts';
import { toTimeOnDay } from '../../site/calendar/days.ts';

type ItemNode = Product | Article | Event | Person | Exclude<Thing, string>;

const availability = {
  available: 'InStock',
  sold: 'SoldOut',
  upcoming: 'PreOrder',
  past: 'Discontinued',
} as const;

const conditions: Readonly<Record<string, 'New' | 'Used' | 'Damaged'>> = {
  new: 'New',
  like_new: 'Used',
  good: 'Used',
  fair: 'Used',
  for_parts: 'Damaged',
};

/** The condition of an item in schema.org terms; empty if the record has none. */
function conditionPropertiesOf({ attributes }: Item) {
  const condition = conditions[String(attributes?.['condition'])];
  return condition && ({ itemCondition: `https://schema.org/${condition}Condition` } as const);
}

/** An offset from UTC in ms as ±HH:MM. */
const formatOffset = (ms: number): string =>
  `${ms < 0 ? '-' : '+'}${new Date(Math.abs(ms)).toISOString().slice(11, 16)}`;

/** A date in ISO 8601, with the time and UTC offset if the record has a time HH:MM. */
function toDateTime(day: string, time: unknown, timeZone: string): string {
  if (typeof time !== 'string' || !/^\d{2}:\d{2}$/.test(time)) return day;
  const localDateTime = `${day}T${time}:00`;
  const offset = Date.parse(`${localDateTime}Z`) - toTimeOnDay(timeZone, day, time).getTime();
  return `${localDateTime}${formatOffset(offset)}`;
}

const createItemProperties = (item: Item) =>
  Object.entries(item.attributes ?? {}).map(([name, attributeValue]) => {
    const { label, value } = formatAttribute(name, attributeValue);
    return { '@type': 'PropertyValue' as const, name: label, value };
  });

/** A reference to the network's organization. */
export const organizationIdOf = (site: Site) => `${site.base}/#organization`;

/** A record's photograph in schema.org terms; empty if the record has none. */
export const imagePropertiesOf = ({ base }: Site, { image }: { image?: Image | undefined }) =>
  image && { image: `${base}${fallbackPictureOf(image).path}` };

/** The start of an event, and the end if known. */
function eventTimesOf(day: string, { attributes = {} }: Item, timeZone: string) {
  const { last_day: last, opens, closes } = attributes;
  return {
    startDate: toDateTime(day, opens, timeZone),
    ...((typeof last === 'string' || closes !== undefined) && {
      endDate: toDateTime(typeof last === 'string' ? last : day, closes, timeZone),
    }),
  };
}

/** The node of an item, with its catalog's type. */
export function createItemNode(
  site: Site,
  subsite: Subsite,
  catalog: Catalog,
  item: Item,
): ItemNode {
  const url = `${site.base}${itemPath(catalog, item) ?? `${subsite.url}#${item.id}`}`;
  const commonProperties = {
    '@id': url,
    name: item.title,
    description: item.summary,
    url,
    ...imagePropertiesOf(site, item),
  };
  const seller: Organization = {
    '@type': 'Organization',
    '@id': organizationIdOf(site),
    name: site.registry.network.organization.name,
  };
  const offers = item.price && {
    ...createOfferNode(item.price, url, { '@id': url }),
    availability: `https://schema.org/${availability[item.status ?? 'available']}` as const,
    ...conditionPropertiesOf(item),
    seller,
  };
  switch (catalog.schemaType) {
    case 'Product':
      return {
        '@type': 'Product',
        ...commonProperties,
        sku: item.id,
        ...conditionPropertiesOf(item),
        ...(offers && { offers }),
        additionalProperty: createItemProperties(item),
      };
    case 'Article': {
      const day = item.date ?? item.updated ?? subsite.updated;
      return {
        '@type': 'Article',
        ...commonProperties,
        headline: item.title,
        datePublished: day,
        dateModified: item.updated ?? day,
        author: seller,
        publisher: seller,
      };
    }
    case 'Event':
      if (!item.date) return { '@type': 'Thing', ...commonProperties };
      return {
        '@type': 'Event',
        ...commonProperties,
        ...eventTimesOf(item.date, item, site.registry.network.timeZone),
        ...(item.place && {
          location: { '@type': 'Place', name: item.place, address: item.place },
        }),
        ...(offers && { offers }),
        organizer: seller,
      };
    case 'Person':
      return {
        '@type': 'Person',
        ...commonProperties,
        worksFor: seller,
        ...(item.place && { workLocation: { '@type': 'Place', name: item.place } }),
      };
    case 'Thing':
      return { '@type': 'Thing', ...commonProperties };
    default:
      return catalog.schemaType satisfies never;
  }
}
