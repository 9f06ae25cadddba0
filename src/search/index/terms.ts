import { stem } from 'porter2';

/** Stop words for questions in English, including common misspellings. */
const ENGLISH_STOP_WORDS = new Set(
  (
    'a about abt actually aint all already also am an and another any anybody anyone anything ' +
    'are aren arent as ask at be because been being but by ca can cant could couldn couldnt ' +
    'couldve cuz d dat did didn didnt do does doesn doesnt doing don done dont else ever ' +
    'every everything far find folks for from get gets gimme give go goes going gonna got ' +
    'gotta guys had has hasn hasnt have haven havent having he hello her here hey hi him his ' +
    'how i if im in into is isn isnt it its ive just kinda know lemme let like ll lol long ' +
    'look looking lot m make makes many may maybe me might mine more most much must my myself ' +
    'near need no not now of off often ok okay on once one only or other our out own per ' +
    'please pls plz put re really s said say shall she should shouldn shouldnt so some ' +
    'somebody someone something somewhere son soon still such sure t take takes tell than ' +
    'thank thanks that thats the their them then there theres these they thing things this ' +
    'those thru thx to too u up ur us use using ve very wanna want wants was wasn wasnt wat ' +
    'way we well were weren werent what whatever whats when whenever where whether which ' +
    'while who whom whos whose why will wish with within without wo won wont would wouldn ' +
    'wouldnt yall yes yet you your youre yours yourself'
  ).split(' '),
);

/** Stop words for questions in Spanish. */
const SPANISH_STOP_WORDS = new Set(
  (
    'al alguien algun alguna ando buscamos buscando busco como con cual cuando de del donde ' +
    'el ella ellos em es esta estan este hace hacen hacer hacerme haga hagan hay hola la las ' +
    'le lo los mi mis necesitamos necesito nos para por puede pueden puedo que queremos quien ' +
    'quiero quisiera se ser sin son su sus tambien tengo tiene tienen un una unas uno unos ' +
    'usted ustedes y ya'
  ).split(' '),
);

/**
 * Spanish function words: the stop words, and words that English also has or that people search
 * for.
 */
const SPANISH_WORDS = new Set([...SPANISH_STOP_WORDS, 'a', 'en', 'me', 'no']);

/** English function words that Spanish does not have. */
const ENGLISH_WORDS = new Set([...ENGLISH_STOP_WORDS].filter((word) => !SPANISH_WORDS.has(word)));

const isStopWord = (word: string): boolean =>
  ENGLISH_STOP_WORDS.has(word) || SPANISH_STOP_WORDS.has(word);

const WORD_PATTERN = /[\p{L}\p{N}]+/gu;

/**
 * Maximum growth of text in its compatibility decomposition: a letter has at most two accents, and
 * a single character may become as many as {@link MAX_CHARACTER_LENGTH}.
 */
const MAX_GROWTH = 3;
const MAX_CHARACTER_LENGTH = 18;

/** Matches the separators in an abbreviation of single letters: “A/C”, “a.c.”, “W/D”. */
const ABBREVIATION_SEPARATOR_PATTERN =
  /[./](?<=(?<![\p{L}\p{N}])\p{L}.)(?=\p{L}(?![\p{L}\p{N}]))/gu;

/** Units as people write them after a number, by the word that stands for each. */
const UNITS = {
  // “″” is decomposed into two primes.
  inches: String.raw`inch|inches|pulgadas?|\u2032\u2032|(?<!["\u201c][^\u201c\u201d"]{1,20})[\u201d"]`,
  feet: "ft|foot|feet|pies?|['’′]",
  yards: 'yds?|yards?',
  pounds: 'lbs?|pounds?|libras?',
  tons: 'tons?|toneladas?',
  gallons: 'gals?|gallons?',
  watts: 'w|watts?|vatios?',
  kilowatts: 'kw|kilowatts?|kilovatios?',
  kilovoltamperes: 'kva',
  volts: 'v|volts?|voltios?',
  amperes: 'amps?|amperes?|amperios?',
  btu: 'btus?',
};

const UNIT_PATTERN = String.raw`[\s-]{0,2}(?:${Object.entries(UNITS)
  .map(([name, unit]) => `(?<${name}>${unit})`)
  .join('|')})(?![\p{L}\p{N}/])`;

/** Matches a size with a unit, such as “16 ft”, “16-foot” and “5 kW”. */
export const UNIT_SIZE_PATTERN = String.raw`\d+(?:[.,]\d+)*${UNIT_PATTERN}`;

const UNIT_AFTER_NUMBER_PATTERN = new RegExp(String.raw`(?<=\d)${UNIT_PATTERN}`, 'gu');

const SIDE_UNIT_PATTERN = String.raw`[\s-]{0,2}(?:ft|foot|feet|inch|inches|['\u2019\u2032\u2033\u201d"]{1,2})`;

