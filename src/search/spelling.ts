import { edits } from '../site/nearest.ts';

/**
 * The word that was meant, of those that are known; the word itself where it is known or none is
 * near.
 */
export type Spelling = (word: string) => string;

/** Letters from which on a word may have one edit, a wrong letter among it, and two edits. */
const ONE_EDIT = 4;
const WRONG_LETTER = 6;
const TWO_EDITS = 8;

const editsAllowed = ({ length }: string): number =>
  length < ONE_EDIT ? 0 : length < TWO_EDITS ? 1 : 2;

/** Short words with another letter are mostly other words. */
const isLikely = (word: string, known: string): boolean =>
  word.length >= WRONG_LETTER ||
  word.length !== known.length ||
  Array.from(word).sort().join('') === Array.from(known).sort().join('');

const groupOf = (word: string): string => word.slice(0, 1);

/**
 * Makes the lookup of misspelled words; of two that are as near, the one that comes first in
 * `words` is meant. The first letter is taken as right.
 */
export function spellingOf(words: readonly string[]): Spelling {
  const groups = Map.groupBy(words, groupOf);
  const all = new Set(words);
  return (word) => {
    const most = editsAllowed(word);
    if (!most || all.has(word) || /\d/.test(word)) return word;
    let best = word;
    let away = most + 1;
    for (const known of groups.get(groupOf(word)) ?? []) {
      if (Math.abs(known.length - word.length) > most || !isLikely(word, known)) continue;
      const distance = edits(word, known);
      if (distance < away) [best, away] = [known, distance];
    }
    return best;
  };
}

/** Makes the lookup of words by their beginning; of several, the first in `words` is given. */
export function completionOf(words: readonly string[]): (beginning: string) => string | undefined {
  const groups = Map.groupBy(words, groupOf);
  return (beginning) =>
    groups.get(groupOf(beginning))?.find((known) => known.startsWith(beginning));
}

/** The distinct words of texts, the most frequent first. */
export function wordsByFrequency(texts: Iterable<readonly string[]>): string[] {
  const counts = new Map<string, number>();
  for (const words of texts)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([word]) => word);
}
