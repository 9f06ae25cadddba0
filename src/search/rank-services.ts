import { memoize } from '../site/memoize.ts';
import { search as texts } from '../text/index.ts';
import { removeOfferTerms } from './details.ts';
import { isRequest } from './passages/entry-titles.ts';
import { findServices, type FoundService, type ServiceIndex } from './find-services.ts';
import { joinWords, termOf } from './index/terms.ts';

/**
 * Puts services that require an account after open services that cover as much of the question with
 * at least half the confidence. A service whose title is identical to the question keeps its
 * position.
 */
export function promoteOpenServices(
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
 * Share of the question that the top result must cover to stay ahead of items that cover all of it.
 */
const MIN_COVERAGE = 0.5;

/**
 * Minimum confidence, without search phrases, of a service that covers the whole question only with
 * its search phrases, which share words with many needs.
 */
const MIN_CONFIDENCE = 15;

/**
 * If the top result does not cover the whole question, puts the results that do so ahead of it:
 * services with a higher confidence and, if the top result covers less than half, items. In that
 * case, the search phrases of a service count too.
 */
function promoteFullMatches(rankedServices: readonly FoundService[]): readonly FoundService[] {
  const [first] = rankedServices;
  if (!first || first.coverage === 1) return rankedServices;
  const isLittle = first.coverage < MIN_COVERAGE;
  const isFullMatch = (one: FoundService) => {
    if (one.coverage === 1)
      return one.entry.item === undefined
        ? !isRequest(one.entry) && one.confidence > first.confidence
        : isLittle;
    return (
      isLittle &&
      one.coverageWithPhrases === 1 &&
      one.confidence >= MIN_CONFIDENCE &&
      one.confidenceWithPhrases > first.confidenceWithPhrases
    );
  };
  return rankedServices.toSorted((a, b) => Number(isFullMatch(b)) - Number(isFullMatch(a)));
}

/** Matches the verb of someone who wants to sell something, but not as in “do you sell couches”. */
const SELL_PATTERN =
  /(?<!\b(?:you|they|who|we|anyone|anybody|someone|somebody|bayline|shops?|stores?)\s)\b(?:sell|selling|vender|vendo)\b/iu;

/**
 * If the top result lacks the verb “sell”, puts first the services that have it and match at least
 * half of the question: someone who wants to sell a couch does not want to pay for its removal.
 */
function promoteSellers(
  rankedServices: readonly FoundService[],
  question: string,
): readonly FoundService[] {
  const verb = SELL_PATTERN.exec(question)?.[0];
  const term = verb === undefined ? null : termOf(verb.toLowerCase());
  if (term === null || !rankedServices[0]?.missingTerms.includes(term)) return rankedServices;
  const isSeller = ({ entry, coverage, missingTerms }: FoundService) =>
    entry.item === undefined &&
    !isRequest(entry) &&
    coverage >= MIN_COVERAGE &&
    !missingTerms.includes(term);
  return rankedServices.toSorted((a, b) => Number(isSeller(b)) - Number(isSeller(a)));
}

/** Puts sold items and past events after other items that match the question equally well. */
function demotePastItems(rankedServices: readonly FoundService[]): readonly FoundService[] {
  const [first] = rankedServices;
  if (!first?.entry.isOver) return rankedServices;
  const { coverage: firstCoverage } = first;
  const isOpenItem = ({ entry: { item, isOver }, coverage }: FoundService) =>
    item !== undefined && !isOver && coverage >= firstCoverage;
  return rankedServices.toSorted((a, b) => Number(isOpenItem(b)) - Number(isOpenItem(a)));
}

/**
 * Share of the best item's confidence above which a service's items that cover the whole question
 * differ only in the length of their texts.
 */
const SIMILAR_ITEM_SHARE = 0.9;

/**
 * Puts a service's priced items that cover the whole question, in their titles or with similar
 * confidence, in catalog order at the position of the first, because they differ only in the length
 * of their texts.
 */
function sortSimilarItems(rankedServices: readonly FoundService[]): FoundService[] {
  const itemsBySubsite = Map.groupBy(
    rankedServices.filter(({ entry, coverage }) => entry.item && entry.price && coverage === 1),
    ({ entry }) => entry.subsite,
  );
  const similarItems = new Map(
    [...itemsBySubsite].map(([subsite, items]) => {
      const itemsByTitle = items.filter(({ hasTermsInTitle }) => hasTermsInTitle);
      const minConfidence = SIMILAR_ITEM_SHARE * items[0]!.confidence;
      return [
        subsite,
        itemsByTitle.length > 0
          ? itemsByTitle
          : items.filter(({ confidence }) => confidence >= minConfidence),
      ];
    }),
  );
  return rankedServices.flatMap((one) => {
    const items = similarItems.get(one.entry.subsite);
    if (!items?.includes(one)) return [one];
    return items[0] === one ? items.toSorted((a, b) => a.id - b.id) : [];
  });
}

/** The number of items in the index, by subsite. */
const countItems = memoize((index: ServiceIndex['index']) => {
  const counts = new Map<string, number>();
  for (const { entry } of index.stored)
    if (entry.item !== undefined) counts.set(entry.subsite, (counts.get(entry.subsite) ?? 0) + 1);
  return counts;
});

/**
 * The items with words of the question in their titles, by how the question names them: `alone`,
 * with a word that no other title of the service has (“6x12”); `together`, only with words that all
 * titles of the service have (“trailer”), so that the question is about the service.
 */
export function groupNamedItems(
  { index }: ServiceIndex,
  rankedServices: readonly FoundService[],
): Map<FoundService, 'alone' | 'some' | 'together'> {
  const itemCounts = countItems(index);
  const items = rankedServices
    .filter(({ entry }) => entry.item !== undefined)
    .map((one) => ({
      one,
      itemCount: itemCounts.get(one.entry.subsite)!,
      words: one.titleTerms.map((term) => `${one.entry.subsite} ${term}`),
    }));
  const titleCounts = new Map<string, number>();
  for (const { words } of items)
    for (const word of words) titleCounts.set(word, (titleCounts.get(word) ?? 0) + 1);
  return new Map(
    items
      .filter(({ words }) => words.length > 0)
      .map(({ one, itemCount, words }) => {
        const counts = words.map((word) => titleCounts.get(word)!);
        if (counts.includes(1)) return [one, 'alone'];
        return [one, counts.every((count) => count === itemCount) ? 'together' : 'some'];
      }),
  );
}

/**
 * Searches for a question. If the top result does not cover all of it, also searches without words
 * about the terms of an offer, as in “trailer price with tax”, and prefers those results if their
 * top result covers everything else.
 */
export function rankServices(
  index: ServiceIndex,
  question: string,
  isTyping: boolean,
): FoundService[] {
  const search = (words: string) =>
    demotePastItems(
      promoteSellers(promoteFullMatches(findServices(index, words, { isTyping })), words),
    );
  const rankedServices = search(question);
  const rest = removeOfferTerms(question);
  const servicesForRest =
    rest === question || rankedServices[0]?.coverage === 1 ? [] : search(rest);
  return sortSimilarItems(servicesForRest[0]?.coverage === 1 ? servicesForRest : rankedServices);
}
