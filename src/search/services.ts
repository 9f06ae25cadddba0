import MiniSearch from 'minisearch';
import type { Catalog } from '../registry/catalog.ts';
import type { Subsite } from '../registry/subsite.ts';
import { itemPath, offeredActions, type Registry } from '../site/registry.ts';
import {
  openServices,
  type ServiceDocument,
  type ServiceEntry,
  type ServiceIndex,
  serviceOptions,
} from './find-services.ts';
import { searchable, type Texts } from './searchable.ts';
import { languageOf } from './text-index.ts';

/** A subsite comes before its requests and items, and one that takes requests before one that informs. */
const TAKES_REQUESTS = 1.6;
const INFORMS = 1.3;

const kindOf = ({ status, category }: Subsite) =>
  status === 'auth' ? 'Account needed' : category === 'misc' ? 'Information' : 'Service';

const capitalized = (noun: string) => noun.replace(/^./, (letter) => letter.toUpperCase());

type Indexed = Texts & { entry: ServiceEntry };

function entriesOf(subsite: Subsite, catalog: Catalog | undefined): Indexed[] {
  const { name, title, purpose, url, category, keywords = [], questions = [], actions } = subsite;
  const indexed = (
    entry: Pick<ServiceEntry, 'title' | 'text' | 'path' | 'kind'>,
    found: Omit<Texts, 'title'>,
  ): Indexed => ({
    title: entry.title,
    ...found,
    entry: { ...entry, subsite: name, category },
  });
  return [
    indexed(
      { title, text: purpose, path: url, kind: kindOf(subsite) },
      {
        text: [purpose, ...keywords, ...questions].join(' '),
        words: [name, title, ...keywords, ...questions].join(' '),
        weight: actions.length ? TAKES_REQUESTS : INFORMS,
      },
    ),
    ...offeredActions(subsite).map((action) =>
      indexed(
        {
          title: action.title,
          text: `${title}: ${action.description}`,
          path: `${url}#${action.verb}`,
          kind: 'Request',
        },
        { text: action.description, words: [title, ...keywords].join(' ') },
      ),
    ),
    ...(catalog?.items ?? []).map((item) =>
      indexed(
        {
          title: item.title,
          text: item.summary,
          path: itemPath(catalog!, item) ?? `${url}#${item.id}`,
          kind: capitalized(catalog!.noun),
        },
        { text: item.summary, words: (item.tags ?? []).join(' '), place: item.place },
      ),
    ),
  ];
}

/** The index of services as a document. */
export function serviceDocument({ network, subsites, catalogs }: Registry): ServiceDocument {
  const index = new MiniSearch(serviceOptions);
  const entries = subsites.flatMap((subsite) => entriesOf(subsite, catalogs[subsite.name]));
  const { language, words } = languageOf(network, entries);
  index.addAll(
    entries.map(({ entry, ...texts }, id) => ({
      ...searchable(texts, language.meanings),
      entry,
      id,
    })),
  );
  const { places, synonyms } = network.search;
  return { places, synonyms, words: words.join(' '), index: index.toJSON() };
}

/** The index of a network's subsites, requests and items. */
export const serviceIndex = (registry: Registry): ServiceIndex =>
  openServices(serviceDocument(registry));
