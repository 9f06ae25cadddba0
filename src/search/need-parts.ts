import { removeDetails } from './details.ts';
import { findServices, type ServiceEntry, type ServiceIndex } from './find-services.ts';
import { FILLER_WORDS } from './not-offered.ts';
import { termOf, termsOf, wordsOf } from './index/terms.ts';

/**
 * Matches a need that also says whom or what it is for: “a trailer for Bob”, “a website for my
 * bakery”.
 */
const NEED_FOR_PATTERN = /^(?<need>.*)\s(?:for|para)\s(?!(?:sale|rent|hire|free)\b)/isu;

/** What is wanted: the part of a need before “for”; undefined for a need without “for”. */
export const findWantedPart = (need: string): string | undefined =>
  NEED_FOR_PATTERN.exec(need)?.groups?.['need'];

/** Separates the needs in one question: “a plumber, and my AC is off”. */
const NEED_SEPARATOR_PATTERN = /[.,;:!?]|\s(?:and|also|plus|y|también)\s/iu;

/** Maximum number of needs in one question; each is searched for separately. */
const MAX_NEEDS = 4;

/**
 * The needs in one question, at most {@link MAX_NEEDS}; the question itself if it contains only one
 * need.
 */
export const splitNeeds = (words: string): string[] =>
  words.split(NEED_SEPARATOR_PATTERN, MAX_NEEDS);

/**
 * Minimum confidence for a service to meet one of several needs, so that a passing mention does not
 * count as a need.
 */
const MIN_PART_CONFIDENCE = 30;

/** The service, if any, that fully meets a need in one part of a question. */
function findServiceForPart(index: ServiceIndex, need: string): ServiceEntry | undefined {
  const [first] = findServices(index, removeDetails(need));
  return first?.coverage === 1 && first.confidence >= MIN_PART_CONFIDENCE ? first.entry : undefined;
}

/**
 * For a question about a service that the network does not offer: the services that fully meet the
 * question's other needs, one for each, in the order of a search for the whole question.
 */
export function findOtherNeeds(index: ServiceIndex, words: string): ServiceEntry[] {
  const needs = splitNeeds(words);
  if (needs.length === 1) return [];
  const ranked = findServices(index, removeDetails(words)).map(({ entry }) => entry);
  return needs
    .flatMap((need) => findServiceForPart(index, need) ?? [])
    .sort((a, b) => ranked.indexOf(a) - ranked.indexOf(b));
}

/**
 * Separates needs that do not depend on each other; a comma may separate a need from its reason.
 */
const INDEPENDENT_NEED_SEPARATOR_PATTERN = /[.;!?]\s|\s(?:and|also|plus|y|también)\s/iu;

/**
 * A reference to something in another part of the question: “my fridge died and must be hauled”.
 */
const PRONOUN_PATTERN = /\b(?:it|its|them|that|those|this|one|ones)\b/iu;

/** Words with which people talk about themselves, as in “I’m a plumber”. */
const SELF_PATTERN = /\b(?:i|we|soy|somos|tengo|tenemos)\b/iu;
/** A statement about someone or something, as in “my landlord is a lawyer”. */
const STATEMENT_PATTERN =
  /\b(?:my|our|the|a)\s\w+\s(?:is|was|are|were|comes?|came|said|says|took|has|had)\b/iu;
/** Words that ask for something. */
const REQUEST_PATTERN = /\b(?:needs?|want|would|looking|find|hire|get)\b/iu;

/**
 * The verb at the beginning of a need, such as “haul” in “haul away my couch”, which also applies
 * to a thing after “and”; undefined in “my AC is leaking” or “I need a trailer”.
 */
function findVerb(need: string): string | undefined {
  const first = wordsOf(need).find((word) => FILLER_WORDS.has(word) || termOf(word) !== null);
  return first !== undefined && !FILLER_WORDS.has(first) && termsOf(need).length > 1
    ? first
    : undefined;
}

/**
 * What a question asks for besides the needs that a service fully meets, such as “a plumber” in “a
 * plumber and also a trailer”; undefined if no service fully meets a need in the question.
 */
export function findUnmetNeed(index: ServiceIndex, words: string): string | undefined {
  const needs = words.split(INDEPENDENT_NEED_SEPARATOR_PATTERN, MAX_NEEDS);
  if (needs.length === 1) return undefined;
  const isMet = (need: string) =>
    !PRONOUN_PATTERN.test(need) && findServiceForPart(index, need) !== undefined;
  const parts = needs.map((need, position) => {
    if (!isMet(need)) return need;
    const [nextWord = ''] = wordsOf(needs[position + 1] ?? '');
    // “rent tables and a tent” asks for tent rental, but “pool salt and cleaning tools” does not
    // ask for pool cleaning.
    return [findVerb(need) ?? '', ...(FILLER_WORDS.has(nextWord) ? [] : ['and'])].join(' ');
  });
  const rest = parts.join(' ');
  const isSituation =
    (SELF_PATTERN.test(rest) || STATEMENT_PATTERN.test(rest)) && !REQUEST_PATTERN.test(rest);
  return isSituation || parts.every((part, position) => part === needs[position])
    ? undefined
    : (findWantedPart(rest) ?? rest);
}
