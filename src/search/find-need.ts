import { fill } from '../text/fill.ts';
import { search as texts } from '../text/index.ts';
import { hasOnlyDetails, removeDetails, removeSizesAndPlaces } from './details.ts';
import { findEntriesByTitle, findServicesByName, isRequest } from './passages/entry-titles.ts';
import {
  findServices,
  type FoundService,
  type ServiceEntry,
  type ServiceIndex,
} from './find-services.ts';
import {
  type NotOfferedService,
  type SearchNotice,
  answerForQuestion,
  findUnofferedService,
  removeNamedService,
} from './not-offered.ts';
import {
  findItemsToBuy,
  findWantedServices,
  hasCloseMatch,
  isPartlyMet,
  isUnofferedWork,
  PHRASE_THRESHOLDS,
} from './close-match.ts';
import { findOtherNeeds, findUnmetNeed } from './need-parts.ts';
import { readPriceBound } from './price-bound.ts';
import { correctWords } from './question.ts';
import { groupNamedItems, promoteOpenServices, rankServices } from './rank-services.ts';
import { hasOtherScript, isUnknownLanguage } from './unknown-language.ts';

export interface NeedIndex extends ServiceIndex {
  notOffered: readonly NotOfferedService[];
}

export interface Findings extends SearchNotice {
  /**
   * The results, best match first; if the network does not offer the service, alternatives, and
   * services for other needs in the question.
   */
  found: readonly ServiceEntry[];
  /** If the network lists the service as not offered: the other words of the question. */
  otherWords?: string;
}

export interface NeedOptions {
  filter?: (entry: ServiceEntry) => boolean;
  /** Whether the last word may be unfinished, while the user types. */
  isTyping?: boolean;
}

/** Maximum number of services if the search is not sure that any of them meets the need. */
const MAX_ALTERNATIVES = 2;

/**
 * Share of the top result's confidence below which another result matches only by chance: for a
 * result with every word of the question, and for one that lacks some, perhaps the words that
 * matter.
 */
const MIN_RELATIVE_CONFIDENCE = { allWords: 0.12, someWords: 0.2 };

/** Removes the requests of a service that is also listed, because the service links to them. */
function removeRepeatedRequests(found: readonly ServiceEntry[]): ServiceEntry[] {
  const offered = new Set(
    found.flatMap(({ requests = [] }) => requests.map((request) => request.path)),
  );
  return found.filter(({ path }) => !offered.has(path));
}

/** Minimum share of known terms for a question to count as being in a supported language. */
const MIN_KNOWN_SHARE = 1 / 3;

/**
 * Minimum confidence in the service that got an existing request, if the text also has words such
 * as “booking”.
 */
const MIN_REQUEST_CONFIDENCE = 16;

/** The service named in a question about an existing request; its page has the number to call. */
const findServiceOfRequest = (index: NeedIndex, otherWords: string): ServiceEntry[] =>
  findServices(index, removeDetails(otherWords))
    .slice(0, 1)
    .filter(({ confidence, entry }) => confidence >= MIN_REQUEST_CONFIDENCE && !isRequest(entry))
    .flatMap(({ entry: { subsite } }) => findServicesByName(index, [subsite]));

/**
 * The unoffered service that a need names, as spelled or after correction, and the other words of
 * the need. Words of an offered service are exceptions only if a single need contains both:
 * “trailer tires”, but not “tires and a trailer”.
 */
function findNamedService(index: NeedIndex, need: string, isTyping: boolean) {
  const correct = (words: string) => correctWords(words, index.vocabulary, isTyping);
  const find = (words: string, part = words) => {
    const service = findUnofferedService(index.notOffered, part);
    return service && { service, otherWords: removeNamedService(service, words) };
  };
  const asSpelled = find(need);
  if (asSpelled) return asSpelled;
  const corrected = correct(need);
  const asCorrected = find(corrected);
  if (asCorrected) return asCorrected;
  const unmetNeed = findUnmetNeed(index, need);
  return unmetNeed === undefined ? undefined : find(corrected, correct(unmetNeed));
}

const NOTHING_FOUND: SearchNotice = {
  notOffered: texts.nothingFound,
  notOfferedCode: 'nothing_found',
};

/** The results that are not much less likely than the top result. */
function selectRelevantServices(
  index: NeedIndex,
  rankedServices: readonly FoundService[],
): FoundService[] {
  const [topService] = rankedServices;
  const maxConfidence = Math.max(...rankedServices.map(({ confidence }) => confidence));
  const namedItems = groupNamedItems(index, rankedServices);
  return rankedServices.filter((one, position) => {
    const { confidence, coverage, entry } = one;
    return (
      confidence > 0 &&
      // A page that needs an account, such as the inbox of providers, shares words with many needs.
      (entry.kind !== texts.kinds.account || position === 0 || coverage === 1) &&
      (coverage === 1 || namedItems.get(one) !== 'together') &&
      (confidence >=
        MIN_RELATIVE_CONFIDENCE[coverage === 1 ? 'allWords' : 'someWords'] * maxConfidence ||
        // A service often contains more of the question's words than the item that the question
        // names.
        (entry.subsite === topService?.entry.subsite && namedItems.get(one) === 'alone'))
    );
  });
}

