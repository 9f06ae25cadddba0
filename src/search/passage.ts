import type { Subsite } from '../registry/subsite.ts';

/**
 * Kinds of published knowledge: a statement that can be checked, a price, a step to do oneself, a
 * part of a page, an entry of a catalog, and a request that a form takes.
 */
export const passageKinds = ['fact', 'price', 'guide', 'page', 'item', 'action'] as const;

export type PassageKind = (typeof passageKinds)[number];

/** A published passage with its source. */
export interface Passage {
  /** Name of its subsite; absent where it belongs to the network as a whole. */
  subsite?: string;
  kind: PassageKind;
  /** Title of the subsite, page or item; for a step or a part of a page, its heading too. */
  title: string;
  /** A few sentences; the page has the rest. */
  text: string;
  /** Absolute URL of the page that publishes it, with an anchor where it has one. */
  url: string;
}

/** A passage with what it is found by and does not say itself. */
export interface Source extends Omit<Passage, 'url'> {
  /** Site-relative path, with an anchor where it has one. */
  path: string;
  /** Words that anything of its sort is asked for by, for example a price. */
  sort?: string;
  /** How people ask for it. */
  asked?: readonly string[] | undefined;
  /** Words that people search with, beside those of the service. */
  words?: string;
  /** Where it is or takes place. */
  place?: string | undefined;
  /** How much a match counts, 1 when left out. */
  weight?: number;
}

/**
 * How much a match in a summary counts: it has the words of every question about what it sums up,
 * and the answer to few.
 */
export const SUMMARY = 0.6;

/** What a subsite is asked for: its name, purpose, keywords and questions. */
export const serviceWords = ({ name, title, purpose, keywords = [], questions = [] }: Subsite) =>
  [name, title, purpose, ...keywords, ...questions].join(' ');
