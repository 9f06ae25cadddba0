import MiniSearch from 'minisearch';
import { itemPath, type Site, type Subsite } from '../registry/index.ts';
import { type Searched, searchOptions } from './search-options.ts';

const kindOf = ({ status, category }: Subsite) => (status === 'auth' ? 'Account needed' : category === 'misc' ? 'Information' : 'Service');

function* entries({ registry }: Site): Generator<Omit<Searched, 'id'>> {
  for (const subsite of registry.subsites) {
    const { title, purpose, url, category, keywords = [], name, questions = [], actions } = subsite;
    yield { title, text: purpose, path: url, kind: kindOf(subsite), category, whole: true, words: [name, ...keywords, ...questions].join(' ') };
    for (const action of actions)
      if (action.effect?.kind !== 'import')
        yield { title: action.title, text: `${title}: ${action.description}`, path: `${url}#${action.verb}`, kind: 'Request', category, words: keywords.join(' ') };
    const catalog = registry.catalogs[name];
    for (const item of catalog?.items ?? [])
      yield { title: item.title, text: item.summary, path: itemPath(catalog!, item) ?? `${url}#${item.id}`, kind: catalog!.noun.replace(/^./, (letter) => letter.toUpperCase()), category, words: [...(item.tags ?? []), item.place ?? ''].join(' ') };
  }
}

/** The index of a network’s subsites, requests and items, as JSON text. */
export function searchIndex(site: Site): string {
  const index = new MiniSearch<Searched>(searchOptions);
  let id = 0;
  for (const entry of entries(site)) index.add({ id: id++, ...entry });
  return `${JSON.stringify(index)}\n`;
}
