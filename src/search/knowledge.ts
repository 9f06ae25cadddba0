import { memoize } from '../site/memoize.ts';
import { findSubsite, type Registry } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import { removePricedDuration, removeSender } from './details.ts';
import { type Findings, findNeed, type NeedOptions } from './find-need.ts';
import type { Passage, PassageKind } from './passages/passage.ts';
import { type SearchNotice, selectNotice } from './not-offered.ts';
import { createPublishedPassages } from './passages/passages.ts';
import { isAnswer } from './ranking.ts';
import { createServiceIndexInSteps } from './services.ts';
import {
  selectConfidentMatches,
  MAX_SERVICES,
  createServiceToAsk,
  listServicesToAsk,
  type ServiceToAsk,
} from './services-to-ask.ts';
import { createPreparation } from './preparation.ts';
import { termsOf } from './index/terms.ts';
import { createTextIndexInSteps } from './index/text-index.ts';

/**
 * `notOffered` is present if the network lists the service as not offered, or if neither a service
 * nor a passage is a good match.
 */
export interface KnowledgeAnswer extends SearchNotice {
  /**
   * Whether the best match is good enough to count as an answer. If not, the passages are still the
   * best matches, and may include the answer.
   */
  answered: boolean;
  /**
   * The best-matching passages, best first; empty if no passage contains a word of the question. If
   * the question is not answered and the network lists the requested service as not offered, only
   * passages of the services that the notice names.
   */
  passages: Passage[];
  /** The services for the need in the question, as `findNeed` finds them. */
  ask: ServiceToAsk[];
}

export interface KnowledgeQuestion {
  /** The question in plain words; an empty question matches every passage of the subsites. */
  question: string;
  subsites?: readonly string[];
  kinds?: readonly PassageKind[];
  limit?: number;
}

export const DEFAULT_PASSAGE_COUNT = 3;

/** Number of best-matching passages that may agree on an answer. */
const AGREEING_PASSAGE_COUNT = 4;

/** Factor for the answer threshold of a question about given subsites, since its topic is known. */
const NAMED_SUBSITE_FACTOR = 0.05;

type PublishedSite = Pick<Site, 'registry' | 'base'>;

/** The service search data of a registry, built once. */
const servicesOf = memoize((registry: Registry) =>
  createPreparation(() => createServiceIndexInSteps(registry)),
);

/** The passage search data of a site, built once. */
const passagesOf = memoize((site: PublishedSite) => createPreparation(() => indexPassages(site)));

function* indexPassages({ registry, base }: PublishedSite) {
  const entries = yield* createPublishedPassages(registry, base);
  const index = yield* createTextIndexInSteps(registry.network, entries, ({ texts }) => texts);
  return { entries, index };
}

/**
 * Builds the indexes, so that the first question does not wait for them. Requests are answered in
 * the meantime; a question completes the index that it needs.
 */
export async function prepareKnowledge(site: PublishedSite): Promise<void> {
  await passagesOf(site).prepare();
  await servicesOf(site.registry).prepare();
}

export const searchForNeed = (
  site: PublishedSite,
  words: string,
  options?: NeedOptions,
): Findings => findNeed(servicesOf(site.registry).result(), words, options);

/**
 * The services to ask: the given subsites, or else the reliable results of the search for a need,
 * together with everything that the search found.
 */
function findServicesToAsk(
  site: PublishedSite,
  question: string,
  subsites: readonly string[] | undefined,
): Pick<KnowledgeAnswer, 'ask'> & SearchNotice & Partial<Pick<Findings, 'otherWords' | 'found'>> {
  if (subsites)
    return {
      ask: subsites
        .flatMap((name) => findSubsite(site.registry, name) ?? [])
        .slice(0, MAX_SERVICES)
        .map((subsite) => createServiceToAsk(subsite, site, { question })),
    };
  const findings = searchForNeed(site, question);
  return {
    ...findings,
    ask: listServicesToAsk(site, selectConfidentMatches(findings).found, question),
  };
}

/** The beginning of a question that asks for a fact, not for someone to do something. */
const FACT_QUESTION_PATTERN =
  /^[^\p{L}]*(?!(?:where|how) (?:can|do|could) I (?:get|find|buy|hire)|which of you|who(?:['’]s| is) (?:able|available))(?:what|when|where|why|how|which|who(?:['’]s| is| was| are| were)|qué|cuándo|dónde|cómo|cuál|por qué|quién (?:es|fue))(?!\p{L})/iu;

/** The notice for a question that counts as unanswered, although the passages may answer it. */
function createNotice(
  question: string,
  findings: SearchNotice,
  passages: readonly unknown[],
): SearchNotice {
  const notice = selectNotice(findings);
  const asksForFact = FACT_QUESTION_PATTERN.test(question);
  if (notice.notOfferedCode !== 'nothing_found' || !asksForFact) return notice;
  return passages.length > 0 ? {} : { ...notice, notOffered: NOTHING_PUBLISHED_TEXT };
}

