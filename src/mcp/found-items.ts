import type { InfoTool } from '../registry/schemas/subsite.ts';
import type { ListedItem } from './subsite-views.ts';
import { softwareLocale } from '../language.ts';

/**
 * Items that match words in a query, before filters; `hint` describes them, or suggests another
 * query if there are none.
 */
export interface MatchingItems {
  items: readonly ListedItem[];
  hint?: string;
}

const MAX_EXAMPLES = 5;

/** Hint if only the items' subsite matches the words. */
export const SUBSITE_MATCH_HINT =
  'No item matches these words, but a subsite does; these are that subsite’s items.';

/** Hint if each item matches only some of the words. */
export const PARTIAL_MATCH_HINT =
  'No item matches all of these words; each of these matches some of them.';

/** Hint if items match only synonyms of the words, or words for the kind of thing. */
export const RELATED_MATCH_HINT =
  'No item has these words; each of these matches related words. Check that it is the right kind of item.';

const disjunctionFormat = new Intl.ListFormat(softwareLocale, { type: 'disjunction' });
const conjunctionFormat = new Intl.ListFormat(softwareLocale, { type: 'conjunction' });

/** Hint if neither an item nor its subsite matches the words. */
export function createNoMatchHint(
  contents: InfoTool['shows'],
  items: readonly ListedItem[],
): string {
  const noMatchText = 'No item matches these words.';
  if (contents !== 'search')
    return `${noMatchText} Leave out query for ${items.length === 1 ? 'the only item' : `all ${items.length} items`}.`;
  const examples = items.map(({ item }) => `“${item.title}”`);
  return `${noMatchText} Send words of an item, such as ${disjunctionFormat.format(examples.slice(0, MAX_EXAMPLES))}.`;
}

/** Hint shown if filters exclude every matching item. */
export function createFilterHint(
  input: { query?: string | undefined; maxPrice?: number | undefined },
  maxPrice?: number,
): string {
  if (maxPrice !== input.maxPrice)
    return `Items match these words, but none has a price of ${maxPrice} or less and matches the other filters. Leave out the price.`;
  const filters = ['subsite', 'status', 'maxPrice'].filter((name) => name in input);
  const filterToDrop = filters.length > 1 ? 'one of them' : 'it';
  const matching =
    input.query === undefined ? 'No item matches' : 'Items match these words, but none matches';
  return `${matching} ${conjunctionFormat.format(filters)} as sent. Leave ${filterToDrop} out.`;
}