/** Matches two dimensions, such as “6 x 12”, “6'x12'” and “6 ft by 12 ft”. */
const DIMENSIONS_PATTERN = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,:/])(\d{1,4})(?:${SIDE_UNIT_PATTERN}|\sin)?\s{0,2}(?:x|×|by)\s{0,2}` +
    String.raw`(\d{1,4})(?![\d:/]|[.,]\d|\s?[ap]\.?m\b)(?:${SIDE_UNIT_PATTERN})?(?![\p{L}\p{N}])`,
  'giu',
);

/** Joins two dimensions into one word without units: “6x12” for “6'x12'” and “6 ft by 12 ft”. */
export const joinDimensions = (text: string): string =>
  /\d/.test(text) ? text.replace(DIMENSIONS_PATTERN, '$1x$2') : text;

/** Matches the direction in an address such as “2455 W Bay Dr”, which is not a unit. */
const STREET_DIRECTION_PATTERN = /(?<=\d) [WV] (?=\p{Lu}\p{Ll})/gu;

/** The name of the unit that matched, as a separate word. */
function nameUnit(match: string, ...captures: unknown[]): string {
  const groups = captures.at(-1) as Record<string, string | undefined>;
  return ` ${Object.keys(groups).find((name) => groups[name] !== undefined) ?? match} `;
}

/** Replaces each unit in lowercase text with one word, however it is written. */
const replaceUnits = (text: string): string =>
  /\d/.test(text) ? text.replace(UNIT_AFTER_NUMBER_PATTERN, nameUnit) : text;

/**
 * The words in text, lowercased and without accents. “1,000” and “A/C” are one word each, “set-up”
 * also yields “setup”, and “16-foot” becomes “16 feet”. “How much” becomes “price”, because both of
 * its words are stop words, and “nos case” becomes “casarse”, because “case” is also an English word.
 */
export function wordsOf(text: string): string[] {
  const plain = replaceUnits(
    joinDimensions(text.replace(STREET_DIRECTION_PATTERN, ' '))
      .normalize('NFKD')
      .slice(0, MAX_GROWTH * text.length + MAX_CHARACTER_LENGTH)
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
      .replace(ABBREVIATION_SEPARATOR_PATTERN, ''),
  )
    .replace(/\bhow much\b/g, 'price')
    .replace(/\b(?:me|nos) casen?\b/g, 'casarse');
  // Searching for hyphenated words takes longer than everything else here.
  const joinedWords = plain.includes('-')
    ? plain.replace(/(?<!\p{L})(\p{L}+)-(\p{L}+)/gu, '$1-$2 $1$2')
    : plain;
  return joinedWords.match(WORD_PATTERN) ?? [];
}

/** The words of a text between spaces, to find phrases in it. */
export const joinWords = (text: string): string => ` ${wordsOf(text).join(' ')} `;

/**
 * Maximum number of cached stems: a network's own vocabulary is far smaller, but questions may
 * contain any word.
 */
const MAX_STEMS = 20_000;

/** Stems of the words seen so far; passages of a network share most of their words. */
const stems = new Map<string, string>();

/** The stem of a word, shared by all its forms; null for a stop word. */
export function termOf(word: string): string | null {
  if (isStopWord(word)) return null;
  const cachedStem = stems.get(word);
  if (cachedStem !== undefined) return cachedStem;
  const stemmedWord = stem(word);
  if (stems.size < MAX_STEMS) stems.set(word, stemmedWord);
  return stemmedWord;
}

export const termsIn = (words: readonly string[]): string[] =>
  words.map(termOf).filter((term) => term !== null);

export const termsOf = (text: string): string[] => termsIn(wordsOf(text));

const count = (words: readonly string[], list: ReadonlySet<string>): number =>
  words.filter((word) => list.has(word)).length;

/**
 * Whether text is in Spanish rather than English. Without function words, accents decide, as in
 * “está rota”.
 */
export function isSpanish(text: string): boolean {
  if (/[¿¡ñ]/iu.test(text)) return true;
  const words = wordsOf(text);
  const difference = count(words, SPANISH_WORDS) - count(words, ENGLISH_STOP_WORDS);
  return difference > 0 || (difference === 0 && /[áéíóú]/iu.test(text));
}

/** Whether text contains function words that only English has. */
export const hasEnglishWords = (text: string): boolean => count(wordsOf(text), ENGLISH_WORDS) > 0;

/** Minimum number of function words that make text English. */
const MIN_ENGLISH_WORDS = 2;

/** Whether text is certainly in English. */
export const isEnglish = (text: string): boolean =>
  count(wordsOf(text), ENGLISH_STOP_WORDS) >= MIN_ENGLISH_WORDS;
