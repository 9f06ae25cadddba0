import {
  RECEIPT_TOKEN_LENGTH,
  REFERENCE_ALPHABET,
  REFERENCE_GROUP_LENGTH,
  REFERENCE_LENGTH,
} from '../site/request-ids.ts';
import { memoize } from '../site/memoize.ts';
import { expandAlternatives } from '../site/words/expand-alternatives.ts';
import { mapInSteps, type Steps } from './steps.ts';
import { hasEnglishWords, isSpanish, joinWords, termOf, wordsOf } from './index/terms.ts';

/** A service that a network does not offer, and what people call it. */
export interface NotOfferedService {
  what: string;
  /** Sentences to show instead of “We don’t do …”. */
  answer?: string | undefined;
  /** Sentences in Spanish to add to the answer to a question in Spanish. */
  spanish?: string | undefined;
  /** Whether the answer also applies to a search for the reference of a request. */
  references?: true | undefined;
  /** Whether a request whose text contains the words gets the answer as a warning. */
  warns?: true | undefined;
  /**
   * Words and phrases, with alternatives as in “fix|repair sink”, and gaps as in “cancel … visit”;
   * or whole questions, which end with a period, as in “contact us.”.
   */
  words: readonly string[];
  /**
   * Words and phrases, in the format of `words`, for a different need: a search that contains one
   * is not about this service.
   */
  except?: readonly string[] | undefined;
  /** Subsites that meet the same need in another way, best alternative first. */
  instead?: readonly string[] | undefined;
}

/** Machine-readable reasons why a search shows a notice. */
export const notOfferedCodes = [
  'not_offered',
  'nothing_found',
  'uncertain',
  'not_understood',
  'answered',
] as const;

/** Explains the codes in published documents. */
export const NOT_OFFERED_CODES_TEXT =
  'Why notOffered is present: not_offered, the network does not offer the service; nothing_found, the search found no service, or no answer to a question; uncertain, the search is not sure that any service does this; not_understood, the query is neither English nor Spanish, or names no need; answered, notOffered answers a query about the network, an existing request or an emergency.';

/** A notice for the person who searches, with its code; empty if a service or passage fits. */
export interface SearchNotice {
  /**
   * Says that the network does not offer the service, that the search is not sure whether it does,
   * or that the search did not understand the words; or answers a question about the network.
   */
  notOffered?: string;
  notOfferedCode?: (typeof notOfferedCodes)[number];
}

/** Selects only the members of the notice from a larger value. */
export const selectNotice = ({ notOffered, notOfferedCode }: SearchNotice): SearchNotice => ({
  ...(notOffered !== undefined && { notOffered }),
  ...(notOfferedCode && { notOfferedCode }),
});

/** A word and its forms with -s and -es. Stems would confuse a house clean-out with cleaning. */
const formsOf = (named: string): string[] => [named, `${named}s`, `${named}es`];

const isSame = (word: string, named: string): boolean => formsOf(named).includes(word);

/** Filler between the words that name a thing: “rent me a car”, “reparar mi generador”. */
export const FILLER_WORDS = new Set(
  (
    'a an the my our your any some me us is was mi mis su sus el la los las un una unos unas ' +
    'de del que se esta'
  ).split(' '),
);

const extractContentWords = (text: string): string[] =>
  wordsOf(text).filter((word) => !FILLER_WORDS.has(word));

/** Words without “are”, which is filler in “my pipes are leaking” but not in “who are you”. */
const removeAre = (words: readonly string[]): string[] => words.filter((word) => word !== 'are');

/**
 * Whether the words of a phrase occur at a position, in any order: “repair my roof” matches “roof
 * repair”.
 */
function isPhraseAt(words: readonly string[], position: number, phrase: readonly string[]) {
  const candidate = words.slice(position, position + phrase.length);
  return (
    candidate.length === phrase.length &&
    phrase.every((named) => candidate.some((word) => isSame(word, named)))
  );
}

const parsePhrases = (phrases: readonly string[]): string[][] =>
  phrases.flatMap(expandAlternatives).map(extractContentWords);

/** Phrases by each word with which they can start. */
type PhraseIndex = ReadonlyMap<string, readonly string[][]>;

