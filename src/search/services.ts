import type { Catalog, Item } from '../registry/schemas/catalog.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { answersEmergencyCalls } from '../site/emergency.ts';
import {
  isSoldOrPast,
  itemPath,
  listOfferedActions,
  type Registry,
  sortByRank,
} from '../site/registry.ts';
import {
  formatHeadlinePriceLine,
  formatItemPriceLine,
  itemStates,
} from '../site/words/record-words.ts';
import { capitalize } from '../site/words/words.ts';
import { describeMinimumTerm } from '../site/words/minimum-term.ts';
import { shortenArea } from '../site/words/service-area.ts';
import { search } from '../text/index.ts';
import type { NeedIndex } from './find-need.ts';
import { removeOfferedPhrases } from './not-offered.ts';
import { type ServiceDocument, type ServiceEntry, type StoredService } from './find-services.ts';
import type { EntryTexts } from './searchable.ts';
import { runSteps, type Steps } from './steps.ts';
import { type IndexedTexts, indexTexts } from './index/text-index.ts';

/**
 * Weight factors: they rank a subsite above its requests and items, and a subsite that takes
 * requests above one that only provides information.
 */
const REQUEST_WEIGHT = 1.6;
const INFORMATION_WEIGHT = 1.3;

const { kinds } = search;

const kindOf = ({ status, category }: Subsite) =>
  status === 'auth' ? kinds.account : category === 'misc' ? kinds.information : kinds.service;

/** What people ask next about a service: price, area, hours, phone and links to its forms. */
export function serviceDetailsOf(subsite: Subsite): Partial<ServiceEntry> {
  const { url, serviceArea, minimumTerm, hours, closedDays, afterHours, phone } = subsite;
  const price = formatHeadlinePriceLine(subsite);
  const requests = listOfferedActions(subsite).map(({ title, verb }) => ({
    title,
    path: `${url}#${verb}`,
  }));
  return {
    ...(price !== undefined && { price }),
    ...(serviceArea && { area: shortenArea(serviceArea) }),
    ...(minimumTerm && { minimumTerm: describeMinimumTerm(minimumTerm) }),
    ...(hours && { hours }),
    ...(closedDays && { closedDays }),
    ...(afterHours && { afterHours }),
    ...(answersEmergencyCalls(subsite) && { answersEmergencyCalls: true as const }),
    ...(phone && { phone }),
    ...(requests.length && { requests }),
  };
}

function itemDetailsOf({ noun }: Catalog, item: Item): Partial<ServiceEntry> {
  const { price, place } = item;
  return {
    ...(price && !isSoldOrPast(item) && { price: formatItemPriceLine(price, noun) }),
    ...(place && { area: place }),
  };
}

type IndexedEntry = EntryTexts & { entry: ServiceEntry };

function entriesOf(
  subsite: Subsite,
  catalog: Catalog | undefined,
  asked: readonly string[],
): IndexedEntry[] {
  const { name, title, purpose, url, category, keywords = [], questions = [], actions } = subsite;
  const toIndexedEntry = (
    entry: Omit<ServiceEntry, 'subsite' | 'category'>,
    found: Omit<EntryTexts, 'title'>,
  ): IndexedEntry => ({
    title: entry.title,
    ...found,
    entry: { ...entry, subsite: name, category },
  });
  return [
    toIndexedEntry(
      { title, text: purpose, path: url, kind: kindOf(subsite), ...serviceDetailsOf(subsite) },
      {
        text: [purpose, ...keywords, ...questions].join(' '),
        words: [name, title, ...keywords, ...questions].join(' '),
        asked,
        weight: actions.length ? REQUEST_WEIGHT : INFORMATION_WEIGHT,
      },
    ),
    ...listOfferedActions(subsite).map((action) =>
      toIndexedEntry(
        {
          title: action.title,
          text: `${title}: ${action.description}`,
          path: `${url}#${action.verb}`,
          kind: kinds.request,
        },
        { text: action.description, words: [title, ...keywords].join(' ') },
      ),
    ),
    ...(catalog?.items ?? []).map((item) =>
      toIndexedEntry(
        {
          title: item.title,
          text: item.summary,
          path: itemPath(catalog!, item) ?? `${url}#${item.id}`,
          kind: (isSoldOrPast(item) && itemStates[item.status!]) || capitalize(catalog!.noun),
          item: item.id,
          ...(isSoldOrPast(item) && { isOver: true }),
          ...itemDetailsOf(catalog!, item),
        },
        { text: item.summary, words: (item.tags ?? []).join(' '), place: item.place },
      ),
    ),
  ];
}

export function* createServiceIndexInSteps({
  network,
  subsites,
  catalogs,
  asked,
}: Registry): Steps<IndexedTexts<StoredService> & Pick<ServiceDocument, 'notOffered'>> {
  // Services that match equally well appear in the order of the front page.
  const entries = sortByRank(subsites).flatMap((subsite) =>
    entriesOf(
      subsite,
      catalogs[subsite.name],
      Object.values(asked[`subsites/${subsite.name}`] ?? {}).flat(),
    ),
  );
  const indexedTexts = yield* indexTexts(network, entries, (id): StoredService => {
    const { entry, weight } = entries[id]!;
    return { entry, ...(weight !== undefined && { weight }) };
  });
  const titles = subsites.map(({ title }) => title);
  const notOffered = yield* removeOfferedPhrases(network.search.notOffered, titles);
  return { ...indexedTexts, notOffered };
}

export function createServiceDocument(registry: Registry): ServiceDocument {
  const { index, words, notOffered } = runSteps(createServiceIndexInSteps(registry));
  const { search, timeZone } = registry.network;
  const { places, synonyms } = search;
  return { places, synonyms, notOffered, timeZone, words: words.join(' '), index: index.toJSON() };
}

export const createServiceIndex = (registry: Registry): NeedIndex =>
  runSteps(createServiceIndexInSteps(registry));
