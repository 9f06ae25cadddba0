import type { RecordPath } from '../fault.ts';
import { recordOfPage, type Records, type Rule } from './rule.ts';

const PLACE = /^(?:[a-z]+\.\d+|serviceArea|availability)$/i;

/** Where a record says how people ask for what is at a place, or for the part of its text with these words. */
const pathOf = (place: string): RecordPath =>
  PLACE.test(place)
    ? [...place.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)), 'asked']
    : ['asked', place];

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** The Markdown text of each record that may say by words how people ask for its parts. */
const textsOf = ({ pages, subsites }: Records): Map<string, string> =>
  new Map([
    ...pages.map((page) => [recordOfPage(page), inOneLine(page.body)] as const),
    ...subsites.map(({ name, intro = '' }) => [`subsites/${name}`, inOneLine(intro)] as const),
  ]);

/** How people ask for what records say. */
export const askedRules: Rule[] = [
  {
    name: 'asked-once',
    description: 'A record says each way of asking once.',
    *check({ asked }) {
      for (const [record, places] of Object.entries(asked)) {
        const seen = new Set<string>();
        for (const [place, phrasings] of Object.entries(places))
          for (const [index, phrasing] of phrasings.entries()) {
            const same = phrasing.toLowerCase();
            if (seen.has(same))
              yield {
                record,
                path: [...pathOf(place), index],
                problem: 'is in this record twice. Keep the one at what answers it best.',
              };
            seen.add(same);
          }
      }
    },
  },
  {
    name: 'asked-of-text',
    description: 'What people ask for by words of a text is in the text.',
    *check(records) {
      const texts = textsOf(records);
      for (const [record, places] of Object.entries(records.asked))
        for (const place of Object.keys(places))
          if (!PLACE.test(place) && !texts.get(record)?.includes(place))
            yield {
              record,
              path: pathOf(place),
              problem: 'is not in the text. Write a heading of it, or words as they are in it.',
              atKey: true,
            };
    },
  },
];
