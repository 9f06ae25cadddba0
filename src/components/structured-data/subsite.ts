import type { Graph, ListItem, Thing } from 'schema-dts';
import type { Catalog } from '../../registry/schemas/catalog.ts';
import type { OpeningHours } from '../../registry/schemas/opening-hours.ts';
import type { Site } from '../../site/site.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { createPotentialActions } from './actions.ts';
import { imagePropertiesOf, createItemNode, organizationIdOf } from './items.ts';
import { listUpcomingClosedDates } from '../../site/calendar/closed-dates.ts';
import { lastChangeOf } from '../../site/registry.ts';
import { phoneOf } from '../../site/phone.ts';
import { capitalize } from '../../site/words/words.ts';
import { createOfferNode } from './offers.ts';

/** A JSON-LD document of these nodes. */
export const createGraph = (...nodes: unknown[]): Graph => ({
  '@context': 'https://schema.org',
  '@graph': nodes as Graph['@graph'],
});

const createReference = (id: string) => ({ '@id': id });
const operatorOf = (site: Site) => createReference(organizationIdOf(site));
const nodeIdOf = ({ base }: Site, { url, name }: Subsite): string => `${base}${url}#${name}`;

const createListProperties = (site: Site, subsite: Subsite, catalog: Catalog) => ({
  numberOfItems: catalog.items.length,
  itemListElement: catalog.items.map((item, index): ListItem => ({
    '@type': 'ListItem',
    position: index + 1,
    item: createItemNode(site, subsite, catalog, item) as Exclude<Thing, string>,
  })),
});

const logoOf = ({ base }: Site): string => `${base}/apple-touch-icon.png`;

/** The street address of a subsite, or the network's town if it has none. */
function addressOf(site: Site, subsite?: Subsite) {
  const { locality, region, country } = site.registry.network.organization;
  const address = subsite?.address;
  return {
    '@type': 'PostalAddress' as const,
    ...(address && { streetAddress: address.street }),
    addressLocality: address?.town ?? locality,
    addressRegion: address?.state ?? region,
    ...(address && { postalCode: address.zip }),
    addressCountry: address ? 'US' : country,
  };
}

const createOpeningHours = (hours: OpeningHours | undefined) =>
  hours?.map(({ days, opens, closes }) => ({
    '@type': 'OpeningHoursSpecification' as const,
    dayOfWeek: days.map((day) => `https://schema.org/${day}` as const),
    opens,
    closes,
  }));

const createClosedDays = (site: Site, subsite: Subsite) =>
  listUpcomingClosedDates(site, subsite).map((day) => ({
    '@type': 'OpeningHoursSpecification' as const,
    opens: '00:00',
    closes: '00:00',
    validFrom: day,
    validThrough: day,
  }));

const areaPropertiesOf = ({ serviceArea }: Subsite) => serviceArea && { areaServed: serviceArea };
const keywordPropertiesOf = ({ keywords }: Subsite) =>
  keywords && { keywords: keywords.join(', ') };

/** Properties of a business other than its name. */
function createBusinessProperties(site: Site, subsite: Subsite) {
  const { email } = site.registry.network.organization;
  const open = createOpeningHours(subsite.hours);
  const closedDays = createClosedDays(site, subsite);
  return {
    ...areaPropertiesOf(subsite),
    ...keywordPropertiesOf(subsite),
    parentOrganization: operatorOf(site),
    address: addressOf(site, subsite),
    telephone: phoneOf(subsite, site.registry),
    email,
    logo: logoOf(site),
    ...(subsite.since !== undefined && { foundingDate: String(subsite.since) }),
    ...(subsite.credentials && {
      hasCredential: subsite.credentials.map(({ kind, text, issuer, number }) => ({
        '@type': 'EducationalOccupationalCredential' as const,
        name: text,
        credentialCategory: kind,
        ...(number !== undefined && { identifier: number }),
        ...(issuer !== undefined && {
          recognizedBy: { '@type': 'Organization' as const, name: issuer },
        }),
      })),
    }),
    ...(open && { openingHoursSpecification: open }),
    ...(closedDays.length && { specialOpeningHoursSpecification: closedDays }),
  };
}

const hasOwnBusiness = ({ businessType, schemaType }: Subsite): boolean =>
  businessType !== undefined && schemaType !== 'LocalBusiness';
const businessIdOf = ({ base }: Site, { url }: Subsite): string => `${base}${url}#business`;

/**
 * The business described on a page that has another type; empty if the record has no business type.
 */
const createServiceBusinesses = (site: Site, subsite: Subsite) =>
  hasOwnBusiness(subsite)
    ? [
        {
          '@type': subsite.businessType,
          '@id': businessIdOf(site, subsite),
          name: subsite.title,
          url: `${site.base}${subsite.url}`,
          ...createBusinessProperties(site, subsite),
        },
      ]
    : [];

