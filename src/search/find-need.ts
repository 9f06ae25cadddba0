import MiniSearch from 'minisearch';
import {
  ACCOUNT_NEEDED,
  findServices,
  type FoundService,
  type ServiceEntry,
  type ServiceIndex,
} from './find-services.ts';
import { type NotOffered, notOfferedIn } from './not-offered.ts';
import { termOf, wordsOf } from './terms.ts';

/** What a need is looked up in. */
export interface NeedIndex extends ServiceIndex {
  notOffered: readonly NotOffered[];
}

/** What a network has for a need. */
export interface Findings {
  /**
   * The nearest first; only what comes closest where the network does not do what was asked for.
   */
  found: readonly ServiceEntry[];
  /** A sentence that says so, where the network does not do it or the words were not understood. */
  notOffered?: string;
}

export interface NeedOptions {
  keep?: (entry: ServiceEntry) => boolean;
  /** Whether the last word may be unfinished, as while a person types. */
  typing?: boolean;
}

/** Most entries where nothing comes near what was asked for. */
const MAX_CLOSEST = 2;

/**
 * Confidence from which on the nearest entry is what was asked for, where it has not every word of
 * it. Of 83 needs that a service meets one stays under it, of 51 that none meets 34.
 */
const NEAR = 12;

/** Share of the confidence of the nearest entry under which another one is there by chance. */
const BY_CHANCE = 0.12;

/** Services by their names, in the order of these. */
const servicesNamed = ({ index }: ServiceIndex, names: readonly string[]): ServiceEntry[] =>
  index
    .search(MiniSearch.wildcard)
    .map((result) => result['entry'] as ServiceEntry)
    .filter(({ subsite, kind, isItem }) => kind !== 'Request' && !isItem && names.includes(subsite))
    .sort((a, b) => names.indexOf(a.subsite) - names.indexOf(b.subsite));

const isNear = ({ confidence, coverage }: FoundService): boolean =>
  coverage === 1 || confidence >= NEAR;

/** Entries without requests of a service that is an entry itself: it names them. */
function withoutRepeats(found: readonly ServiceEntry[]): ServiceEntry[] {
  const offered = new Set(
    found.flatMap(({ requests = [] }) => requests.map((request) => request.path)),
  );
  return found.filter(({ path }) => !offered.has(path));
}

/**
 * What needs an account comes after the open services that have as much of the question and at
 * least half of its confidence; not where it is asked for by its title.
 */
function openFirst(ranked: readonly FoundService[], asked: string): readonly FoundService[] {
  const [first] = ranked;
  if (first?.entry.kind !== ACCOUNT_NEEDED) return ranked;
  if (wordsOf(first.entry.title).join(' ') === wordsOf(asked).join(' ')) return ranked;
  const { confidence: sure, coverage: share } = first;
  const ahead = ranked.filter(
    ({ entry: { kind, isItem }, confidence, coverage }) =>
      kind !== ACCOUNT_NEEDED && !isItem && coverage >= share && confidence >= sure / 2,
  );
  return [...ahead, ...ranked.filter((one) => !ahead.includes(one))];
}

/** Share of the terms of a question that are known from which on its language is read. */
const UNDERSTOOD = 1 / 3;

/** Words from which on a question without any English or Spanish one is of another language. */
const ENOUGH_WORDS = 4;

/**
 * Whether words of which few are known are in a language that is not read: another script, or a
 * sentence without one of the words that join others. Two letters are a word in many languages.
 */
function isUnread(text: string): boolean {
  const words = wordsOf(text);
  if (words.some((word) => /(?!\p{Script=Latin})\p{L}/u.test(word))) return true;
  return (
    words.length >= ENOUGH_WORDS && words.every((word) => word.length < 3 || termOf(word) !== null)
  );
}

/**
 * What is found for a need in plain words, and whether the network does it at all; for script, page
 * and interface alike. What is kept of it changes nothing about that.
 */
export function findNeed(
  index: NeedIndex,
  words: string,
  { keep = () => true, typing = false }: NeedOptions = {},
): Findings {
  const named = notOfferedIn(index.notOffered, words);
  if (named)
    return {
      found: servicesNamed(index, named.instead ?? []).filter(keep),
      notOffered: `We don’t do ${named.what}.`,
    };
  const ranked = findServices(index, words, { typing });
  const [nearest] = ranked;
  const meant = ranked.filter(
    ({ confidence }) => confidence > 0 && confidence >= BY_CHANCE * nearest!.confidence,
  );
  const found = withoutRepeats(openFirst(meant, words).map(({ entry }) => entry)).filter(keep);
  if (nearest && isNear(nearest)) return { found };
  if ((nearest?.coverage ?? 0) < UNDERSTOOD && isUnread(words))
    return { found: [], notOffered: 'We did not understand this. Ask in English or Spanish.' };
  return {
    found: found.slice(0, MAX_CLOSEST),
    notOffered: 'We found nobody here who does that.',
  };
}
