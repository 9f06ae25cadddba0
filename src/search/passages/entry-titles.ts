import { memoize } from '../../site/memoize.ts';
import { search as texts } from '../../text/index.ts';
import type { ServiceEntry, ServiceIndex } from '../find-services.ts';
import { joinWords, termsOf } from '../index/terms.ts';

const entriesOf = ({ index }: ServiceIndex): ServiceEntry[] =>
  index.stored.map(({ entry }) => entry);

/** Whether an entry is a request to a service. */
export const isRequest = ({ kind }: ServiceEntry): boolean => kind === texts.kinds.request;

/** The services with these names, in this order. */
export const findServicesByName = (index: ServiceIndex, names: readonly string[]): ServiceEntry[] =>
  entriesOf(index)
    .filter(
      (entry) => !isRequest(entry) && entry.item === undefined && names.includes(entry.subsite),
    )
    .sort((a, b) => names.indexOf(a.subsite) - names.indexOf(b.subsite));

/** Matches a person’s name at the end of a need, as in “a demo for Ada Lovelace”. */
const TRAILING_NAME_PATTERN = /\sfor(?:\s\p{Lu}[\p{L}\u2019'-]+){1,3}\s*$/u;

/**
 * Minimum number of words, not counting function words, in a title to be found within a longer
 * need.
 */
const MIN_TITLE_TERMS = 2;

/**
 * A text as words between spaces, to find titles in it, and its number of words that are not
 * function words.
 */
const toComparableTitle = (text: string) => ({
  text: joinWords(text),
  count: termsOf(text).length,
});

const titleOf = memoize(({ title }: ServiceEntry) => toComparableTitle(title));

/**
 * First, each request whose title equals the need, ignoring function words, followed by its
 * service, because people copy the words on a button; then each item whose title occurs in the
 * need.
 */
export function findEntriesByTitle(
  index: ServiceIndex,
  need: string,
  question: string,
): ServiceEntry[] {
  // A title may contain a day or a size, both of which were removed from the need.
  const needs = [need, need.replace(TRAILING_NAME_PATTERN, ''), question].map(toComparableTitle);
  const hasTitle = (entry: ServiceEntry) => {
    const title = titleOf(entry);
    return needs.some(
      ({ text, count }) =>
        text.includes(title.text) &&
        (count === title.count || (entry.item !== undefined && title.count >= MIN_TITLE_TERMS)),
    );
  };
  const entries = entriesOf(index);
  const requests = entries.filter((entry) => isRequest(entry) && hasTitle(entry));
  const items = entries.filter((entry) => entry.item !== undefined && hasTitle(entry));
  return [
    ...requests.flatMap((request) => [request, ...findServicesByName(index, [request.subsite])]),
    ...items,
  ];
}