/** Properties of a schema.org type other than name and description. */
function createTypeProperties(site: Site, subsite: Subsite, catalog: Catalog | undefined) {
  const url = `${site.base}${subsite.url}`;
  const createOffers = (itemOffered?: { '@id': string }) =>
    subsite.pricing?.map((price) =>
      createOfferNode(
        price,
        url,
        itemOffered ?? { '@type': 'Service', name: capitalize(price.unit) },
      ),
    );
  const open = createOpeningHours(subsite.hours);
  switch (subsite.schemaType) {
    case 'LocalBusiness': {
      const offers = createOffers();
      return { ...createBusinessProperties(site, subsite), ...(offers && { makesOffer: offers }) };
    }
    case 'Organization':
      return {
        ...areaPropertiesOf(subsite),
        ...keywordPropertiesOf(subsite),
        parentOrganization: operatorOf(site),
      };
    case 'Service': {
      const offers = createOffers(createReference(nodeIdOf(site, subsite)));
      return {
        ...areaPropertiesOf(subsite),
        provider: createReference(
          hasOwnBusiness(subsite) ? businessIdOf(site, subsite) : organizationIdOf(site),
        ),
        ...(!hasOwnBusiness(subsite) &&
          subsite.phone !== undefined && {
            availableChannel: {
              '@type': 'ServiceChannel' as const,
              servicePhone: { '@type': 'ContactPoint' as const, telephone: subsite.phone },
            },
          }),
        ...(open && { hoursAvailable: [...open, ...createClosedDays(site, subsite)] }),
        ...(offers && { offers }),
      };
    }
    case 'SoftwareApplication': {
      const offers = createOffers(createReference(nodeIdOf(site, subsite)));
      return {
        ...keywordPropertiesOf(subsite),
        applicationCategory: 'BusinessApplication',
        operatingSystem: 'Web',
        provider: operatorOf(site),
        ...(offers && { offers }),
      };
    }
    case 'ItemList':
      return catalog && createListProperties(site, subsite, catalog);
    case 'Article':
      return {
        ...keywordPropertiesOf(subsite),
        headline: subsite.title,
        dateModified: lastChangeOf(site.registry, subsite),
        author: operatorOf(site),
      };
    case 'WebPage':
      return {
        ...keywordPropertiesOf(subsite),
        dateModified: lastChangeOf(site.registry, subsite),
        isPartOf: createReference(websiteIdOf(site)),
      };
    default:
      return subsite.schemaType satisfies never;
  }
}

/** The graph of a subsite’s page, or undefined if its record opts out. */
export function createSubsiteGraph(site: Site, subsite: Subsite): Graph | undefined {
  if (subsite.skipJsonLd) return undefined;
  const url = `${site.base}${subsite.url}`;
  const catalog = site.registry.catalogs[subsite.name];
  const actions = createPotentialActions(site, subsite);
  const node = {
    '@type': (subsite.schemaType === 'LocalBusiness' && subsite.businessType) || subsite.schemaType,
    '@id': nodeIdOf(site, subsite),
    name: subsite.title,
    description: subsite.purpose,
    url,
    ...imagePropertiesOf(site, subsite),
    ...createTypeProperties(site, subsite, catalog),
    ...(actions.length && { potentialAction: actions }),
  };
  const list =
    catalog && subsite.schemaType !== 'ItemList'
      ? [
          {
            '@type': 'ItemList',
            name: catalog.title,
            ...createListProperties(site, subsite, catalog),
          },
        ]
      : [];
  return createGraph(
    node,
    ...createServiceBusinesses(site, subsite),
    ...list,
    ...(subsite.schemaType === 'WebPage' ? [createWebsiteNode(site)] : []),
    createOrganizationNode(site),
  );
}

/** A reference to the network as a whole. */
export const websiteIdOf = ({ base }: Site) => `${base}/#website`;

/** The network as a whole. */
export function createWebsiteNode(site: Site): Exclude<Thing, string> {
  const { name, description } = site.registry.network;
  return {
    '@type': 'WebSite',
    '@id': websiteIdOf(site),
    url: `${site.base}/`,
    name,
    description,
    publisher: operatorOf(site),
  };
}

/** The operator of the network. */
export function createOrganizationNode(site: Site): Exclude<Thing, string> {
  const { name, email, phone, hours } = site.registry.network.organization;
  const hoursAvailable = createOpeningHours(hours);
  return {
    '@type': 'Organization',
    '@id': organizationIdOf(site),
    name,
    url: `${site.base}/`,
    email,
    telephone: phone,
    ...(hoursAvailable && {
      contactPoint: { '@type': 'ContactPoint', telephone: phone, email, hoursAvailable },
    }),
    logo: logoOf(site),
    address: addressOf(site),
  };
}
