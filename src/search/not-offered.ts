import { wordsOf } from './terms.ts';

/** What a network does not offer, and what people call it. */
export interface NotOffered {
  what: string;
  words: readonly string[];
}

// Stems would take a house clean-out for house cleaning.
const isSame = (word: string | undefined, named: string): boolean =>
  word === named || word === `${named}s`;

const holds = (words: readonly string[], phrase: readonly string[]): boolean =>
  words.some((_, at) => phrase.every((named, ahead) => isSame(words[at + ahead], named)));

/**
 * What of it a person asks for, named by one of its words or phrases; undefined where it is nothing
 * of it.
 */
export function notOfferedIn(list: readonly NotOffered[], asked: string): string | undefined {
  const words = wordsOf(asked);
  return list.find((one) => one.words.some((phrase) => holds(words, wordsOf(phrase))))?.what;
}
