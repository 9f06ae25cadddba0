import type { Registry } from '../site/registry.ts';
import { itemPassages } from './item-passages.ts';
import { pagePassages } from './page-passages.ts';
import { type Passage, serviceWords, type Source } from './passage.ts';
import type { Texts } from './searchable.ts';
import { subsitePassages } from './subsite-passages.ts';

/** All published text of a network as passages, each with its search terms. */
export function publishedPassages(
  registry: Registry,
  base: string,
): { passage: Passage; texts: Texts }[] {
  const withTexts = (sources: readonly Source[], service: string) =>
    sources.map(({ path, kindTerms: sort = '', asked, words = '', place, weight, ...passage }) => ({
      passage: { ...passage, url: `${base}${path}` },
      texts: {
        title: passage.title,
        text: `${passage.text} ${sort}`,
        asked,
        words: `${words} ${service}`,
        place,
        weight,
      },
    }));
  const pages = Map.groupBy(pagePassages(registry), ({ subsite }) => subsite);
  return [
    ...registry.subsites.flatMap((subsite) =>
      withTexts(
        [
          ...subsitePassages(subsite, registry.asked[`subsites/${subsite.name}`]),
          ...itemPassages(
            subsite,
            registry.catalogs[subsite.name],
            registry.asked[`catalog/${subsite.name}`],
          ),
          ...(pages.get(subsite.name) ?? []),
        ],
        serviceWords(subsite),
      ),
    ),
    ...withTexts(pages.get(undefined) ?? [], ''),
  ];
}
