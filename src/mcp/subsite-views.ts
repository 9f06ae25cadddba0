import { parseValue } from '../fields/fields.ts';
import type { Action } from '../registry/schemas/action.ts';
import type { Item } from '../registry/schemas/catalog.ts';
import { itemPath, type Registry } from '../site/registry.ts';
import { listRequirements } from '../site/forms/requirements.ts';
import { createAvailableDaysUrl } from '../site/hold-action.ts';
import { answerTimeOf } from '../site/service-of-request.ts';
import { digestContract } from '../site/contract.ts';
import { publishedPricesOf } from '../site/prices/prices.ts';
import { contactInfoOf } from '../site/contact-info.ts';
import type { Site } from '../site/site.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { measureResponse, MAX_ENTRY_BYTES } from './paging.ts';

export const summarizeSubsite = (
  { name, title, purpose, category, status, url }: Subsite,
  base: string,
) => ({ name, title, purpose, category, status, url: `${base}${url}` });

type SiteData = Pick<Site, 'registry' | 'base'>;

/** A subsite as an information tool returns it: everything that is published for customers. */
export function createSubsiteView(subsite: Subsite, { registry, base }: SiteData) {
  const {
    name,
    title,
    purpose,
    url,
    status,
    serviceArea,
    availability,
    facts = [],
    actions,
  } = subsite;
  const offer = {
    name,
    title,
    purpose,
    status,
    url: `${base}${url}`,
    ...(serviceArea !== undefined && { serviceArea }),
    ...(availability !== undefined && { availability }),
    timeZone: registry.network.timeZone,
    ...contactInfoOf(subsite, registry),
    pricing: publishedPricesOf(subsite) ?? [],
    facts,
    actions: actions.map((action) => action.verb),
  };
  return limitViewSize(offer);
}

const createActionView = (subsite: Subsite, action: Action, base: string) => {
  const { verb, title, description, fields, messageHint } = action;
  const requirements = listRequirements(action);
  const freeDaysUrl = createAvailableDaysUrl(subsite, action, base);
  return {
    verb,
    title,
    description,
    ...answerTimeOf(action),
    fields: Object.fromEntries(
      Object.entries(fields).map(
        ([name, { type, required, enum: values, description: fieldDescription, example }]) => [
          name,
          {
            type,
            required,
            ...(values && { enum: values }),
            ...(fieldDescription !== undefined && { description: fieldDescription }),
            ...(example !== undefined && { example: parseValue({ type }, example) }),
          },
        ],
      ),
    ),
    contract: digestContract(subsite, action),
    ...(messageHint !== undefined && { messageHint }),
    ...(requirements.length && { requirements }),
    ...(freeDaysUrl !== undefined && { freeDaysUrl }),
  };
};

/** A subsite with its actions and their fields; `manifestUrl` has the whole record. */
export function createSubsiteDetails(subsite: Subsite, site: SiteData) {
  const { base } = site;
  const { category, keywords = [], leadEndpoint, leadSource, mcpTools, actions } = subsite;
  const {
    name,
    title,
    purpose,
    status,
    url,
    pricing,
    facts,
    actions: _,
    ...areaAndReach
  } = createSubsiteView(subsite, site);
  const details = {
    name,
    title,
    purpose,
    category,
    status,
    url,
    ...areaAndReach,
    manifestUrl: `${base}/api/agent/${name}`,
    leadEndpoint,
    leadSource,
    mcpTools,
    keywords,
    pricing,
    actions: actions.map((action) => createActionView(subsite, action, base)),
    facts,
  };
  return limitViewSize(details);
}

/** Removes the last facts from a view until it fits in a response. */
function limitViewSize<View extends { facts: readonly string[] }>(view: View): View {
  let { facts } = view;
  while (facts.length && measureResponse({ ...view, facts }) > MAX_ENTRY_BYTES)
    facts = facts.slice(0, -1);
  return { ...view, facts };
}

export interface ListedItem {
  subsite: string;
  item: Item;
}

export const listItems = ({ catalogs }: Registry, subsites: readonly string[]): ListedItem[] =>
  subsites.flatMap((subsite) =>
    (catalogs[subsite]?.items ?? []).map((item) => ({ subsite, item })),
  );

export function createItemView({ registry, base }: Site, { subsite, item }: ListedItem) {
  const {
    id,
    title,
    summary,
    status = 'available',
    date,
    place,
    price,
    units,
    tags,
    attributes,
  } = item;
  const catalog = registry.catalogs[subsite]!;
  const page =
    itemPath(catalog, item) ?? registry.subsites.find((other) => other.name === subsite)!.url;
  return {
    subsite,
    id,
    title,
    summary,
    status,
    url: `${base}${page}`,
    ...(price && { price }),
    ...(units !== undefined && { units }),
    ...(date !== undefined && { date }),
    ...(place !== undefined && { place }),
    ...(tags?.length && { tags }),
    ...(attributes && { attributes }),
  };
}
