import type { Registry } from '../../site/registry.ts';
import { createItemPassages } from './item-passages.ts';
import { createNetworkPassages } from './page-passages.ts';
import { type Passage, joinServiceWords, type Source } from './passage.ts';
import type { EntryTexts } from '../searchable.ts';
import { mapInSteps, type Steps } from '../steps.ts';
import { createSubsitePassages } from './subsite-passages.ts';

/** All published text of a network as passages, each with its search terms. */
export function* createPublishedPassages(
  registry: Registry,
  base: string,
): Steps<{ passage: Passage; texts: EntryTexts }[]> {
  const toPassageEntries = (sources: readonly Source[], service: string) =>
    sources.map(({ subsite, kind, title, text, path, ...terms }) => ({
      passage: {
        ...(subsite !== undefined && { subsite }),
        kind,
        title,
        text,
        url: `${base}${path}`,
      },
      texts: {
        title,
        text: `${text} ${terms.kindTerms ?? ''}`,
        asked: terms.asked,
        words: `${terms.words ?? ''} ${service}`,
        place: terms.place,
        weight: terms.weight,
      },
    }));
  const pages = Map.groupBy(yield* createNetworkPassages(registry), ({ subsite }) => subsite);
  const passagesBySubsite = yield* mapInSteps(registry.subsites, (subsite) =>
    toPassageEntries(
      [
        ...createSubsitePassages(subsite, registry.asked[`subsites/${subsite.name}`]),
        ...createItemPassages(
          subsite,
          registry.catalogs[subsite.name],
          registry.asked[`catalog/${subsite.name}`],
        ),
        ...(pages.get(subsite.name) ?? []),
      ],
      joinServiceWords(subsite),
    ),
  );
  return [...passagesBySubsite.flat(), ...toPassageEntries(pages.get(undefined) ?? [], '')];
}