/**
 * Search results for a need in plain words, and whether the network can meet it at all; shared by
 * the script, the page and the API. `filter` filters the results without affecting whether the need
 * counts as met.
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
      notOffered:
        answerForQuestion(service, words) ?? fill(texts.notOffered, { service: service.what }),
      notOfferedCode: service.answer === undefined ? 'not_offered' : 'answered',
      otherWords,
    };
  }
  const rest = removeDetails(readPriceBound(words).rest);
  // A place and a size say nothing about whether anyone here meets the need.
  const need = removeSizesAndPlaces(rest);
  const search = (question: string) => rankServices(index, question, isTyping);
  const rankedServices = search(rest);
  const [topService] = rankedServices;
  const isSearchedOnce = need === rest || !need.trim();
  const searchResults = isSearchedOnce ? rankedServices : search(need);
  const relevantServices = selectRelevantServices(index, rankedServices);
  const relevantResults = isSearchedOnce ? [] : selectRelevantServices(index, searchResults);
  const isRelevantResult = (one: FoundService) =>
    one.confidence > 0 &&
    (one.entry.subsite === topService?.entry.subsite || relevantResults.includes(one));
  const relevantIds = new Set(searchResults.filter(isRelevantResult).map(({ id }) => id));
  const relevantEntries = removeRepeatedRequests(
    promoteOpenServices(
      relevantServices.filter(
        // Matching only a number is not enough: a pole that is 16 feet long does not meet “16-foot
        // trailer”.
        ({ id }) => isSearchedOnce || relevantIds.has(id),
      ),
      rest,
    ).map(({ entry }) => entry),
  );
  const found = relevantEntries.filter(filter);
  const entriesByTitle = findEntriesByTitle(index, need, words).filter(filter);
  if (entriesByTitle.length > 0) {
    const partialMatches = new Set(
      rankedServices.filter(({ coverage }) => coverage < 1).map(({ entry }) => entry),
    );
    return {
      found: [
        // Next to an entry with that title, an entry with only some of the words would mislead.
        ...new Set([...entriesByTitle, ...found.filter((entry) => !partialMatches.has(entry))]),
      ],
    };
  }
  if (hasOnlyDetails(words, index.vocabulary))
    return { found: [], notOffered: texts.noNeed, notOfferedCode: 'not_understood' };
  // Words of another need would only mislead, such as the repair of rented washers for “sewing
  // machine repair”.
  if (isUnofferedWork(index, need)) return { found: [], ...NOTHING_FOUND };
  const wantedServices = findWantedServices(index, need, searchResults);
  if (wantedServices?.length === 0) return { found: [], ...NOTHING_FOUND };
  if (wantedServices) return { found: [...new Set([...wantedServices.filter(filter), ...found])] };
  if (
    relevantEntries.length > 0 &&
    (hasCloseMatch(searchResults) || isPartlyMet(index, need, searchResults))
  )
    return { found };
  const itemsToBuy = findItemsToBuy(index, need).filter(filter);
  if (itemsToBuy.length > 0) return { found: itemsToBuy };
  const isPossible = (topService?.confidenceWithPhrases ?? 0) >= PHRASE_THRESHOLDS.possible;
  if (
    !isPossible &&
    (topService?.coverage ?? 0) < MIN_KNOWN_SHARE &&
    isUnknownLanguage(rest, index)
  )
    return {
      found: [],
      // Short English sentences can also lack function words, as in “my dog is sick”.
      ...(hasOtherScript(rest)
        ? { notOffered: texts.notUnderstood, notOfferedCode: 'not_understood' }
        : { notOffered: texts.languages, notOfferedCode: 'nothing_found' }),
    };
  // Nothing here is related, so the words that match by chance would only mislead.
  if (!isPossible) return { found: [], ...NOTHING_FOUND };
  const possibleServices = promoteOpenServices(rankedServices, rest)
    .filter(
      ({ entry, confidenceWithPhrases }) =>
        entry.item === undefined &&
        !isRequest(entry) &&
        confidenceWithPhrases >= PHRASE_THRESHOLDS.possible,
    )
    .map(({ entry }) => entry)
    .filter(filter)
    .slice(0, MAX_ALTERNATIVES);
  return {
    found: possibleServices,
    ...(possibleServices.length > 0
      ? { notOffered: texts.uncertain, notOfferedCode: 'uncertain' }
      : NOTHING_FOUND),
  };
}