const indexPhrases = (phrases: readonly string[][]): PhraseIndex =>
  new Map(
    [
      ...Map.groupBy(
        phrases.flatMap((phrase) =>
          phrase.flatMap((named) => formsOf(named).map((word) => ({ word, phrase }))),
        ),
        ({ word }) => word,
      ),
    ].map(([word, entries]) => [word, entries.map(({ phrase }) => phrase)]),
  );

const containsPhrase = (words: readonly string[], phrases: PhraseIndex): boolean =>
  words.some((word, position) =>
    phrases.get(word)?.some((phrase) => isPhraseAt(words, position, phrase)),
  );

/**
 * A gap that stands for other words in a phrase, as in “cancel my … booking”. The words of such a
 * phrase must occur in order.
 */
const GAP = '…';

/** Matches up to four words, and captures them. */
const GAP_PATTERN = String.raw`((?:\S+ ){0,4}?)`;

const hasGap = (phrase: string): boolean => phrase.includes(GAP);

/** A pattern that finds a phrase with gaps in joined words and captures the words in the gaps. */
function createGapPattern(phrase: string): RegExp {
  const parts = phrase.split(' ').map((part) => {
    if (part === GAP) return GAP_PATTERN;
    const alternatives = part.split('|').map((alternative) => wordsOf(alternative).join(' '));
    return `(?:${alternatives.join('|')})(?:e?s)? `;
  });
  return new RegExp(`(?<= )${parts.join('')}`);
}

/** Whether a phrase is a whole question. */
const isWholeQuestion = (phrase: string): boolean => phrase.endsWith('.');

/** Words that may be added to a whole question. */
const POLITE_WORDS = new Set('hi hello hey hola guys please pls plz thanks'.split(' '));

/** The words of a whole question in order, without polite words. */
const keyOf = (question: string): string =>
  wordsOf(question)
    .filter((word) => !POLITE_WORDS.has(word))
    .join(' ');

interface PhraseList {
  phrases: readonly string[][];
  phraseIndex: PhraseIndex;
  /** Keys of whole questions. */
  questions: ReadonlySet<string>;
  /** Phrases with gaps. */
  patterns: readonly RegExp[];
}

function parsePhraseList(list: readonly string[]): PhraseList {
  const phrases = parsePhrases(
    list.filter((phrase) => !hasGap(phrase) && !isWholeQuestion(phrase)),
  );
  return {
    phrases,
    phraseIndex: indexPhrases(phrases),
    questions: new Set(list.filter(isWholeQuestion).flatMap(expandAlternatives).map(keyOf)),
    patterns: list.filter(hasGap).map(createGapPattern),
  };
}

/** Parses the phrases of a service. */
const parseService = memoize((service: NotOfferedService) => {
  const { words, except = [] } = service;
  return { service, named: parsePhraseList(words), excepted: parsePhraseList(except) };
});

const REFERENCE_GROUP = `[${REFERENCE_ALPHABET}]{${REFERENCE_GROUP_LENGTH}}`;
/** The reference of a request, as shown to people. */
const FORMATTED_REFERENCE_PATTERN = new RegExp(
  String.raw`\b(?:${REFERENCE_GROUP}-){${REFERENCE_LENGTH / REFERENCE_GROUP_LENGTH - 1}}${REFERENCE_GROUP}\b`,
  'iu',
);

/** A receipt token. Words of that length, joined by hyphens, lack a digit or a capital letter. */
const RECEIPT_TOKEN_PATTERN = new RegExp(
  String.raw`(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{${RECEIPT_TOKEN_LENGTH}}(?![\w-])`,
  'u',
);

/**
 * The unoffered service that a need names with one of its words or phrases; undefined if there is
 * none.
 */
