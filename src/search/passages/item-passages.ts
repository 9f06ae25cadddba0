import type { SearchPhrases } from '../../registry/search-phrases.ts';
import type { Catalog, Item } from '../../registry/schemas/catalog.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { isSoldOrPast, itemPath } from '../../site/registry.ts';
import { formatAttribute, formatDay, humanizeName } from '../../site/words/words.ts';
import { itemStates } from '../../site/words/record-words.ts';
import { selectSectionPhrases, titleAndPathOf, parseSections } from './markdown-sections.ts';
import type { Source } from './passage.ts';

const PAST_ITEM_WEIGHT = 0.8;

const ITEM_TERMS = 'price cost much buy have available when where';

/** The search phrases for parts of the catalog item at `index`. */
const selectItemPhrases = (asked: SearchPhrases, index: number): SearchPhrases =>
  Object.fromEntries(
    Object.entries(asked).flatMap(([place, phrasings]) =>
      place.startsWith(`items.${index}.`)
        ? [[place.slice(`items.${index}.`.length), phrasings]]
        : [],
    ),
  );

function describeItem({ summary, price, status, date, place, attributes = {} }: Item): string {
  const details = Object.entries(attributes).map(([name, attributeValue]) => {
    const { label, value } = formatAttribute(name, attributeValue);
    return `${label}: ${value}`;
  });
  const parts = [
    price && `${price.amount} ${price.currency} per ${price.unit}`,
    price?.notes?.replace(/\.$/, ''),
    itemStates[status ?? 'available'],
    date && formatDay(date),
    place,
    details.join('; '),
  ];
  return [summary, ...parts.filter(Boolean).map((part) => `${part}.`)].join(' ');
}

/** The passages of a subsite's catalog: a card for each item, and the sections of its text. */
export function createItemPassages(
  subsite: Subsite,
  catalog: Catalog | undefined,
  asked: SearchPhrases = {},
): Source[] {
  if (!catalog) return [];
  return catalog.items.flatMap((item, index) => {
    const path = itemPath(catalog, item);
    const itemPhrases = selectItemPhrases(asked, index);
    const text = describeItem(item);
    const shared = {
      subsite: subsite.name,
      kind: 'item' as const,
      title: item.title,
      weight: isSoldOrPast(item) ? PAST_ITEM_WEIGHT : 1,
      place: item.place,
      words: [catalog.noun, catalog.title, ...(item.tags ?? []).map(humanizeName)].join(' '),
    };
    return [
      {
        ...shared,
        text,
        path: path ?? `${subsite.url}#${item.id}`,
        kindTerms: `${catalog.noun} ${catalog.title} ${ITEM_TERMS}`,
        asked:
          asked[`items.${index}`] ??
          selectSectionPhrases({ heading: item.title, text }, itemPhrases),
      },
      ...(path === undefined
        ? []
        : parseSections(item.body ?? '').map((section) => ({
            ...shared,
            text: section.text,
            asked: selectSectionPhrases(section, itemPhrases),
            ...titleAndPathOf(section, { title: item.title, path }),
          }))),
    ];
  });
}
