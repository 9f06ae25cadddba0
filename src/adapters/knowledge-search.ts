import type { Registry, Site, Subsite } from '../registry/index.ts';
import { type Found, termsOf, type WordIndex, wordIndex } from './word-index.ts';

/** Kinds of published knowledge: a statement that can be checked, a price, a step to do oneself. */
export const passageKinds = ['fact', 'price', 'guide'] as const;

export type PassageKind = (typeof passageKinds)[number];

/** A published passage with its source. */
export interface Passage {
  subsite: string;
  kind: PassageKind;
  /** Title of the subsite; for a step, its title too. */
  title: string;
  text: string;
  /** Absolute URL of the page that publishes it. */
  url: string;
}

/** Where to look or ask when nothing is published. */
export interface Asking {
  subsite: string;
  title: string;
  url: string;
  /** Verbs of its actions. */
  actions: string[];
}

/** What is published about a question. `passages` is empty when nothing is; `ask` then says where to turn. */
export interface KnowledgeAnswer {
  passages: Passage[];
  ask: Asking[];
}

export interface KnowledgeQuestion {
  /** In plain words; empty asks for everything of the subsites named. */
  question: string;
  /** Only passages of these subsites. */
  subsites?: readonly string[];
  /** Only passages of these kinds. */
  kinds?: readonly PassageKind[];
  /** Most passages, 5 when left out. */
  limit?: number;
}

/** Share of a question's words that a passage must be found by; up to it the passage is about something else. */
const LEAST_SHARE = 0.5;
/** The same for a passage of the subsite that the whole question points to. */
const LEAST_SHARE_AT_HOME = 0.25;
/** From here on a subsite is one that the question points to; 1 is the likeliest. */
const AT_HOME = 0.8;
/** A passage that is this much less relevant than the best one is left out. */
const LEAST_OF_BEST = 0.35;
/** Share of a question’s words, weighed by their rarity, that a passage of the whole network must have together with its subsite. */
const LEAST_COVERED = 0.6;
/** The same for what the subsite says of itself: a word that only happens to stand in a passage answers nothing. */
const LEAST_COVERED_AT_HOME = 0.55;
const MOST_TO_ASK = 3;

interface Entry extends Passage {
  /** Words that the passage is looked for by and does not have: of prices, areas and hours. */
  about: string;
  keywords: string;
}

const priceText = ({ unit, amount, currency, notes }: NonNullable<Subsite['pricing']>[number]) => `${unit[0]!.toUpperCase()}${unit.slice(1)}: ${amount} ${currency}.${notes ? ` ${notes}` : ''}`;

function passagesOf(subsite: Subsite, base: string): Entry[] {
  const { name, title, purpose, url, keywords = [], serviceArea, availability, pricing = [], facts = [], guide = [] } = subsite;
  const from = { subsite: name, title, url: `${base}${url}`, keywords: [title, ...keywords].join(' '), about: '' };
  return [
    { ...from, kind: 'fact', text: purpose, about: name },
    ...facts.map((text): Entry => ({ ...from, kind: 'fact', text })),
    ...(serviceArea ? [{ ...from, kind: 'fact' as const, text: `Service area: ${serviceArea}.`, about: 'where area town city county serve come' }] : []),
    ...(availability ? [{ ...from, kind: 'fact' as const, text: `Availability: ${availability}.`, about: 'when open hours opening time day available' }] : []),
    ...pricing.map((price): Entry => ({ ...from, kind: 'price', text: priceText(price), about: 'price cost costs charge fee rate pay' })),
    ...guide.map((step): Entry => ({ ...from, kind: 'guide', title: `${title}: ${step.title}`, text: step.text })),
  ];
}

const asking = ({ name, title, url, actions }: Subsite, base: string): Asking => ({ subsite: name, title, url: `${base}${url}`, actions: actions.map((action) => action.verb) });

interface Knowledge {
  base: string;
  entries: readonly Entry[];
  passages: WordIndex<Entry>;
  subsites: WordIndex<Subsite>;
}

const knowledgeOfRegistry = new WeakMap<Registry, Knowledge>();

