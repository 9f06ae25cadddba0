import type { Action } from '../registry/schemas/action.ts';
import type { Network } from '../registry/schemas/network.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { digestContract } from '../site/contract.ts';
import { createEmergencyNotice } from '../site/emergency.ts';
import { phoneOf } from '../site/phone.ts';
import { memoize } from '../site/memoize.ts';
import { findSubsite, listOfferedActions, type Registry } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import { createTermNotice } from '../site/words/minimum-term.ts';
import { createOutOfAreaNotice, isPlaceOutside, isZipOutside } from '../site/words/service-area.ts';
import type { Findings } from './find-need.ts';
import { type SearchNotice, selectNotice } from './not-offered.ts';
import { MAX_CHARACTERS, zipCodesIn } from './question.ts';
import { joinWords } from './index/terms.ts';

export const MAX_SERVICES = 3;

/** A service to ask, in the format that all channels use. */
export interface ServiceToAsk {
  subsite: string;
  title: string;
  url: string;
  /** Verbs of its actions; the actions that fit the need come first. */
  actions: string[];
  /** URL of its manifest, with the fields of each action. */
  manifestUrl: string;
  phone: string;
  /** Instructions for emergencies, if requests to the service can be urgent. */
  emergency?: string;
  /** Notice that the question names a ZIP code or known place outside the service area. */
  areaNotice?: string;
  /** Notice that the question mentions a period shorter than the shortest rental. */
  termNotice?: string;
  /** Digest of each action's contract, by verb. */
  contracts: Record<string, string>;
}

type Entry = Findings['found'][number];

/** The actions that a subsite offers to people, starting with those that the search found. */
export function orderActions(subsite: Subsite, found: readonly Entry[]): Action[] {
  const rankOf = ({ verb }: Action) => {
    const rank = found.findIndex(({ path }) => path === `${subsite.url}#${verb}`);
    return rank === -1 ? found.length : rank;
  };
  return listOfferedActions(subsite).toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Matching entries by subsite, best match first, for at most {@link MAX_SERVICES} subsites. */
export const groupEntriesBySubsite = (
  found: readonly Entry[],
): [name: string, entries: Entry[]][] =>
  [...Map.groupBy(found, ({ subsite }) => subsite)].slice(0, MAX_SERVICES);

/**
 * The reliable parts of search results: the services found and, only if the network lists the
 * service as not offered, the notice. Any other query without a match may still be a question that
 * has an answer.
 */
export const selectConfidentMatches = (
  findings: Findings,
): SearchNotice & Pick<Findings, 'found'> => {
  const { found, notOffered, otherWords } = findings;
  if (notOffered === undefined) return { found };
  return otherWords !== undefined ? { found, ...selectNotice(findings) } : { found: [] };
};

/** The known places with their ZIP codes, and their names as words between spaces. */
const parsePlaces = memoize(({ placeZips, elsewhere }: Network['search']) => ({
  places: Object.entries(placeZips).map(([name, zips]) => ({
    name,
    zips,
    phrase: joinWords(name),
  })),
  elsewhere: elsewhere.map((name) => ({ name, zips: [], phrase: joinWords(name) })),
}));

/**
 * The known places that a text names; in “Largo, Maryland”, only Maryland, because that is not the
 * known Largo.
 */
function findNamedPlaces(text: string, search: Network['search']) {
  const words = joinWords(text);
  const { places, elsewhere } = parsePlaces(search);
  const named = places.filter(({ phrase }) => words.includes(phrase));
  const isBefore = (place: (typeof named)[number], { phrase }: { phrase: string }) =>
    words.includes(place.phrase + phrase.trimStart());
  const others = elsewhere.filter(
    (other) => words.endsWith(other.phrase) || named.some((place) => isBefore(place, other)),
  );
  return [...others, ...named.filter((place) => !others.some((other) => isBefore(place, other)))];
}

/**
 * Notice about a ZIP code in a question that is outside the service area, or about a place if all
 * known places in the question are outside it; otherwise undefined.
 */
export function describeArea(
  subsite: Subsite,
  question: string,
  { network }: Pick<Registry, 'network'>,
): string | undefined {
  const text = question.slice(0, MAX_CHARACTERS);
  const zipCodes = zipCodesIn(text);
  if (zipCodes.some((zip) => isZipOutside(subsite, zip))) return createOutOfAreaNotice(subsite);
  if (zipCodes.length > 0) return undefined;
  const named = findNamedPlaces(text, network.search);
  return named.length > 0 && named.every(({ zips }) => isPlaceOutside(subsite, zips))
    ? createOutOfAreaNotice(subsite, named[0]!.name)
    : undefined;
}

/** Notice about a time in a question that is shorter than the shortest rental. */
export const describeTerm = (subsite: Subsite, question: string): string | undefined =>
  createTermNotice(subsite, question.slice(0, MAX_CHARACTERS));

/**
 * Describes a subsite as a service to ask about a question; `found` are its entries in search
 * results.
 */
export function createServiceToAsk(
  subsite: Subsite,
  { registry, base }: Pick<Site, 'registry' | 'base'>,
  { found = [], question = '' }: { found?: readonly Entry[]; question?: string } = {},
): ServiceToAsk {
  const { name, title, url } = subsite;
  const actions = orderActions(subsite, found);
  const emergency = createEmergencyNotice(subsite, registry);
  const areaNotice = describeArea(subsite, question, registry);
  const termNotice = describeTerm(subsite, question);
  return {
    subsite: name,
    title,
    url: `${base}${url}`,
    actions: actions.map(({ verb }) => verb),
    manifestUrl: `${base}/api/agent/${name}`,
    phone: phoneOf(subsite, registry),
    ...(emergency !== undefined && { emergency }),
    ...(areaNotice !== undefined && { areaNotice }),
    ...(termNotice !== undefined && { termNotice }),
    contracts: Object.fromEntries(
      actions.map((action) => [action.verb, digestContract(subsite, action)]),
    ),
  };
}

export const listServicesToAsk = (
  site: Pick<Site, 'registry' | 'base'>,
  found: readonly Entry[],
  question: string,
): ServiceToAsk[] =>
  groupEntriesBySubsite(found).map(([name, entries]) =>
    createServiceToAsk(findSubsite(site.registry, name)!, site, { found: entries, question }),
  );
