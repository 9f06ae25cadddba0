import type { Subsite } from '../registry/subsite.ts';
import { memoize } from '../site/memoize.ts';
import type { Registry } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import { type Findings, findNeed, type NeedOptions } from './find-need.ts';
import { findServices } from './find-services.ts';
import type { Passage, PassageKind } from './passage.ts';
import { publishedPassages } from './passages.ts';
import { MIN_ANSWER_CONFIDENCE } from './ranking.ts';
import { serviceIndex } from './services.ts';
import { textIndex } from './text-index.ts';

/** A subsite to ask if there is no published answer. */
export interface SubsiteToAsk {
  subsite: string;
  title: string;
  url: string;
  /** Verbs of its actions. */
  actions: string[];
}

export interface KnowledgeAnswer {
  /**
   * Whether the nearest passage is close enough to count as an answer. Otherwise the passages are
   * the best matches, which may still include the answer.
   */
  answered: boolean;
  /** The nearest passages, best first; empty if none contains a word of the question. */
  passages: Passage[];
  /** Subsites to ask if there is no answer. */
  ask: SubsiteToAsk[];
}

export interface KnowledgeQuestion {
  /** In plain words; an empty one asks for every passage of the subsites. */
  question: string;
  /** Only passages of these subsites. */
  subsites?: readonly string[];
  /** Only passages of these kinds. */
  kinds?: readonly PassageKind[];
  /** Maximum number of passages. */
  limit?: number;
}

/** Default number of passages in an answer. */
export const DEFAULT_PASSAGES = 3;
const MAX_TO_ASK = 3;

/** Minimum confidence that a question is about a service. */
const MIN_TOPIC_CONFIDENCE = 40;

/** Factor on the threshold for questions to given subsites, whose topic is known. */
const NAMED_SUBSITE_FACTOR = 0.05;

type PublishedSite = Pick<Site, 'registry' | 'base'>;

/** The service search data of a registry, built once. */
const servicesOf = memoize((registry: Registry) => ({
  services: serviceIndex(registry),
  subsites: new Map(registry.subsites.map((subsite) => [subsite.name, subsite])),
}));

/** The passage search data of a site, built once. */
const passagesOf = memoize(({ registry, base }: PublishedSite) => {
  const entries = publishedPassages(registry, base);
  return { entries, index: textIndex(registry.network, entries, ({ texts }) => texts) };
});

/** Builds the indexes, so that the first question does not wait for them. */
export function prepareKnowledge(site: PublishedSite): void {
  passagesOf(site);
  servicesOf(site.registry);
}

/** Subsites for a request in plain words, nearest first; `confidence` as in the ranking. */
function rankedSubsites(
  site: PublishedSite,
  words: string,
): { subsite: Subsite; confidence: number }[] {
  const { services, subsites } = servicesOf(site.registry);
  const best = new Map<string, number>();
  for (const { entry, confidence } of findServices(services, words))
    if (!best.has(entry.subsite)) best.set(entry.subsite, confidence);
  return [...best].flatMap(([name, confidence]) => {
    const subsite = subsites.get(name);
    return subsite ? [{ subsite, confidence }] : [];
  });
}

/** Search results for a need in plain words. */
export const needOf = (site: PublishedSite, words: string, options?: NeedOptions): Findings =>
  findNeed(servicesOf(site.registry).services, words, options);

/**
 * Subsites that match any word of a request, in their own text, requests or items; nearest first.
 */
export const searchSubsites = (site: PublishedSite, words: string): Subsite[] =>
  rankedSubsites(site, words).map(({ subsite }) => subsite);

/** Subsites that a request is clearly about, nearest first. */
export const subsitesFor = (site: PublishedSite, words: string): Subsite[] =>
  rankedSubsites(site, words)
    .filter(({ confidence }) => confidence >= MIN_TOPIC_CONFIDENCE)
    .map(({ subsite }) => subsite);

const subsiteToAsk = ({ name, title, url, actions }: Subsite, base: string): SubsiteToAsk => ({
  subsite: name,
  title,
  url: `${base}${url}`,
  actions: actions.map((action) => action.verb),
});

/**
 * Searches all published text of the network for a question and returns passages with their
 * sources. The text is quoted, never generated. The nearest passages are always returned;
 * `answered` says whether they count as an answer.
 */
export function searchKnowledge(
  site: PublishedSite,
  { question, subsites, kinds, limit = DEFAULT_PASSAGES }: KnowledgeQuestion,
): KnowledgeAnswer {
  const { entries, index } = passagesOf(site);
  const keep = ({ passage }: (typeof entries)[number]) =>
    (!subsites || subsites.includes(passage.subsite ?? '')) &&
    (!kinds || kinds.includes(passage.kind));
  if (!question.trim()) {
    const all = entries.filter(keep).slice(0, limit);
    return { answered: all.length > 0, passages: all.map(({ passage }) => passage), ask: [] };
  }
  const found = index.search(question, keep);
  const answered =
    (found[0]?.confidence ?? 0) >=
    (subsites ? MIN_ANSWER_CONFIDENCE * NAMED_SUBSITE_FACTOR : MIN_ANSWER_CONFIDENCE);
  const named = site.registry.subsites.filter((subsite) => subsites?.includes(subsite.name));
  const toAsk = answered ? [] : named.length ? named : subsitesFor(site, question);
  return {
    answered,
    passages: found.slice(0, limit).map(({ entry }) => entry.passage),
    ask: toAsk.slice(0, MAX_TO_ASK).map((subsite) => subsiteToAsk(subsite, site.base)),
  };
}

/** Text for passages that do not count as an answer. */
export const UNCERTAIN_ANSWER =
  'These are the published passages nearest to the question; they may not answer it. Read them, and ask the service if they do not.';

/** Text if no passage contains a word of the question. */
export const NOTHING_PUBLISHED = 'Nothing published answers this.';

/** An answer in words: the passages if they answer, otherwise a description of them. */
export const answerText = (answered: boolean, passages: readonly Passage[]): string => {
  if (!passages.length) return NOTHING_PUBLISHED;
  return answered ? passages.map(({ text }) => text).join(' ') : UNCERTAIN_ANSWER;
};
