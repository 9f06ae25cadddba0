import { search } from '../text/index.ts';
import { findServices, type FoundService, type ServiceIndex } from './find-services.ts';
import { isRequest } from './passages/entry-titles.ts';
import { splitNeeds, findWantedPart } from './need-parts.ts';
import { termOf, termsIn, termsOf, wordsOf } from './index/terms.ts';

/**
 * Minimum confidence at which the top result meets a need although it lacks some of its words. In a
 * sample, this threshold excluded 1 of the 83 needs that a service meets, and 34 of the 51 needs
 * that no service meets.
 */
const MIN_CONFIDENCE = 12;

/**
 * Minimum confidence, with search phrases, at which the top service may meet the need (`possible`),
 * or meets it if no other service has more than `competitorShare` of that confidence (`met`).
 * Chosen with half of the sample in test/search/needs.txt.
 */
export const PHRASE_THRESHOLDS = { met: 18, competitorShare: 0.5, possible: 10 };

/**
 * Minimum confidence and coverage of a service without a competitor, that is, without another
 * service that has more than `competitorShare` of that confidence.
 */
const LONE_SERVICE_THRESHOLDS = { confidence: 5, coverage: 0.4, competitorShare: 0.2 };

/**
 * Whether one of a service's items contains every word of the need that the service itself lacks,
 * as in “is the mixer still available”.
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
 * Whether the top service meets the need: by itself, through one of its items, or because it has no
 * competitor.
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

/**
 * Maximum number of terms before “for” that name what is wanted; more terms describe a situation.
 */
const MAX_WANTED_TERMS = 3;

/**
 * For a need that also names a purpose, finds services for the wanted thing if the top service has
 * none of its words. Their titles contain all of its words, such as a generator rental for “a
 * generator for my wedding”. Empty if no service is about the thing, as for “a bartender for my
 * wedding”. Undefined for any other need.
 */
export function findWantedServices(
  index: ServiceIndex,
  need: string,
  [topService]: readonly FoundService[],
): FoundService['entry'][] | undefined {
  const wanted = findWantedPart(need);
  if (!topService || !wanted || splitNeeds(wanted).length > 1) return undefined;
  const termCount = termsOf(wanted).length;
  if (termCount === 0 || termCount > MAX_WANTED_TERMS) return undefined;
  const servicesWithWords = findServices(index, wanted);
  if (servicesWithWords.some(({ id, coverage }) => id === topService.id && coverage > 0))
    return undefined;
  const wantedServices = servicesWithWords.filter(
    ({ entry, hasTermsInTitle }) => hasTermsInTitle && !entry.item && !isRequest(entry),
  );
  const isPossible = servicesWithWords.some(
    ({ coverage, confidenceWithPhrases }) =>
      coverage > 0 || confidenceWithPhrases >= PHRASE_THRESHOLDS.possible,
  );
  return wantedServices.length > 0 || !isPossible
    ? wantedServices.map(({ entry }) => entry)
    : undefined;
}

/** Terms for work on a thing: “garage door repair”, “install a fence”. */
const WORK_TERMS = new Set(
  termsOf(
    'repair fix assemble install tune replace restore reparar reparación repare ' +
      'reparen arreglar arreglo arregle arreglen instalar instalación instale instalen',
  ),
);

const REPLACEMENT_TERM = termOf('replace');

/**
 * Words that may accompany a kind of work but name no thing: “ac needs fast repair”, “same day
 * furnace repair”.
 */
const WORK_DETAIL_WORDS = new Set(
  (
    'needs needed needing quick quickly fast same day today urgent emergency cheap cheapest ' +
    'affordable best good great reliable licensed certified professional pro local nearby new ' +
    'old broken service services company companies contractor contractors technician tech guy ' +
    'person people help cost price estimate quote rapido barato urgente upstairs downstairs ' +
    'bedroom basement attic kitchen bathroom living room'
  ).split(' '),
);

/** Maximum number of words that name a thing; more words describe a situation. */
const MAX_THING_WORDS = 3;

interface Work {
  work: string;
  thing: string[];
}

