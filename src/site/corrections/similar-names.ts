/**
 * Edit distance that counts a swap of adjacent letters as one edit and edits each letter at most
 * once.
 */
export function editDistance(a: string, b: string): number {
  let previousRow: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isTransposed = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + cost,
        i > 1 && j > 1 && isTransposed ? previousRow[j - 2]! + 1 : Infinity,
      );
    }
    previousRow = row;
    row = next;
  }
  return row[b.length]!;
}

/**
 * Whether at most one edit separates two words: a letter added, removed or replaced, or two
 * adjacent letters swapped.
 */
export function isWithinOneEdit(a: string, b: string): boolean {
  const shorterLength = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorterLength && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorterLength - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const restOfA = a.slice(start, a.length - end);
  const restOfB = b.slice(start, b.length - end);
  const isSwapped =
    restOfA.length === 2 && restOfB.length === 2 && restOfA === `${restOfB[1]}${restOfB[0]}`;
  return isSwapped || Math.max(restOfA.length, restOfB.length) < 2;
}

/** True if one word begins with the other, and the shorter one has at least three letters. */
function isPrefixOfOther(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length > 2 && long.startsWith(short);
}

/**
 * Maximum share of a word's letters that a typo changes; with one half, “tables” would match
 * “trailer”.
 */
const MAX_EDITED_SHARE = 0.4;

/** The known word closest to `word`, or undefined if none is close enough. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const lowercaseWord = word.toLowerCase();
  const rankedCandidates = known
    .map((candidate) => {
      const distance = editDistance(lowercaseWord, candidate.toLowerCase());
      return {
        candidate,
        distance: isPrefixOfOther(lowercaseWord, candidate.toLowerCase())
          ? Math.min(1, distance)
          : distance,
      };
    })
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  const best = rankedCandidates[0];
  const maxDistance =
    lowercaseWord.length < 4 ? 1 : Math.max(2, Math.floor(lowercaseWord.length * MAX_EDITED_SHARE));
  return best && best.distance <= maxDistance ? best.candidate : undefined;
}

/** `Did you mean …?` if a known word is close to the submitted word, otherwise an empty string. */
export function suggestNearest(word: unknown, known: readonly string[]): string {
  const nearestWord =
    typeof word === 'string' && word.length <= 100 ? findNearest(word, known) : undefined;
  return nearestWord ? ` Did you mean ${nearestWord}?` : '';
}

const DATE_NAME_PATTERN = /_?(?:date|day)$/i;
const START_NAME_PATTERN = /^(?:start|from|begin|since|check_?in)(?:s|ing)?_?(?:date|day|on)?$/i;
const END_NAME_PATTERN = /^(?:end|to|until|till|through|check_?out)(?:s|ing)?_?(?:date|day|on)?$/i;

/** Common names for values that have a different name in this API. */
const NAME_ALIASES: Readonly<Record<string, readonly string[]>> = {
  cell: ['phone'],
  mobile: ['phone'],
  tel: ['phone'],
  telephone: ['phone'],
  q: ['query', 'question'],
  url: ['path'],
  link: ['path'],
  page: ['path'],
  verb: ['action'],
  cancel: ['withdraw'],
  delete: ['erase'],
};

const QUERY_ALIASES = [
  'need',
  'question',
  'search',
  'text',
  'words',
  'keyword',
  'keywords',
  'term',
  'terms',
];

/** Other names for text that a person writes, by its name in this API. */
const TEXT_ALIASES: Readonly<Record<string, readonly string[]>> = {
  query: ['q', ...QUERY_ALIASES],
  q: ['query', ...QUERY_ALIASES],
  question: ['need', 'q', 'query', 'search', 'text', 'prompt', 'message'],
  text: ['message', 'msg', 'body', 'content', 'comment', 'note', 'reply', 'answer', 'question'],
};

/** True if a name is a common alternative to the known name of a text. */
export const isTextAlias = (name: string, known: string): boolean =>
  Object.hasOwn(TEXT_ALIASES, known) && TEXT_ALIASES[known]!.includes(name.toLowerCase());

/** True if a name refers to a date, or to the start or end of a period. */
export const isDateName = (name: string): boolean =>
  DATE_NAME_PATTERN.test(name) || START_NAME_PATTERN.test(name) || END_NAME_PATTERN.test(name);

/**
 * Chooses the first of two dates for a start, and the second for an end; undefined unless there are
 * exactly two.
 */
function resolveDateName(name: string, known: readonly string[]): string | undefined {
  const [first, last, ...others] = known.filter((other) => DATE_NAME_PATTERN.test(other));
  if (first === undefined || last === undefined || others.length) return undefined;
  if (END_NAME_PATTERN.test(first) || START_NAME_PATTERN.test(last)) return undefined;
  return START_NAME_PATTERN.test(name) ? first : last;
}

/** Finds the known name that was probably intended; undefined if that is unclear. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 100) return undefined;
  if (
    (START_NAME_PATTERN.test(name) || END_NAME_PATTERN.test(name)) &&
    known.some((other) => DATE_NAME_PATTERN.test(other))
  )
    return resolveDateName(name, known);
  const aliases = Object.hasOwn(NAME_ALIASES, name.toLowerCase())
    ? NAME_ALIASES[name.toLowerCase()]
    : undefined;
  const other = aliases?.find((alias) => known.includes(alias));
  if (other !== undefined) return other;
  const nearestWord = findNearest(name, known);
  if (
    nearestWord === undefined ||
    !DATE_NAME_PATTERN.test(name) ||
    !DATE_NAME_PATTERN.test(nearestWord)
  )
    return nearestWord;
  // Two names may be similar only because both contain “date”.
  return findNearest(name.replace(DATE_NAME_PATTERN, ''), [
    nearestWord.replace(DATE_NAME_PATTERN, ''),
  ]) === undefined
    ? undefined
    : nearestWord;
}

/**
 * `Did you mean …?` for a subsite: the one whose page path was sent, or the one with the closest
 * name.
 */
export function suggestSubsite(
  sent: unknown,
  subsites: readonly { name: string; url: string }[],
): string {
  const pageOwner = subsites.find(({ url }) => url === `/${String(sent)}`);
  if (pageOwner) return ` Did you mean ${pageOwner.name}?`;
  return suggestNearest(
    sent,
    subsites.map(({ name }) => name),
  );
}
