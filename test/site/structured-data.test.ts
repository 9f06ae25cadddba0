import { describe, expect, inject, it } from 'vitest';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { businessTypes } from '../../src/registry/schemas/business-types.ts';
import { listTypesUnder, findVocabularyFaults } from '../setup/schema-org.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { readBuiltHtml } from './built-html.ts';

interface Node {
  '@type': string;
  '@id'?: string;
  [key: string]: unknown;
}

const graphsOf = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, text]) => JSON.parse(text!) as { '@context': string; '@graph': Node[] },
  );

/** All nodes inside a value. */
const nodesOf = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null) return [];
  return [...('@type' in value ? [value as Node] : []), ...Object.values(value).flatMap(nodesOf)];
};

/** All objects with only an `@id`, which refer to other nodes in the graph. */
const referencesOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesOf);
  if (typeof value !== 'object' || value === null) return [];
  return '@id' in value && !('@type' in value)
    ? [String(value['@id'])]
    : Object.values(value).flatMap(referencesOf);
};

describe.each(['mainBuild', 'fourBuild'] as const)('the structured data of %s', (build) => {
  const outDir = inject(build);
  const site = readBuiltSite(outDir);
  const html = new Map(readBuiltHtml(outDir).map((page) => [page.path, page.html]));
  const findGraphs = (path: string) => graphsOf(html.get(path)!);

  it.each(site.registry.subsites.filter(({ url }) => url !== '/'))(
    'contains the record’s content for $name',
    (subsite) => {
      const graphs = findGraphs(subsite.url);
      if (subsite.skipJsonLd) return expect(graphs).toEqual([]);
      expect(graphs).toHaveLength(1);
      const [node] = graphs[0]!['@graph'];
      expect(node).toMatchObject({
        '@type':
          (subsite.schemaType === 'LocalBusiness' && subsite.businessType) || subsite.schemaType,
        name: subsite.title,
        description: subsite.purpose,
        url: `${site.base}${subsite.url}`,
      });
      const entryPoints = nodesOf(graphs).filter((found) => found['@type'] === 'EntryPoint');
      const callableActions = subsite.actions.filter((action) => action.effect?.kind !== 'import');
      expect(entryPoints.map((entry) => entry.urlTemplate)).toEqual(
        callableActions.map(() => `${site.base}${subsite.leadEndpoint}`),
      );
    },
  );

  it('includes a business’s hours and phone, a product’s condition, and an event’s times', () => {
    for (const { url, schemaType, businessType, hours, phone } of site.registry.subsites) {
      const [node] = findGraphs(url)[0]?.['@graph'] ?? [];
      const key = { LocalBusiness: 'openingHoursSpecification', Service: 'hoursAvailable' }[
        schemaType as string
      ];
      if (!node || !key) continue;
      // Closed days have dates instead of weekdays.
      const weeklyHours = (
        node[key] as { opens: string; dayOfWeek?: string[] }[] | undefined
      )?.filter(({ dayOfWeek }) => dayOfWeek);
      expect(
        weeklyHours?.map(({ opens, dayOfWeek }) => [opens, dayOfWeek]),
        url,
      ).toEqual(
        hours?.map(({ opens, days }) => [opens, days.map((day) => `https://schema.org/${day}`)]),
      );
      if (phone && schemaType === 'LocalBusiness') expect(node['telephone'], url).toBe(phone);
      if (phone && schemaType === 'Service' && businessType === undefined)
        expect(node['availableChannel'], url).toMatchObject({ servicePhone: { telephone: phone } });
    }
    for (const page of pagesOfSite(site)) {
      if (page.kind !== 'item' || page.subsite.skipJsonLd) continue;
      const [node] = findGraphs(page.path)[0]!['@graph'];
      const { condition, opens } = page.item.attributes ?? {};
      if (condition && page.catalog.schemaType === 'Product')
        expect(JSON.stringify(node), page.path).toMatch(
          /"itemCondition":"https:\/\/schema\.org\/\w+Condition"/,
        );
      if (opens && page.catalog.schemaType === 'Event')
        expect(node!['startDate'], page.path).toMatch(
          new RegExp(`^${page.item.date}T${opens}:00(?:[+-]\\d{2}:\\d{2})$`),
        );
    }
  });

  it('names the business that runs a page, with its phone, hours, and logo', () => {
    for (const { url, businessType, schemaType, hours } of site.registry.subsites) {
      if (businessType === undefined) continue;
      const business = findGraphs(url)[0]!['@graph'].find(
        (node) => node['@type'] === businessType,
      )!;
      expect(business, url).toMatchObject({ telephone: expect.any(String) as string });
      expect(business['logo'], url).toMatch(/\.png$/);
      expect('openingHoursSpecification' in business, url).toBe(hours !== undefined);
      if (schemaType === 'Service')
        expect(findGraphs(url)[0]!['@graph'][0]!['provider'], url).toEqual({
          '@id': business['@id'],
        });
    }
  });

  it('has an offer at each published price', () => {
    for (const { path } of pagesOfSite(site))
      for (const node of nodesOf(findGraphs(path)))
        if (node['@type'] === 'Offer') expect(node, path).toHaveProperty('itemOffered');
  });

  it('uses only types, properties, and values that schema.org defines', () => {
    const faults = pagesOfSite(site).flatMap(({ path }) =>
      findGraphs(path).flatMap((found) =>
        found['@graph'].flatMap(findVocabularyFaults).map((fault) => `${path}: ${fault}`),
      ),
    );
    expect(faults).toEqual([]);
  });

  it('has a graph on every page that does not opt out in its record', () => {
    const pagesWithoutGraph = pagesOfSite(site).filter(({ path }) => findGraphs(path).length === 0);
    expect(
      pagesWithoutGraph.every(
        (page) => (page.kind === 'subsite' || page.kind === 'item') && page.subsite.skipJsonLd,
      ),
    ).toBe(true);
  });

  it('has at most one graph per page, without references to missing nodes', () => {
    for (const { path } of pagesOfSite(site)) {
      const graphs = findGraphs(path);
      expect(graphs.length, path).toBeLessThanOrEqual(1);
      for (const found of graphs) {
        expect(found['@context'], path).toBe('https://schema.org');
        const nodes = nodesOf(found['@graph']);
        expect(
          nodes.every((node) => typeof node['@type'] === 'string'),
          path,
        ).toBe(true);
        const nodeIds = new Set(nodes.map((node) => node['@id']));
        expect(
          referencesOf(found['@graph']).filter((id) => !nodeIds.has(id)),
          path,
        ).toEqual([]);
      }
    }
  });
});

describe('business types', () => {
  it('are the schema.org subtypes of LocalBusiness', () => {
    expect(['LocalBusiness', ...businessTypes].toSorted()).toEqual(listTypesUnder('LocalBusiness'));
  });

  it('are validated like all other types, properties, and values', () => {
    const faults = findVocabularyFaults({
      '@type': 'HVACBusiness',
      hours: '9 to 5',
      makesOffer: { '@type': 'Offer', itemCondition: 'good', itemOffered: { '@type': 'Place' } },
      parentOrganization: { '@type': 'Company' },
    });
    expect(faults).toEqual([
      'HVACBusiness has no hours',
      'Offer.itemCondition takes OfferItemCondition or IdReference',
      expect.stringMatching(/^Offer\.itemOffered takes .*Product or Service/),
      expect.stringMatching(/^HVACBusiness\.parentOrganization takes /),
      'Company is not a type',
    ]);
  });
});