/** Phrases for work that is neither a repair nor an installation, such as maintenance. */
const PHRASAL_VERB_PATTERN = /\b(?:fix|fixing|tune|tuning)[\s-]?ups?\b/iu;

/**
 * The kind of work and the thing in a need that names nothing else; undefined for any other need.
 */
function readWork(need: string): Work | undefined {
  if (PHRASAL_VERB_PATTERN.test(need)) return undefined;
  const words = wordsOf(need).filter(
    (word) => termOf(word) !== null && !WORK_DETAIL_WORDS.has(word),
  );
  const position = [0, words.length - 1].find((end) =>
    WORK_TERMS.has(termOf(words[end] ?? '') ?? ''),
  );
  if (position === undefined) return undefined;
  const thing = words.toSpliced(position, 1);
  return thing.length > 0 && thing.length <= MAX_THING_WORDS
    ? { work: words[position]!, thing }
    : undefined;
}

/**
 * Whether a service that does this work has all the words for the thing, or its last word as a
 * name. A service that mentions replacements only in its search phrases, as for rented washers,
 * must have them all.
 */
function isWorkOffered(index: ServiceIndex, { work, thing }: Work): boolean {
  const terms = termsIn(thing);
  const name = index.vocabulary
    .findSynonyms(terms)
    .find((group) => group.terms.at(-1) === terms.at(-1));
  const servicesForWork = findServices(index, work).filter(({ entry }) => entry.item === undefined);
  const subsitesWith = (measure: 'coverage' | 'coverageWithPhrases') =>
    new Set(servicesForWork.filter((one) => one[measure] === 1).map(({ entry }) => entry.subsite));
  const workers = subsitesWith('coverage');
  const replacers =
    termOf(work) === REPLACEMENT_TERM ? subsitesWith('coverageWithPhrases') : workers;
  return findServices(index, thing.join(' ')).some(
    ({ entry, missingTerms }) =>
      (missingTerms.length === 0 && replacers.has(entry.subsite)) ||
      (workers.has(entry.subsite) &&
        name?.terms.every((term) => !missingTerms.includes(term)) === true),
  );
}

/**
 * Whether the need is work on a thing that no service does, such as “sewing machine repair”, which
 * shares its words with a repair service for washing machines.
 */
export function isUnofferedWork(index: ServiceIndex, need: string): boolean {
  const works = [need, findWantedPart(need) ?? ''].flatMap((words) => readWork(words) ?? []);
  return works.length > 0 && !works.some((work) => isWorkOffered(index, work));
}

/** Words about buying and selling, which do not occur in the texts of items for sale. */
const BUYING_PATTERN =
  /(?<!\p{L})(?:buy(?:ing)?|purchase|for sale|on sale|sold|selling|sell|comprar|en venta|venden)(?!\p{L})/giu;

/** The items that contain all other words of a need to buy something, as in “buy a kayak”. */
export function findItemsToBuy(index: ServiceIndex, need: string): FoundService['entry'][] {
  const remainingNeed = need.replace(BUYING_PATTERN, ' ');
  return remainingNeed === need
    ? []
    : findServices(index, remainingNeed)
        .filter(({ entry, coverage }) => entry.item !== undefined && coverage === 1)
        .map(({ entry }) => entry);
}

/**
 * Whether the top service meets a need in one part of the question: in the words before “for”, or
 * in a sentence beside others that say for whom or why, as in “I groom dogs and want a web page”.
 */
export function isPartlyMet(
  index: ServiceIndex,
  words: string,
  rankedServices: readonly FoundService[],
): boolean {
  // The first service may match only by its search phrases.
  const topService = rankedServices.find(({ confidence }) => confidence > 0);
  if (!topService) return false;
  const before = findWantedPart(words);
  const needs = splitNeeds(words);
  return [...(before === undefined ? [] : [before]), ...(needs.length > 1 ? needs : [])].some(
    (need) => {
      const servicesForNeed = findServices(index, need);
      return (
        hasCloseMatch(servicesForNeed) &&
        servicesForNeed.some(
          ({ entry, coverage }, position) =>
            (position === 0 || coverage === 1) && entry.subsite === topService.entry.subsite,
        )
      );
    },
  );
}
