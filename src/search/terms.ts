import { stem } from 'porter2';

/** Stop words for questions in English and Spanish, including common misspellings. */
const STOP_WORDS = new Set(
  (
    'a about abt actually aint al alguien algun alguna all already also am an and ando ' +
    'another any anybody anyone anything are aren arent as ask at be because been being ' +
    'buscamos buscando busco but by ca can cant como con could couldn couldnt couldve cual ' +
    'cuando cuz d dat de del did didn didnt do does doesn doesnt doing don donde done dont el ' +
    'ella ellos else em es esta estan este ever every everything far find folks for from get ' +
    'gets gimme give go goes going gonna got gotta guys hace hacen hacer hacerme had haga ' +
    'hagan has hasn hasnt have haven havent having hay he hello her here hey hi him his hola ' +
    'how i if im in into is isn isnt it its ive just kinda know la las le lemme let like ll ' +
    'lo lol long look looking los lot m make makes many may maybe me mi might mine mis more ' +
    'most much must my myself near necesitamos necesito need no nos not now of off often ok ' +
    'okay on once one only or other our out own para per please pls plz por puede pueden puedo ' +
    'put que queremos quien quiero quisiera re really s said say se ser shall she should ' +
    'shouldn shouldnt sin so some somebody someone something somewhere son soon still su such ' +
    'sure sus t take takes tambien tell tengo than thank thanks that thats the their them then there ' +
    'theres these they thing things this those thru thx tiene tienen to too u un una unas uno ' +
    'unos up ur us use using usted ustedes ve very wanna want wants was wasn wasnt wat way we ' +
    'well were weren werent what whatever whats when whenever where whether which while who ' +
    'whom whos whose why will wish with within without wo won wont would wouldn wouldnt y ya ' +
    'yall yes yet you your youre yours yourself'
  ).split(' '),
);

const WORD_PATTERN = /[\p{L}\p{N}]+/gu;

/**
 * Maximum growth of text in its compatibility decomposition: a letter has at most two accents, and
 * a single character may become as many as {@link MAX_CHARACTER_LENGTH}.
 */
const MAX_GROWTH = 3;
const MAX_CHARACTER_LENGTH = 18;

/** The separators in an abbreviation of single letters: “A/C”, “a.c.”, “W/D”. */
const ABBREVIATION_SEPARATOR_PATTERN =
  /[./](?<=(?<![\p{L}\p{N}])\p{L}.)(?=\p{L}(?![\p{L}\p{N}]))/gu;

/**
 * The words in text, lowercased and without accents. “1,000” and “A/C” are one word each, “set-up”
 * also yields “setup”. “How much” becomes “price”, because both of its words are stop words, and “nos
 * case” becomes “casarse”, because “case” is also an English word.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .slice(0, MAX_GROWTH * text.length + MAX_CHARACTER_LENGTH)
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(ABBREVIATION_SEPARATOR_PATTERN, '')
    .replace(/\bhow much\b/g, 'price')
    .replace(/\b(?:me|nos) casen?\b/g, 'casarse');
  // The search for hyphenated words costs more than everything else.
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
  if (STOP_WORDS.has(word)) return null;
  const cachedStem = stems.get(word);
  if (cachedStem !== undefined) return cachedStem;
  const stemmedWord = stem(word);
  if (stems.size < MAX_STEMS) stems.set(word, stemmedWord);
  return stemmedWord;
}

export const termsIn = (words: readonly string[]): string[] =>
  words.map(termOf).filter((term) => term !== null);

export const termsOf = (text: string): string[] => termsIn(wordsOf(text));
