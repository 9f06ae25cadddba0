import type { Subsite } from '../registry/subsite.ts';
import { onceFor } from '../site/once-for.ts';
import type { Registry } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import { type Findings, findNeed, type NeedOptions } from './find-need.ts';
import { findServices } from './find-services.ts';
import type { Passage, PassageKind } from './passage.ts';
import { publishedPassages } from './passages.ts';
import { ANSWERS } from './ranking.ts';
import { serviceIndex } from './services.ts';
import { textIndex } from './text-index.ts';

/** Where to look or ask when nothing is published. */
export interface Asking {
  subsite: string;
  title: string;
  url: string;
  /** Verbs of its actions. */
  actions: string[];
}

export interface KnowledgeAnswer {
  /**
   * Whether the nearest passage is near enough to count as an answer. Otherwise the passages are
   * the nearest by their words, among which the answer may well be.
   */
  answered: boolean;
  /** The nearest passages, the best first; empty where nothing has a word of the question. */
  passages: Passage[];
  /** Subsites to ask where nothing answers. */
  ask: Asking[];
}

export interface KnowledgeQuestion {
  /** In plain words; empty asks for everything of the subsites named. */
  question: string;
  /** Only passages of these subsites. */
  subsites?: readonly string[];
  /** Only passages of these kinds. */
  kinds?: readonly PassageKind[];
  /** Most passages. */
  limit?: number;
}

/** Passages that an answer has where no number is asked for. */
export const NEAREST = 3;
const MAX_TO_ASK = 3;

/** Confidence from which on a service is what a question is about. */
const ABOUT = 40;

/**
 * Share of the threshold for a subsite that is asked itself: what the question is about is known.
 */
const NAMED = 0.05;

type Published = Pick<Site, 'registry' | 'base'>;

/** What a search for services looks in; made once for a registry. */
const servicesOf = onceFor((registry: Registry) => ({
  services: serviceIndex(registry),
  subsites: new Map(registry.subsites.map((subsite) => [subsite.name, subsite])),
}));

/** What a question is looked up in; made once for a site. */
const passagesOf = onceFor(({ registry, base }: Published) => {
  const entries = publishedPassages(registry, base);
  return { entries, index: textIndex(registry.network, entries, ({ texts }) => texts) };
});

/** Makes the indexes, so that the first question need not wait for them. */
export function prepareKnowledge(site: Published): void {
  passagesOf(site);
  servicesOf(site.registry);
}

/**
 * Subsites that a request in plain words is about, the nearest first; `confidence` as in the
 * ranking.
 */
function rankedSubsites(
  site: Published,
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

/** What the network has for a need in plain words. */
export const needOf = (site: Published, words: string, options?: NeedOptions): Findings =>
  findNeed(servicesOf(site.registry).services, words, options);

/**
 * Subsites that have any word of a request, by themselves, their requests or items; the nearest
 * first.
 */
export const searchSubsites = (site: Published, words: string): Subsite[] =>
  rankedSubsites(site, words).map(({ subsite }) => subsite);

/** Subsites that a request is surely about, the nearest first. */
export const subsitesFor = (site: Published, words: string): Subsite[] =>
  rankedSubsites(site, words)
    .filter(({ confidence }) => confidence >= ABOUT)
    .map(({ subsite }) => subsite);

const asking = ({ name, title, url, actions }: Subsite, base: string): Asking => ({
  subsite: name,
  title,
  url: `${base}${url}`,
  actions: actions.map((action) => action.verb),
});

/**
 * Looks a question up in everything that the network publishes as text, each passage with its
 * source. The text is quoted, never composed. The nearest passages are always given; `answered`
 * says whether they count as an answer.
 */
export function searchKnowledge(
  site: Published,
  { question, subsites, kinds, limit = NEAREST }: KnowledgeQuestion,
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
  const answered = (found[0]?.confidence ?? 0) >= (subsites ? ANSWERS * NAMED : ANSWERS);
  const named = site.registry.subsites.filter((subsite) => subsites?.includes(subsite.name));
  const toAsk = answered ? [] : named.length ? named : subsitesFor(site, question);
  return {
    answered,
    passages: found.slice(0, limit).map(({ entry }) => entry.passage),
    ask: toAsk.slice(0, MAX_TO_ASK).map((subsite) => asking(subsite, site.base)),
  };
}

/** What is said of passages of which none is near enough to count as an answer. */
export const NOT_CERTAIN =
  'These are the published passages nearest to the question; none of them answers it for certain. Read them, and ask where they do not say it.';

/** What is said where nothing has a word of the question. */
export const NOTHING_PUBLISHED = 'Nothing published answers this.';

/** An answer in words: the passages where they answer, else what they are. */
export const answerText = (answered: boolean, passages: readonly Passage[]): string => {
  if (!passages.length) return NOTHING_PUBLISHED;
  return answered ? passages.map(({ text }) => text).join(' ') : NOT_CERTAIN;
};
