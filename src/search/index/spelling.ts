import { editDistance } from '../../site/corrections/similar-names.ts';
import { termOf } from './terms.ts';

/**
 * Returns the known word that was probably intended, or the word itself if it is known or no known
 * word is close.
 */
export type SpellingCorrector = (word: string) => string;

/**
 * Minimum number of letters in a word for correcting it with one edit, a substitution, or two
 * edits.
 */
const MIN_LENGTH_FOR_ONE_EDIT = 4;
const MIN_LENGTH_FOR_SUBSTITUTION = 6;
const MIN_LENGTH_FOR_TWO_EDITS = 8;

const maxEditsFor = ({ length }: string): number =>
  length < MIN_LENGTH_FOR_ONE_EDIT ? 0 : length < MIN_LENGTH_FOR_TWO_EDITS ? 1 : 2;

/**
 * Whether a correction is likely. Short words that differ in one letter are usually different
 * words.
 */
const isLikely = (word: string, candidate: string): boolean =>
  word.length >= MIN_LENGTH_FOR_SUBSTITUTION ||
  word.length !== candidate.length ||
  Array.from(word).sort().join('') === Array.from(candidate).sort().join('');

const groupOf = (word: string): string => word.slice(0, 1);

/** Swaps the first two letters of a word, as for “vhac”. */
const swapFirstLetters = (word: string): string => `${word[1]}${word[0]}${word.slice(2)}`;

/**
 * Builds a lookup for misspelled words; of two equally close words, the first in `words` wins. The
 * first letter must match, unless only the first two letters are swapped.
 */
export function createSpellingCorrector(words: readonly string[]): SpellingCorrector {
  const groups = Map.groupBy(words, groupOf);
  const all = new Set(words);
  let knownTerms: ReadonlySet<string | null> | undefined;
  // “dumped” is a form of “dump”, not a misspelled “dumper”.
  const isKnownForm = (word: string) =>
    (knownTerms ??= new Set(words.map(termOf))).has(termOf(word));
  return (word) => {
    const maxEdits = maxEditsFor(word);
    if (!maxEdits || all.has(word) || /\d/.test(word) || isKnownForm(word)) return word;
    const swapped = swapFirstLetters(word);
    if (all.has(swapped)) return swapped;
    let best = word;
    let bestDistance = maxEdits + 1;
    for (const candidate of groups.get(groupOf(word)) ?? []) {
      if (Math.abs(candidate.length - word.length) > maxEdits || !isLikely(word, candidate))
        continue;
      const distance = editDistance(word, candidate);
      if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
    }
    return best;
  };
}

/** Builds a lookup for words by prefix; of several matching words, the first in `words` wins. */
export function createWordCompleter(
  words: readonly string[],
): (prefix: string) => string | undefined {
  const groups = Map.groupBy(words, groupOf);
  return (prefix) => groups.get(groupOf(prefix))?.find((candidate) => candidate.startsWith(prefix));
}

/** The distinct words in text, most frequent first. */
export function sortWordsByFrequency(texts: Iterable<readonly string[]>): string[] {
  const counts = new Map<string, number>();
  for (const words of texts)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([word]) => word);
}
