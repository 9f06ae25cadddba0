import type { OpeningHours } from '../registry/schemas/opening-hours.ts';
import type { ClosedDay } from '../site/calendar/opening-hours.ts';
import { search as texts } from '../text/index.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import type { NotOfferedService } from './not-offered.ts';
import { createSearchVocabulary, type SearchVocabulary } from './question.ts';
import { rank, type RankedEntry } from './ranking.ts';
import type { Synonyms } from './index/synonyms.ts';
import { type StoredEntry, TermIndex, type TermIndexDocument } from './index/term-index.ts';

/** A site search result: a subsite, one of its requests or one of its items. */
export interface ServiceEntry {
  subsite: string;
  title: string;
  text: string;
  path: string;
  /** The kind of result, shown after the title. */
  kind: string;
  /** ID of the item in its catalog; absent for other kinds of results. */
  item?: string;
  isOver?: true;
  category: Subsite['category'];
  /** Formatted price, for example “From $35 per day”. */
  price?: string;
  area?: string;
  /** Shortest rental, in words. */
  minimumTerm?: string;
  hours?: OpeningHours;
  /** Days on which the service is closed despite its hours. */
  closedDays?: readonly ClosedDay[];
  /** Requests that are answered after hours, in words. */
  afterHours?: string;
  phone?: string;
  /** Whether the service answers emergency calls after hours. */
  answersEmergencyCalls?: true;
  /** The requests that the service takes: the title and the path of each form. */
  requests?: readonly { title: string; path: string }[];
}

export interface StoredService extends StoredEntry {
  entry: ServiceEntry;
}

/** The serialized index that the front page loads. */
export interface ServiceDocument {
  places: readonly string[];
  synonyms: Synonyms;
  notOffered: readonly NotOfferedService[];
  /** IANA time zone of the hours. */
  timeZone: string;
  /** All indexed words, most frequent first. */
  words: string;
  index: TermIndexDocument<StoredService>;
}

export interface ServiceIndex {
  index: TermIndex<StoredService>;
  vocabulary: SearchVocabulary;
}

export const openServiceIndex = ({
  words,
  index,
  ...lists
}: Omit<ServiceDocument, 'timeZone'>): ServiceIndex & Pick<ServiceDocument, 'notOffered'> => ({
  notOffered: lists.notOffered,
  index: new TermIndex(index),
  vocabulary: createSearchVocabulary(lists, words.split(' ')),
});

/** A result, with measures of how well it matches. */
export interface FoundService extends Pick<
  RankedEntry,
  | 'id'
  | 'confidence'
  | 'confidenceWithPhrases'
  | 'coverageWithPhrases'
  | 'coverage'
  | 'missingTerms'
  | 'titleTerms'
  | 'hasTermsInTitle'
> {
  entry: ServiceEntry;
}

/** Share of the highest confidence above which services count as equally good matches. */
const EQUAL_SHARE = 0.97;

/**
 * Puts services that match as well as the first one in the order of the front page, because they
 * differ only in the length of their texts.
 */
function sortSimilarServices(ranked: readonly RankedEntry<StoredService>[]) {
  const [first] = ranked;
  if (first?.coverage !== 1) return ranked;
  const isSimilar = ({ coverage, confidence, stored: { entry } }: RankedEntry<StoredService>) =>
    coverage === 1 &&
    confidence >= EQUAL_SHARE * first.confidence &&
    entry.kind === texts.kinds.service;
  const count = ranked.findIndex((one) => !isSimilar(one));
  const end = count < 0 ? ranked.length : count;
  return [...ranked.slice(0, end).sort((a, b) => a.id - b.id), ...ranked.slice(end)];
}

/** Services, requests and items for a query in plain words, best match first. */
export function findServices(
  { index, vocabulary }: ServiceIndex,
  words: string,
  { isTyping = false }: { isTyping?: boolean } = {},
): FoundService[] {
  return sortSimilarServices(rank(index, words, vocabulary, { isTyping })).map((ranked) => ({
    id: ranked.id,
    entry: ranked.stored.entry,
    confidence: ranked.confidence,
    // Computed only when read, because not every search needs it.
    get confidenceWithPhrases() {
      return ranked.confidenceWithPhrases;
    },
    get coverageWithPhrases() {
      return ranked.coverageWithPhrases;
    },
    coverage: ranked.coverage,
    get missingTerms() {
      return ranked.missingTerms;
    },
    get titleTerms() {
      return ranked.titleTerms;
    },
    get hasTermsInTitle() {
      return ranked.hasTermsInTitle;
    },
  }));
}
