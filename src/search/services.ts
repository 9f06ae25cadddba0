import MiniSearch from 'minisearch';
import type { Catalog } from '../registry/catalog.ts';
import type { Subsite } from '../registry/subsite.ts';
import { itemPath, offeredActions, type Registry } from '../site/registry.ts';
import { type ServiceDocument, type ServiceEntry, serviceOptions } from './find-services.ts';
import { type Searchable, searchable } from './searchable.ts';
import { type Synonyms, synonymsOf } from './synonyms.ts';
import { ignoredNames } from './terms.ts';

/** A subsite comes before its requests and items, and one that takes requests before one that informs. */
const TAKES_REQUESTS = 1.6;
const INFORMS = 1.3;

const kindOf = ({ status, category }: Subsite) =>
  status === 'auth' ? 'Account needed' : category === 'misc' ? 'Information' : 'Service';

const capitalized = (noun: string) => noun.replace(/^./, (letter) => letter.toUpperCase());

type Indexed = Searchable & { entry: ServiceEntry };

function entriesOf(subsite: Subsite, catalog: Catalog | undefined, synonyms: Synonyms): Indexed[] {
  const { name, title, purpose, url, category, keywords = [], questions = [], actions } = subsite;
  const indexed = (
    entry: Pick<ServiceEntry, 'title' | 'text' | 'path' | 'kind'>,
    found: Pick<Searchable, 'text' | 'words' | 'weight'>,
  ): Indexed => ({
    ...searchable({ title: entry.title, ...found }, synonyms),
    entry: { ...entry, subsite: name, category },
  });
  return [
    indexed(
      { title, text: purpose, path: url, kind: kindOf(subsite) },
      {
        text: [purpose, ...keywords].join(' '),
        words: [name, title, ...questions].join(' '),
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
        { text: item.summary, words: [...(item.tags ?? []), item.place ?? ''].join(' ') },
      ),
    ),
  ];
}

/** The index of a network's subsites, requests and items. */
export function serviceIndex({ network, subsites, catalogs }: Registry): MiniSearch {
  const index = new MiniSearch(serviceOptions);
  const synonyms = synonymsOf(network.search.synonyms);
  const entries = subsites.flatMap((subsite) =>
    entriesOf(subsite, catalogs[subsite.name], synonyms),
  );
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return index;
}

/** The index of services as a document. */
export const serviceDocument = (registry: Registry): ServiceDocument => ({
  ignored: ignoredNames(registry.network),
  index: serviceIndex(registry).toJSON(),
});