/** Removes each passage whose terms all occur in a single earlier passage. */
function removeRepetitions(passages: readonly Passage[]): Passage[] {
  const quotedTerms: ReadonlySet<string>[] = [];
  return passages.filter(({ text }) => {
    const terms = new Set(termsOf(text));
    const isRepeated = quotedTerms.some((others) => terms.isSubsetOf(others));
    quotedTerms.push(terms);
    return !isRepeated;
  });
}

/**
 * Searches all published text of the network for a question and returns passages with their
 * sources. The text is quoted, never generated. The best-matching passages are always returned;
 * `answered` says whether they count as an answer.
 */
export function searchKnowledge(
  site: PublishedSite,
  { question, subsites, kinds, limit = DEFAULT_PASSAGE_COUNT }: KnowledgeQuestion,
): KnowledgeAnswer {
  const { entries, index } = passagesOf(site).result();
  const filter = ({ passage }: (typeof entries)[number]) =>
    (!subsites || subsites.includes(passage.subsite ?? '')) &&
    (!kinds || kinds.includes(passage.kind));
  if (!question.trim()) {
    const all = entries.filter(filter).slice(0, limit);
    const passages = all.map(({ passage }) => passage);
    return { answered: all.length > 0, passages, ask: [] };
  }
  const searchPassages = (words: string) => {
    const found = index.search(words, filter);
    const [first, ...others] = found.slice(0, AGREEING_PASSAGE_COUNT);
    const subsite = first?.entry.passage.subsite;
    const isFound = isAnswer(
      first?.match,
      others
        .filter(({ entry: { passage } }) => subsite !== undefined && passage.subsite === subsite)
        .map(({ match }) => match),
      subsites ? NAMED_SUBSITE_FACTOR : 1,
    );
    return { found, isFound };
  };
  const search = (words: string) => {
    const rest = removeSender(words);
    const results = searchPassages(rest);
    const shorterQuestion = removePricedDuration(rest);
    if (results.isFound || shorterQuestion === rest) return results;
    const shorterResults = searchPassages(shorterQuestion);
    return shorterResults.isFound ? shorterResults : results;
  };
  const {
    otherWords,
    ask,
    found: entriesToAsk = [],
    ...findings
  } = findServicesToAsk(site, question, subsites);
  const isListed = otherWords !== undefined;
  // An answer about the network itself names services, whose passages say more.
  const namedSubsites =
    findings.notOfferedCode === 'answered' ? entriesToAsk.map(({ subsite }) => subsite) : [];
  const isNamed = ({ entry: { passage } }: (typeof whole)['found'][number]) =>
    passage.subsite !== undefined && namedSubsites.includes(passage.subsite);
  const whole = search(question);
  const isAnsweredByNamed = whole.isFound && isNamed(whole.found[0]!);
  // A passage about something else does not answer a need that nobody here meets.
  const { found, isFound } =
    isListed && whole.isFound && !isAnsweredByNamed ? search(otherWords) : whole;
  const answered = whole.isFound && isFound;
  const passages = (isListed && !answered ? found.filter(isNamed) : found).slice(0, limit);
  // A greeting expresses no need, and a passage that answers the question outweighs a search that
  // finds no service.
  const isNeed = termsOf(question).length > 0;
  return {
    answered,
    passages: passages.map(({ entry }) => entry.passage),
    ...((isListed || (isNeed && !answered)) && createNotice(question, findings, passages)),
    ask,
  };
}

/** Text for passages that do not count as an answer. */
export const UNCERTAIN_ANSWER_TEXT =
  'The search cannot tell whether these published passages answer the question. Read them: if one does, quote it with its url; otherwise, ask the service.';

/** Text for a question if no passage contains any of its words. */
export const NOTHING_PUBLISHED_TEXT = 'Nothing published answers this.';

/** The text after the notice about what the network does not offer, if there is one. */
export const withNotOfferedNotice = (notOffered: string | undefined, text: string): string =>
  notOffered === undefined ? text : `${notOffered} ${text}`;

/**
 * The answer as text: the notice, if any, then the passages without repetitions. If they do not
 * count as an answer, only the notice, or without one, a sentence about the passages.
 */
export function formatAnswerText({
  notOffered,
  answered,
  passages,
}: Pick<KnowledgeAnswer, 'notOffered' | 'answered' | 'passages'>): string {
  if (!answered)
    return notOffered ?? (passages.length ? UNCERTAIN_ANSWER_TEXT : NOTHING_PUBLISHED_TEXT);
  return withNotOfferedNotice(
    notOffered,
    removeRepetitions(passages)
      .map(({ text }) => text)
      .join(' '),
  );
}
