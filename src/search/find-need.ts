import { memoize } from '../site/memoize.ts';
import { fill } from '../text/fill.ts';
import { search as texts } from '../text/index.ts';
import { removeDetails, removeOfferTerms, removeSizes } from './details.ts';
import {
  findServices,
  type FoundService,
  type ServiceEntry,
  type ServiceIndex,
} from './find-services.ts';
import {
  type NotOfferedService,
  type SearchNotice,
  findNotOfferedService,
  removeNamedService,
} from './not-offered.ts';
import {
  findItemsToBuy,
  hasCloseMatch,
  isPartlyMet,
  PHRASE_THRESHOLDS,
  splitNeeds,
} from './close-match.ts';
import { readPriceBound } from './price-bound.ts';
import { correctWords, type Phrases, removeZipCodes, separatePlaces } from './question.ts';
import { joinWords, termOf, termsOf, wordsOf } from './terms.ts';

export interface NeedIndex extends ServiceIndex {
  notOffered: readonly NotOfferedService[];
}

export interface Findings extends SearchNotice {
  /**
   * Best match first; if the network does not offer the service, the closest matches, and services
   * for other needs in the question.
   */
  found: readonly ServiceEntry[];
  /**
   * If the need is on the network's list of services that it does not offer: the other words of the
   * question.
   */
  otherWords?: string;
}

export interface NeedOptions {
  filter?: (entry: ServiceEntry) => boolean;
  /** Whether the last word may be unfinished, while the user types. */
  isTyping?: boolean;
}

/** Maximum number of results if none is close. */
const MAX_ALTERNATIVES = 2;

/**
 * Share of the nearest entry's confidence below which another entry matches only by chance: for an
 * entry with every word of the question, and for one that lacks some, perhaps the words that
 * matter.
 */
const MIN_RELATIVE_CONFIDENCE = { allWords: 0.12, someWords: 0.2 };

const entriesOf = ({ index }: ServiceIndex): ServiceEntry[] =>
  index.stored.map(({ entry }) => entry);

const isRequest = ({ kind }: ServiceEntry): boolean => kind === texts.kinds.request;

/** The services with these names, in this order. */
const findServicesByName = (index: ServiceIndex, names: readonly string[]): ServiceEntry[] =>
  entriesOf(index)
    .filter(
      (entry) => !isRequest(entry) && entry.item === undefined && names.includes(entry.subsite),
    )
    .sort((a, b) => names.indexOf(a.subsite) - names.indexOf(b.subsite));