export function findUnofferedService(
  list: readonly NotOfferedService[],
  need: string,
): NotOfferedService | undefined {
  const joinedWords = joinWords(need);
  const words = joinedWords
    .trim()
    .split(' ')
    .filter((word) => !FILLER_WORDS.has(word));
  const wordsWithoutAre = removeAre(words);
  const key = keyOf(need);
  const containsAny = ({ phraseIndex, patterns, questions }: PhraseList) =>
    questions.has(key) ||
    containsPhrase(words, phraseIndex) ||
    containsPhrase(wordsWithoutAre, phraseIndex) ||
    patterns.some((pattern) => pattern.test(joinedWords));
  const hasReference = [FORMATTED_REFERENCE_PATTERN, RECEIPT_TOKEN_PATTERN].some((pattern) =>
    pattern.test(need),
  );
  return list
    .map(parseService)
    .find(
      ({ service, named, excepted }) =>
        (service.references && hasReference) || (containsAny(named) && !containsAny(excepted)),
    )?.service;
}

/**
 * The search words in a service's Spanish phrases, except words from its first phrase, which is in
 * English: “speak español” also has an English word.
 */
const listSpanishWords = memoize(({ words: [first, ...others] }: NotOfferedService) => {
  const words = others.filter((phrase) => isSpanish(phrase)).flatMap(wordsOf);
  const englishWords = wordsOf(first ?? '').flatMap(formsOf);
  return new Set(words.filter((word) => termOf(word) !== null && !englishWords.includes(word)));
});

/**
 * Whether a question is in Spanish. People often leave out accents, so that a question such as
 * “hablan espanol” has nothing Spanish but words from the phrases of the service.
 */
const isAskedInSpanish = (service: NotOfferedService, question: string): boolean =>
  isSpanish(question) ||
  (!hasEnglishWords(question) &&
    wordsOf(question).some((word) => listSpanishWords(service).has(word)));

/**
 * The answer of a service to a question, in English and, if the question is in Spanish, also in
 * Spanish.
 */
export function answerForQuestion(
  service: NotOfferedService,
  question: string,
): string | undefined {
  const { answer, spanish } = service;
  return answer !== undefined && spanish !== undefined && isAskedInSpanish(service, question)
    ? `${answer} ${spanish}`
    : answer;
}

const listWarningServices = memoize((list: readonly NotOfferedService[]) =>
  list.filter(({ warns }) => warns),
);

/**
 * The answer to show as a warning on a request: that of the first service whose `warns` is true and
 * whose words occur in one of the texts; undefined if there is none.
 */
export function findWarningAnswer(
  list: readonly NotOfferedService[],
  texts: readonly string[],
): string | undefined {
  const warningServices = listWarningServices(list);
  for (const text of texts) {
    const service = findUnofferedService(warningServices, text);
    if (service) return answerForQuestion(service, text);
  }
  return undefined;
}

function removePhrases(words: readonly string[], phrases: readonly string[][]): string[] {
  const named = new Set(
    phrases.flatMap((phrase) =>
      words.flatMap((_, position) =>
        isPhraseAt(words, position, phrase) ? phrase.map((_word, index) => position + index) : [],
      ),
    ),
  );
  return words.filter((_, position) => !named.has(position));
}

/** The words of a need other than those that name a service. */
export function removeNamedService(service: NotOfferedService, need: string): string {
  const { phrases, patterns, questions } = parseService(service).named;
  if (questions.has(keyOf(need))) return '';
  const remainingText = patterns.reduce(
    (text, pattern) =>
      text.replace(pattern, (_match, ...captures: unknown[]) =>
        captures
          .filter((capture) => typeof capture === 'string')
          .slice(0, -1)
          .join(''),
      ),
    joinWords(need),
  );
  const rest = removePhrases(extractContentWords(remainingText), phrases);
  return removePhrases(removeAre(rest), phrases).join(' ');
}

/**
 * Removes the phrases for services that are in fact offered: those that occur in one of these
 * titles.
 */
export const removeOfferedPhrases = (
  list: readonly NotOfferedService[],
  titles: readonly string[],
): Steps<NotOfferedService[]> => {
  const offered = titles.map(extractContentWords);
  return mapInSteps(list, (one) => ({
    ...one,
    words: one.words
      .flatMap((phrase) =>
        hasGap(phrase) || isWholeQuestion(phrase) ? [phrase] : expandAlternatives(phrase),
      )
      .filter((phrase) => {
        const index = indexPhrases([extractContentWords(phrase)]);
        return !offered.some((title) => containsPhrase(title, index));
      }),
  }));
};
