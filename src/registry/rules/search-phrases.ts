import type { RecordPath } from '../fault.ts';
import { duplicateViolations } from './duplicates.ts';
import type { Records, Rule } from './rule.ts';
import { recordOfPage } from '../../site/registry.ts';

const PLACE_PATTERN = /^(?:serviceArea|availability|([a-z]+)\.(\d+)(?:\.(.+))?)$/s;

/** The path of the search phrases for a part of a record, or for part of its text. */
function pathOf(place: string): RecordPath {
  const [location, list, index, words] = PLACE_PATTERN.exec(place) ?? [];
  if (location === undefined) return ['asked', place];
  if (list === undefined) return [location, 'asked'];
  return [list, Number(index), 'asked', ...(words === undefined ? [] : [words])];
}

const collapseSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Maps records and items to their texts, parts of which may have search phrases. */
const textsOf = ({ pages, subsites, catalogs }: Records): Map<string, string> =>
  new Map([
    ...Object.entries(catalogs).flatMap(([name, { items }]) =>
      items.map(
        ({ title, summary, body = '' }, index) =>
          [
            `catalog/${name} items.${index}`,
            collapseSpaces(`${title} ${summary} ${body}`),
          ] as const,
      ),
    ),
    ...pages.map((page) => [recordOfPage(page), collapseSpaces(page.body)] as const),
    ...subsites.map(({ name, intro = '' }) => [`subsites/${name}`, collapseSpaces(intro)] as const),
  ]);

/** True if a place is identified by words that the text does not contain. */
function isMissing(texts: ReadonlyMap<string, string>, record: string, place: string): boolean {
  const [location, list, index, words] = PLACE_PATTERN.exec(place) ?? [];
  if (location === undefined) return !texts.get(record)?.includes(place);
  return words !== undefined && !texts.get(`${record} ${list}.${index}`)?.includes(words);
}

export const searchPhraseRules: Rule[] = [
  {
    name: 'asked-once',
    description: 'A record lists each search phrase once.',
    *check({ asked }) {
      for (const [record, places] of Object.entries(asked))
        yield* duplicateViolations(
          Object.entries(places).flatMap(([place, phrasings]) =>
            phrasings.map((phrasing, index) => ({
              record,
              path: [...pathOf(place), index],
              value: phrasing.toLowerCase(),
              phrasing,
            })),
          ),
          ({ phrasing }) =>
            `repeats “${phrasing}”. Keep it only in the place that answers it best.`,
        );
    },
  },
  {
    name: 'asked-of-text',
    description: 'The words that identify part of a text occur in that text.',
    *check(records) {
      const texts = textsOf(records);
      for (const [record, places] of Object.entries(records.asked))
        for (const place of Object.keys(places))
          if (isMissing(texts, record, place))
            yield {
              record,
              path: pathOf(place),
              problem:
                'is not in the text. Use one of its headings, or copy words from it exactly.',
              isKeyProblem: true,
            };
    },
  },
];
