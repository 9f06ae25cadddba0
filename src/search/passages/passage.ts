import type { Subsite } from '../../registry/schemas/subsite.ts';

/**
 * Kinds of published knowledge: a verifiable statement, a price, a do-it-yourself step, a part of a
 * page, a catalog item, or a request with a form.
 */
export const passageKinds = ['fact', 'price', 'guide', 'page', 'item', 'action'] as const;

export type PassageKind = (typeof passageKinds)[number];

export interface Passage {
  /** Name of the subsite; absent if the passage is about the whole network. */
  subsite?: string;
  kind: PassageKind;
  /** Title of the subsite, page or item; for a step or a section, followed by its heading. */
  title: string;
  /** A few sentences of the text; the page has the rest. */
  text: string;
  /** Absolute URL of the page, with an anchor if there is one. */
  url: string;
}

/** A passage with additional search terms that are not in its text. */
export interface Source extends Omit<Passage, 'url'> {
  /** Site-relative path of the page, with an anchor if there is one. */
  path: string;
  /** Common search words for its kind, for example for a price. */
  kindTerms?: string;
  asked?: readonly string[] | undefined;
  /** Additional search words, other than the service's search words. */
  words?: string;
  place?: string | undefined;
  /** Weight of a match, 1 by default. */
  weight?: number;
}

/**
 * Weight of a match in a summary, which contains the words of many questions but answers few of
 * them.
 */
export const SUMMARY_WEIGHT = 0.6;

/** Search words of a subsite: its name, purpose, keywords and questions. */
export const joinServiceWords = ({
  name,
  title,
  purpose,
  keywords = [],
  questions = [],
}: Subsite) => [name, title, purpose, ...keywords, ...questions].join(' ');
