import { stem } from 'porter2';

/** Words that a question in English or Spanish has and an answer need not have. */
const STOP_WORDS = new Set(
  (
    'a about actually al all already also am an and another any anybody anyone anything ' +
    'are as ask at be because been being but by can como con could cual cuando d de del ' +
    'did do does doesn doing don donde done el ella ellos else es esta estan este ever ' +
    'every everything far find for from get gets give go goes going got hace hacen had ' +
    'has have having hay he her here him his how i if in into is isn it its just know la ' +
    'las le let like ll lo long look looking los lot m make makes many may maybe me mi ' +
    'might mine mis more most much must my myself near necesito need no nos not now of ' +
    'off often ok okay on once one only or other our out own para please por puede pueden ' +
    'puedo put que quien quiero re really s said say se ser shall she should sin so some ' +
    'somebody someone something somewhere son soon still su such sure sus t take takes ' +
    'tell tengo than thank thanks that the their them then there these they thing things ' +
    'this those tiene tienen to too un una unas uno unos up us use using usted ustedes ve ' +
    'very want wants was way we well were what whatever when whenever where whether which ' +
    'while who whom whose why will wish with within without would y yes yet you your ' +
    'yours yourself'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}]+/gu;

/** The words of a text in lower case, without accents; “1,000” is one word, and “set-up” is “setup” too. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(/(?<!\p{L})(\p{L}+)-(\p{L}+)/gu, '$1-$2 $1$2')
    .match(WORD) ?? [];

/** Most words whose stems are kept: a network’s own vocabulary is far smaller, and questions bring any. */
const MOST_STEMS = 20_000;

/** Stems of the words seen so far; passages of a network share most of their words. */
const stems = new Map<string, string>();

/** The stem of a word, by which all its forms are found; null for a word that says nothing. */
export function termOf(word: string): string | null {
  if (STOP_WORDS.has(word)) return null;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stemmed = stem(word);
  if (stems.size < MOST_STEMS) stems.set(word, stemmed);
  return stemmed;
}

/** The terms of words in their order. */
export const termsIn = (words: readonly string[]): string[] =>
  words.map(termOf).filter((term) => term !== null);

/** The terms of a text in its order. */
export const termsOf = (text: string): string[] => termsIn(wordsOf(text));
