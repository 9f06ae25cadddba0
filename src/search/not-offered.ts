import { wordsOf } from './terms.ts';

/** What a network does not offer, and what people call it. */
export interface NotOffered {
  what: string;
  words: readonly string[];
  /** Subsites that serve the same need in another way, the nearest first. */
  instead?: readonly string[] | undefined;
}

// Stems would take a house clean-out for house cleaning.
const isSame = (word: string, named: string): boolean => word === named || word === `${named}s`;

/** Words between those that name a thing, which say whose it is: “rent a car”, “repair my roof”. */
const DETERMINERS = new Set(['a', 'an', 'the', 'my', 'our', 'your', 'any', 'some']);

const namingWords = (text: string): string[] =>
  wordsOf(text).filter((word) => !DETERMINERS.has(word));

/** Whether words have a phrase, in any order: “roof repair” is “repair my roof” too. */
const holds = (words: readonly string[], phrase: readonly string[]): boolean =>
  words.some((_, at) => {
    const said = words.slice(at, at + phrase.length);
    return (
      said.length === phrase.length &&
      phrase.every((named) => said.some((word) => isSame(word, named)))
    );
  });

/**
 * What of it a person asks for, named by one of its words or phrases; undefined where it is nothing
 * of it.
 */
export function notOfferedIn(list: readonly NotOffered[], asked: string): NotOffered | undefined {
  const words = namingWords(asked);
  return list.find((one) => one.words.some((phrase) => holds(words, namingWords(phrase))));
}

/**
 * What is left of a list where some services are offered all the same: what their titles have is
 * dropped.
 */
export const withoutOffered = (
  list: readonly NotOffered[],
  titles: readonly string[],
): NotOffered[] => {
  const offered = titles.map(namingWords);
  return list.map((one) => ({
    ...one,
    words: one.words.filter(
      (phrase) => !offered.some((title) => holds(title, namingWords(phrase))),
    ),
  }));
};
