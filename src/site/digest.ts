import { createHash } from 'node:crypto';
import { listUpcomingClosedDates } from './calendar/closed-dates.ts';
import { memoize } from './memoize.ts';
import type { SitePage } from './pages-of-site.ts';
import { findSubsite, type Registry } from './registry.ts';
import type { Site } from './site.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';

/** Digest of data with deterministic JSON: 128 bits of the SHA-256, in base64url. */
export const digestJson = (data: object): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 22);

/** Digest of a record; cached because records do not change. */
export const digestRecord = memoize(digestJson);

const digestOptionalRecord = (record: object | undefined) => record && digestRecord(record);

/** Digest of data that any document may include: the network, its pages and its capabilities. */
const digestNetwork = memoize(({ base, dynamic, registry, cardKey }: Site) => {
  const pages = registry.pages.map(({ path, title, description, items }) => [
    path,
    title,
    description,
    items,
  ]);
  return digestJson([base, dynamic, cardKey, registry.network, registry.capabilities, pages]);
});

/** Digest of the names and titles that form fields for subsites list. */
const digestSubsiteNames = memoize(({ subsites }: Registry) =>
  digestJson(subsites.map(({ name, title }) => [name, title])),
);

const hasSubsiteField = ({ actions }: Subsite) =>
  actions.some(({ fields }) =>
    Object.values(fields).some(({ content }) => content?.kind === 'subsite'),
  );

/** Digest of all inputs to one subsite's documents, except network figures and the build time. */
export function digestSubsite(site: Site, subsite: Subsite): string {
  const { registry } = site;
  const { [subsite.name]: catalog } = registry.catalogs;
  const { [subsite.name]: responsiveness } = registry.responsiveness;
  return digestJson([
    digestNetwork(site),
    digestRecord(subsite),
    digestOptionalRecord(catalog),
    responsiveness,
    hasSubsiteField(subsite) && digestSubsiteNames(registry),
  ]);
}

/** Digest of all data in a page’s text; undefined if the text depends on the whole network. */
export function digestPage(site: Site, page: SitePage): string | undefined {
  const { registry } = site;
  const facts = [
    digestNetwork(site),
    page.kind,
    page.path,
    page.title,
    page.description,
    page.lastmod,
    page.indexable,
  ];
  switch (page.kind) {
    case 'front':
    case 'agentArea':
    case 'apiReference':
      return undefined;
    case 'subsite':
      return digestJson([
        ...facts,
        digestSubsite(site, page.subsite),
        listUpcomingClosedDates(site, page.subsite),
      ]);
    case 'item':
      return digestJson([
        ...facts,
        digestRecord(page.subsite),
        hasSubsiteField(page.subsite) && digestSubsiteNames(registry),
        digestRecord(page.catalog),
        page.item.id,
      ]);
    case 'page': {
      const { items } = page.page;
      return digestJson([
        ...facts,
        digestRecord(page.page),
        items && digestOptionalRecord(registry.catalogs[items.catalog]),
      ]);
    }
    case 'capability': {
      const { capability } = page;
      const subsite = findSubsite(registry, capability.subsite ?? '');
      return digestJson([...facts, capability, digestOptionalRecord(subsite)]);
    }
    case 'guide':
      return digestJson([...facts, page.guide]);
    case 'problem':
      return digestJson([...facts, page.code, page.status]);
    default:
      return page satisfies never;
  }
}
