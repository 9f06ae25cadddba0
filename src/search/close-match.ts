import { search } from '../text/index.ts';
import { findServices, type FoundService, type ServiceIndex } from './find-services.ts';
import { joinWords, termsOf } from './terms.ts';

/**
 * Minimum confidence for the nearest entry to meet the need if it lacks some of the words. In a
 * sample, it excluded 1 of the 83 needs that a service meets, and 34 of the 51 needs that no
 * service meets.
 */
const MIN_CONFIDENCE = 12;

/**
 * Minimum confidence with search phrases for the nearest service to possibly meet the need, or to
 * meet it if no other service has more than `competitorShare` of that confidence. Chosen with half
 * of the sample in test/search/needs.txt.
 */
export const PHRASE_THRESHOLDS = { met: 18, competitorShare: 0.5, possible: 10 };

/**
 * Minimum confidence and coverage of a service without a competitor, that is, without another
 * service that has more than `competitorShare` of that confidence.
 */
const LONE_SERVICE_THRESHOLDS = { confidence: 5, coverage: 0.4, competitorShare: 0.2 };

/**
 * Whether one of a service's items has every word of the need that is missing from the service: “is
 * the mixer still available”.
 */
function isMetByItem(ownEntries: readonly FoundService[]): boolean {
  const missingTerms = ownEntries.find(
    ({ entry }) => entry.kind !== search.kinds.request && !entry.item,
  )?.missingTerms;
  return (
    missingTerms !== undefined &&
    ownEntries.some(
      (own) =>
        own.entry.item !== undefined &&
        own.missingTerms.every((term) => !missingTerms.includes(term)),
    )
  );
}

/**
 * Whether the first service meets the need: by itself, through one of its items, or because it has
 * no competitor.
 */
export function hasCloseMatch(rankedServices: readonly FoundService[]): boolean {
  const [first] = rankedServices;
  if (!first) return false;
  const { confidence, confidenceWithPhrases, coverage } = first;
  if (coverage === 1) return true;
  const isOwn = ({ entry: { subsite } }: FoundService) => subsite === first.entry.subsite;
  if (rankedServices.some((one) => isOwn(one) && one.confidence >= MIN_CONFIDENCE)) return true;
  if (isMetByItem(rankedServices.filter(isOwn))) return true;
  const hasNoCompetitor = (
    measure: 'confidence' | 'confidenceWithPhrases',
    competitorShare: number,
  ) =>
    rankedServices.every((one) => isOwn(one) || one[measure] <= competitorShare * first[measure]);
  return (
    (confidenceWithPhrases >= PHRASE_THRESHOLDS.met &&
      hasNoCompetitor('confidenceWithPhrases', PHRASE_THRESHOLDS.competitorShare)) ||
    (confidence >= LONE_SERVICE_THRESHOLDS.confidence &&
      coverage >= LONE_SERVICE_THRESHOLDS.coverage &&
      hasNoCompetitor('confidence', LONE_SERVICE_THRESHOLDS.competitorShare))
  );
}

/** Work on a thing: “guitar repair”, “ikea furniture assembly”, “repair my guitar”. */
const WORK_PATTERNS = [
  /(?<= )(?!(?:quick|fast|day|urgent|emergency|cheap|affordable|local|good|professional) )(?<thing>\S+) (?<work>repairs?|repairing|assembly|installation|tuning) $/u,
  /^ (?<work>repair|fix|assemble|install|tune) (?:my |the |our |an? )?(?:\S+ ){0,2}?(?<thing>\S+) $/u,
];

/**
 * Whether the whole need is work on a thing, and the nearest service does not do this work or has no
 * such thing, so that it matches by other words: a heating repair service for “hot tub repair”.
 */
export function isWorkOnOtherThing(
  index: ServiceIndex,
  need: string,
  [nearest]: readonly FoundService[],
): boolean {
  const words = joinWords(need);
  const groups = WORK_PATTERNS.map((pattern) => pattern.exec(words)?.groups).find(
    (found) => found !== undefined,
  );
  if (!groups || !nearest) return false;
  const ownEntriesFor = (word: string) =>
    findServices(index, word).filter(({ entry }) => entry.subsite === nearest.entry.subsite);
  const { work = '', thing = '' } = groups;
  const doesWork = ownEntriesFor(work).some(({ coverage }) => coverage === 1);
  const hasThing =
    termsOf(thing).length === 0 ||
    ownEntriesFor(thing).some(({ confidenceWithPhrases }) => confidenceWithPhrases > 0);
  return !doesWork || !hasThing;
}

/** Words about buying, which do not occur in items that are for sale. */
const BUYING_PATTERN =
  /(?<!\p{L})(?:buy(?:ing)?|purchase|for sale|on sale|sold|selling|sell|comprar|en venta|venden)(?!\p{L})/giu;

/** The items that have all the remaining words of a need to buy something, as in “buy a kayak”. */
export function findItemsToBuy(index: ServiceIndex, need: string): FoundService['entry'][] {
  const remainingNeed = need.replace(BUYING_PATTERN, ' ');
  return remainingNeed === need
    ? []
    : findServices(index, remainingNeed)
        .filter(({ entry, coverage }) => entry.item !== undefined && coverage === 1)
        .map(({ entry }) => entry);
}

/** A need that also says for whom or for what: “a trailer for Bob”, “a website for my bakery”. */
const NEED_FOR_PATTERN = /^(?<need>.*)\s(?:for|para)\s/isu;

/** Separates the needs in one question: “a plumber, and my AC is off”. */
const NEED_SEPARATOR_PATTERN = /[.,;:!?]|\s(?:and|also|plus|y|también)\s/iu;

/** Maximum number of needs in one question; each is searched for separately. */
const MAX_NEEDS = 4;

/** The needs in one question, at most {@link MAX_NEEDS}; the question itself if it is one need. */
export const splitNeeds = (words: string): string[] =>
  words.split(NEED_SEPARATOR_PATTERN, MAX_NEEDS);

/**
 * Whether a part of the question is a need that the nearest service meets: the words before “for”,
 * or a sentence next to others that say for whom or why, as in “I groom dogs and want a web page”.
 */
export function isPartlyMet(
  index: ServiceIndex,
  words: string,
  rankedServices: readonly FoundService[],
): boolean {
  // The first may match by its search phrases alone.
  const nearest = rankedServices.find(({ confidence }) => confidence > 0);
  if (!nearest) return false;
  const before = NEED_FOR_PATTERN.exec(words)?.groups?.['need'];
  const needs = splitNeeds(words);
  return [...(before === undefined ? [] : [before]), ...(needs.length > 1 ? needs : [])].some(
    (need) => {
      const servicesForNeed = findServices(index, need);
      return (
        hasCloseMatch(servicesForNeed) &&
        servicesForNeed.some(
          ({ entry, coverage }, position) =>
            (position === 0 || coverage === 1) && entry.subsite === nearest.entry.subsite,
        )
      );
    },
  );
}
