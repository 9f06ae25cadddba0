import type { Subsite } from '../registry/subsite.ts';
import { type Searchable, searchable } from './searchable.ts';
import type { Synonyms } from './synonyms.ts';

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

/** A passage with what it is asked by and does not say itself. */
interface Asked extends Pick<Passage, 'kind' | 'text'> {
  title?: string;
  asked?: string;
  weight?: number;
}

const PRICE = 'price cost charge fee rate pay much';
const AREA = 'where area town city county serve come';
const HOURS = 'when open hours opening time day available';

/** A purpose has the words of every question about its subsite and the answer to few. */
const PURPOSE = 0.6;

const priceText = ({ unit, amount, currency, notes }: NonNullable<Subsite['pricing']>[number]) =>
  `${unit.slice(0, 1).toUpperCase()}${unit.slice(1)}: ${amount} ${currency}.${notes ? ` ${notes}` : ''}`;

const askedOf = (subsite: Subsite): Asked[] => {
  const {
    title,
    purpose,
    serviceArea,
    availability,
    pricing = [],
    facts = [],
    guide = [],
  } = subsite;
  return [
    { kind: 'fact', text: purpose, weight: PURPOSE },
    ...facts.map((text): Asked => ({ kind: 'fact', text })),
    ...(serviceArea
      ? [{ kind: 'fact' as const, text: `Service area: ${serviceArea}.`, asked: AREA }]
      : []),
    ...(availability
      ? [{ kind: 'fact' as const, text: `Availability: ${availability}.`, asked: HOURS }]
      : []),
    ...pricing.map((price): Asked => ({ kind: 'price', text: priceText(price), asked: PRICE })),
    ...guide.map((step): Asked => ({
      kind: 'guide',
      text: step.text,
      title: `${title}: ${step.title}`,
    })),
  ];
};

/** What a subsite is asked for: its name, purpose, keywords and questions. */
export const serviceWords = ({ name, title, purpose, keywords = [], questions = [] }: Subsite) =>
  [name, title, purpose, ...keywords, ...questions].join(' ');

/** The passages of a subsite, each with what it is found by. */
export function passagesOf(
  subsite: Subsite,
  base: string,
  synonyms: Synonyms,
): { passage: Passage; searchable: Searchable }[] {
  const service = serviceWords(subsite);
  return askedOf(subsite).map(({ kind, text, title = subsite.title, asked = '', weight }) => ({
    passage: { subsite: subsite.name, kind, title, text, url: `${base}${subsite.url}` },
    searchable: searchable({ title, text: `${text} ${asked}`, words: service, weight }, synonyms),
  }));
}