function knowledgeOf({ registry, base }: Pick<Site, 'registry' | 'base'>): Knowledge {
  const known = knowledgeOfRegistry.get(registry);
  if (known?.base === base) return known;
  const entries = registry.subsites.flatMap((subsite) => passagesOf(subsite, base));
  const knowledge: Knowledge = {
    base,
    entries,
    passages: wordIndex(entries, ({ text, title, about, keywords }) => ({ text, title, about, keywords }), { text: 3, title: 2, about: 1, keywords: 1 }),
    subsites: wordIndex(
      registry.subsites,
      ({ name, title, purpose, keywords = [], questions = [] }) => ({ name: `${name} ${title}`, words: keywords.join(' '), purpose, questions: questions.join(' ') }),
      { name: 3, words: 3, purpose: 2, questions: 2 },
    ),
  };
  knowledgeOfRegistry.set(registry, knowledge);
  return knowledge;
}

/**
 * Whether a passage, with what its subsite says of itself, has enough of a question’s words: the rarer a word is in the
 * network, the more it tells, and one that stands nowhere tells most.
 */
function coverage(question: string, passages: readonly Found<Entry>[], subsites: readonly Found<Subsite>[], count: number): (passage: Found<Entry>) => boolean {
  const words = termsOf(question);
  const standing = new Map(words.map((word) => [word, passages.filter(({ evidence }) => evidence.get(word) === 1).length]));
  const weights = new Map(words.map((word) => [word, Math.log(1 + count / Math.max(standing.get(word)!, 1))]));
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const ofSubsite = new Map(subsites.map(({ entry, evidence }) => [entry.name, evidence]));
  return ({ entry, evidence }) => {
    const home = ofSubsite.get(entry.subsite);
    const share = (sure: (word: string) => number) => words.reduce((sum, word) => sum + weights.get(word)! * sure(word), 0) / whole;
    const ofHome = (word: string) => home?.get(word) ?? 0;
    const covered = share((word) => Math.max(evidence.get(word) ?? 0, ofHome(word)));
    return covered >= LEAST_COVERED && share(ofHome) >= LEAST_COVERED_AT_HOME;
  };
}

const passageOf = ({ subsite, kind, title, text, url }: Entry): Passage => ({ subsite, kind, title, text, url });

/** Subsites that a request in plain words is about, the likeliest first. */
export function searchSubsites(site: Pick<Site, 'registry' | 'base'>, words: string): Subsite[] {
  return knowledgeOf(site).subsites.search(words).map(({ entry }) => entry);
}

/**
 * Answers from what the subsites publish: facts, prices and guides, each passage with its source. Nothing is composed;
 * where nothing fits, `passages` is empty and `ask` names the subsites to turn to.
 */
export function searchKnowledge(site: Pick<Site, 'registry' | 'base'>, { question, subsites, kinds, limit = 5 }: KnowledgeQuestion): KnowledgeAnswer {
  const knowledge = knowledgeOf(site);
  const keep = (entry: Entry) => (!subsites || subsites.includes(entry.subsite)) && (!kinds || kinds.includes(entry.kind));
  if (!question.trim()) return { passages: knowledge.entries.filter(keep).slice(0, limit).map(passageOf), ask: [] };

  const about = knowledge.subsites.search(question);
  const relevance = new Map(about.map(({ entry, score, share }) => [entry.name, share < 0.3 ? 0 : score / about[0]!.score]));
  const all = knowledge.passages.search(question, keep);
  // A subsite that was asked itself answers with less: it is known what the question is about.
  const isCovered = subsites ? () => true : coverage(question, all, about, knowledge.entries.length);
  const found = all
    .filter(isCovered)
    .map(({ entry, score, share }) => ({ entry, score, share, home: relevance.get(entry.subsite) ?? 0 }))
    .filter(({ share, home }) => (home >= AT_HOME ? share >= LEAST_SHARE_AT_HOME : share > LEAST_SHARE))
    .map(({ entry, score, home }) => ({ entry, score: score * (0.25 + home) }))
    .sort((a, b) => b.score - a.score);
  const passages = found.filter(({ score }) => score >= LEAST_OF_BEST * found[0]!.score).slice(0, limit).map(({ entry }) => passageOf(entry));
  if (passages.length) return { passages, ask: [] };

  const named = site.registry.subsites.filter((subsite) => subsites?.includes(subsite.name));
  const likely = named.length ? named : about.map(({ entry }) => entry);
  return { passages: [], ask: likely.slice(0, MOST_TO_ASK).map((subsite) => asking(subsite, site.base)) };
}
