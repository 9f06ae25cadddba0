/**
 * Edit distance of `a` and `b` (insert, delete, replace, swap of neighbors), with each letter
 * edited at most once.
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
 * True if one word begins with the other, as zipcode begins with zip. The shorter word must have at
 * least three letters.
 */
function isPrefixOfOther(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length > 2 && long.startsWith(short);
}

/** The known word closest to `word`, or undefined if none is close enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lowercase = word.toLowerCase();
  const ranked = known
    .map((candidate) => {
      const distance = editDistance(lowercase, candidate.toLowerCase());
      return {
        candidate,
        away: isPrefixOfOther(lowercase, candidate.toLowerCase())
          ? Math.min(1, distance)
          : distance,
      };
    })
    .sort((a, b) => a.away - b.away || (a.candidate < b.candidate ? -1 : 1));
  const best = ranked[0];
  const maxDistance = lowercase.length < 3 ? 1 : Math.max(2, Math.floor(lowercase.length / 2));
  return best && best.away <= maxDistance ? best.candidate : undefined;
}

/** `Did you mean …?` if a known word is close to the submitted word, otherwise an empty string. */
export function suggestion(word: unknown, known: readonly string[]): string {
  const guess = typeof word === 'string' && word.length <= 100 ? nearest(word, known) : undefined;
  return guess ? ` Did you mean ${guess}?` : '';
}

const DATE = /_?(?:date|day)$/i;
const START = /^(?:start|from|begin|since|check_?in)(?:s|ing)?_?(?:date|day|on)?$/i;
const END = /^(?:end|to|until|till|through|check_?out)(?:s|ing)?_?(?:date|day|on)?$/i;

/** Common names for values that have a different name here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cell: 'phone',
  mobile: 'phone',
  tel: 'phone',
  telephone: 'phone',
  q: 'query',
  url: 'path',
  link: 'path',
  page: 'path',
};

/** True if a name is a date, or the start or end of a period. */
export const isDateName = (name: string): boolean =>
  DATE.test(name) || START.test(name) || END.test(name);

/**
 * The first of two dates if the name is a start, the second if it is an end; undefined if there are
 * not exactly two.
 */
function dateMeant(name: string, known: readonly string[]): string | undefined {
  const [first, last, ...others] = known.filter((other) => DATE.test(other));
  if (first === undefined || last === undefined || others.length) return undefined;
  if (END.test(first) || START.test(last)) return undefined;
  return START.test(name) ? first : last;
}

/** The known name that was probably meant; undefined if that is unclear. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 100) return undefined;
  if ((START.test(name) || END.test(name)) && known.some((other) => DATE.test(other)))
    return dateMeant(name, known);
  const other = Object.hasOwn(OTHER_NAMES, name.toLowerCase())
    ? OTHER_NAMES[name.toLowerCase()]
    : undefined;
  if (other !== undefined && known.includes(other)) return other;
  const guess = nearest(name, known);
  if (guess === undefined || !DATE.test(name) || !DATE.test(guess)) return guess;
  // Two date names are similar only because both contain “date”.
  return nearest(name.replace(DATE, ''), [guess.replace(DATE, '')]) === undefined
    ? undefined
    : guess;
}

/**
 * `Did you mean …?` for a subsite name, with the subsite whose page or name was sent, or else the
 * closest match.
 */
export function subsiteSuggestion(
  sent: unknown,
  subsites: readonly { name: string; url: string }[],
): string {
  const pageOwner = subsites.find(({ url }) => url === `/${String(sent)}`);
  if (pageOwner) return ` Did you mean ${pageOwner.name}?`;
  return suggestion(
    sent,
    subsites.map(({ name }) => name),
  );
}