/** Matches a person’s name at the end of a need, as in “a demo for Ada Lovelace”. */
const TRAILING_NAME_PATTERN = /\sfor(?:\s\p{Lu}[\p{L}\u2019'-]+){1,3}\s*$/u;

/**
 * Minimum number of words, not counting function words, in a title that is found within a longer
 * need.
 */
const MIN_TITLE_TERMS = 2;

/**
 * The words of text between spaces, to find titles in it, and the number of those words that are
 * not function words.
 */
const toComparableTitle = (text: string) => ({
  text: joinWords(text),
  count: termsOf(text).length,
});

const titleOf = memoize(({ title }: ServiceEntry) => toComparableTitle(title));

/**
 * First, each request whose title equals the need, function words aside, followed by its service,
 * because people copy the words on a button; then each item whose title occurs in the need.
 */
function findEntriesByTitle(index: ServiceIndex, need: string, question: string): ServiceEntry[] {
  // A title may contain a day or a size, which were removed from the need.
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

/** Removes request entries of a service that is also listed, because it links to them. */
function removeRepeatedRequests(found: readonly ServiceEntry[]): ServiceEntry[] {
  const offered = new Set(
    found.flatMap(({ requests = [] }) => requests.map((request) => request.path)),
  );
  return found.filter(({ path }) => !offered.has(path));
}

/**
 * Puts services that need an account after open services that cover as much of the question with at
 * least half the confidence. A service whose title is identical to the question keeps its position.
 */
function promoteOpenServices(
  rankedServices: readonly FoundService[],
  question: string,
): readonly FoundService[] {
  const [first] = rankedServices;
  if (first?.entry.kind !== texts.kinds.account) return rankedServices;
  if (joinWords(first.entry.title) === joinWords(question)) return rankedServices;
  const { confidence: firstConfidence, coverage: firstCoverage } = first;
  const promotedServices = rankedServices.filter(
    ({ entry: { kind, item }, confidence, coverage }) =>
      kind !== texts.kinds.account &&
      item === undefined &&
      coverage >= firstCoverage &&
      confidence >= firstConfidence / 2,
  );
  return [...promotedServices, ...rankedServices.filter((one) => !promotedServices.includes(one))];
}

/**
 * Share of the question that the nearest entry must cover to precede items that cover all of it.
 */
const MIN_COVERAGE = 0.5;

/**
 * Puts first what covers the whole question, if the nearest entry does not: items if it covers less
 * than half, a service if its confidence is higher.
 */
function promoteFullMatches(rankedServices: readonly FoundService[]): readonly FoundService[] {
  const [first] = rankedServices;
  if (!first || first.coverage === 1) return rankedServices;
  const isFullMatch = ({ entry, coverage, confidence }: FoundService) =>
    coverage === 1 &&
    (entry.item === undefined
      ? !isRequest(entry) && confidence > first.confidence
      : first.coverage < MIN_COVERAGE);
  return rankedServices.toSorted((a, b) => Number(isFullMatch(b)) - Number(isFullMatch(a)));
}

/**
 * Puts a service's items with a price whose titles have the whole question in the order of its
 * catalog, at the position of the first: they differ only in the length of their texts.
 */
function sortSimilarItems(rankedServices: readonly FoundService[]): FoundService[] {
  const similarItems = Map.groupBy(
    rankedServices.filter(
      ({ entry, hasTermsInTitle }) => entry.item && entry.price && hasTermsInTitle,
    ),
    ({ entry }) => entry.subsite,
  );
  return rankedServices.flatMap((one) => {
    const items = similarItems.get(one.entry.subsite);
    if (!items?.includes(one)) return [one];
    return items[0] === one ? items.toSorted((a, b) => a.id - b.id) : [];
  });
}

/**
 * Searches for a question, or for what remains of it without the words about the terms of an offer
 * if the first result has all of that, but not all of the question: “trailer price with tax”.
 */
function findOffers(
  index: ServiceIndex,
  question: string,
  isTyping: boolean,
): readonly FoundService[] {
  const search = (words: string) => promoteFullMatches(findServices(index, words, { isTyping }));
  const rankedServices = search(question);
  const rest = removeOfferTerms(question);
  if (rest === question || rankedServices[0]?.coverage === 1) return rankedServices;
  const servicesForRest = search(rest);
  return servicesForRest[0]?.coverage === 1 ? servicesForRest : rankedServices;
}

/** Minimum share of known terms for a question to count as being in a supported language. */
const MIN_KNOWN_SHARE = 1 / 3;

/**
 * Minimum number of words for a question without any English or Spanish word to count as being in
 * another language.
 */
const MIN_WORDS = 4;

const hasOtherScript = (text: string): boolean => /(?!\p{Script=Latin})\p{L}/u.test(text);

/** Words before the name of a place. */
const PLACE_PREPOSITIONS = new Set(['in', 'near', 'at', 'around', 'en']);

/** The words in text without places, whose names are the same in every language. */
function wordsWithoutPlaces(text: string, phrases: Phrases): string[] {
  const { rest, places } = separatePlaces(wordsOf(text), phrases);
  return places.length ? rest.filter((word) => !PLACE_PREPOSITIONS.has(word)) : rest;
}

/**
 * Whether text with few known words may be in an unsupported language: it is in another script, or
 * is a sentence without function words. Two-letter words occur in many languages.
 */
function isUnknownLanguage(text: string, places: Phrases): boolean {
  const words = wordsWithoutPlaces(text, places);
  return (
    hasOtherScript(text) ||
    (words.length >= MIN_WORDS && words.every((word) => word.length < 3 || termOf(word) !== null))
  );
}

/**
 * Minimum confidence in a service that meets another need, so that a passing mention finds nothing.
 */
const MIN_OTHER_NEED_CONFIDENCE = 30;

/**
 * For a question that names a service that the network does not offer: the services that fully meet
 * other needs in it, one for each need.
 */
function findOtherNeeds(index: NeedIndex, words: string): ServiceEntry[] {
  const needs = splitNeeds(words);
  if (needs.length === 1) return [];
  return needs.flatMap((need) => {
    const [first] = findServices(index, removeDetails(need));
    return first?.coverage === 1 && first.confidence >= MIN_OTHER_NEED_CONFIDENCE
      ? [first.entry]
      : [];
  });
}

/**
 * Minimum confidence in the service that an existing request was sent to, next to words such as
 * “booking”.
 */
const MIN_REQUEST_CONFIDENCE = 16;

/** The service named in a question about an existing request; its page has the number to call. */
const findServiceOfRequest = (index: NeedIndex, otherWords: string): ServiceEntry[] =>
  findServices(index, removeDetails(otherWords))
    .slice(0, 1)
    .filter(({ confidence, entry }) => confidence >= MIN_REQUEST_CONFIDENCE && !isRequest(entry))
    .flatMap(({ entry: { subsite } }) => findServicesByName(index, [subsite]));

/**
 * The service in a need that the network does not offer, as spelled or else after correction, and
 * the other words of the need.
 */
function findNamedService({ notOffered, language }: NeedIndex, need: string, isTyping: boolean) {
  const find = (words: string) => {
    const service = findNotOfferedService(notOffered, words);
    return service && { service, otherWords: removeNamedService(service, words) };
  };
  return find(need) ?? find(correctWords(need, language, isTyping));
}

/**
 * Search results for a need in plain words, and whether the network offers it at all; shared by
 * script, page and API. `filter` filters the entries without affecting whether the need counts as
 * offered.
 */
export function findNeed(
  index: NeedIndex,
  words: string,
  { filter = () => true, isTyping = false }: NeedOptions = {},
): Findings {
  const named = findNamedService(index, words, isTyping);
  if (named) {
    const { service, otherWords } = named;
    return {
      found: [
        ...new Set([
          ...findServicesByName(index, service.instead ?? []),
          ...(service.references
            ? findServiceOfRequest(index, otherWords)
            : findOtherNeeds(index, words)),
        ]),
      ].filter(filter),
      notOffered: service.answer ?? fill(texts.notOffered, { service: service.what }),
      notOfferedCode: service.answer === undefined ? 'not_offered' : 'answered',
      otherWords,
    };
  }
  const rest = removeDetails(readPriceBound(words).rest);
  const search = (question: string) => sortSimilarItems(findOffers(index, question, isTyping));
  const rankedServices = search(rest);
  const [nearest] = rankedServices;
  const maxConfidence = Math.max(...rankedServices.map(({ confidence }) => confidence));
  const relevantServices = rankedServices.filter(
    ({ confidence, coverage }) =>
      confidence > 0 &&
      confidence >=
        MIN_RELATIVE_CONFIDENCE[coverage === 1 ? 'allWords' : 'someWords'] * maxConfidence,
  );
  const found = removeRepeatedRequests(
    promoteOpenServices(relevantServices, rest).map(({ entry }) => entry),
  ).filter(filter);
  // A place and a size say nothing about whether anyone here meets the need.
  const need = removeSizes(removeZipCodes(rest));
  const entriesByTitle = findEntriesByTitle(index, need, words).filter(filter);
  if (entriesByTitle.length > 0) return { found: [...new Set([...entriesByTitle, ...found])] };
  const searchResults = need === rest || !need.trim() ? rankedServices : search(need);
  if (hasCloseMatch(searchResults) || isPartlyMet(index, need, searchResults)) return { found };
  const itemsToBuy = findItemsToBuy(index, need).filter(filter);
  if (itemsToBuy.length > 0) return { found: itemsToBuy };
  const isPossible = (nearest?.confidenceWithPhrases ?? 0) >= PHRASE_THRESHOLDS.possible;
  if (
    !isPossible &&
    (nearest?.coverage ?? 0) < MIN_KNOWN_SHARE &&
    isUnknownLanguage(rest, index.language.places)
  )
    return {
      found: [],
      // Short English sentences can also lack function words, as in “my dog is sick”.
      ...(hasOtherScript(rest)
        ? { notOffered: texts.notUnderstood, notOfferedCode: 'not_understood' }
        : { notOffered: texts.languages, notOfferedCode: 'nothing_found' }),
    };
  const alternatives = found.slice(0, MAX_ALTERNATIVES);
  return {
    found: alternatives,
    ...(isPossible && alternatives.length > 0
      ? { notOffered: texts.uncertain, notOfferedCode: 'uncertain' }
      : { notOffered: texts.nothingFound, notOfferedCode: 'nothing_found' }),
  };
}
