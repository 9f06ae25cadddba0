import type { Subsite } from '../../registry/subsite.ts';
import { fill, fillPlural } from '../../text/fill.ts';
import { minimumTerms as text } from '../../text/index.ts';

type MinimumTerm = NonNullable<Subsite['minimumTerm']>;

export const formatMinimumTerm = ({ count, unit }: MinimumTerm): string =>
  fillPlural(text[unit], count);

/** The shortest rental, next to a price: “Minimum: 3 months”. */
export const describeMinimumTerm = (term: MinimumTerm): string =>
  fill(text.minimum, { term: formatMinimumTerm(term) });

/** The shortest rental as a sentence, next to a form’s button or an offer. */
export const explainMinimumTerm = (term: MinimumTerm): string =>
  fill(text.sentence, { term: formatMinimumTerm(term) });

const DAYS_BY_UNIT = { day: 1, week: 7, month: 30 } as const;

const COUNTS_BY_WORD: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  couple: 2,
  un: 1,
  una: 1,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
};

/** A length of time, but not a time from now or a price for a time: “in 2 days”, “35 a month”. */
const LENGTH_PATTERN = new RegExp(
  String.raw`(?<!\p{L})(?<before>(?:in|within|en|dentro de|every|each|\d)\s+)?(?:a\s+)?(?<count>\d{1,3}|${Object.keys(COUNTS_BY_WORD).join('|')})[\s-]+(?:of\s+)?(?<unit>days?|nights?|weekends?|weeks?|months?|d[ií]as?|noches?|semanas?|mes(?:es)?)(?!\p{L})`,
  'giu',
);

const UNIT_PATTERNS = [
  [/^(?:week(?!end)|semana)/i, 7],
  [/^(?:month|mes)/i, 30],
  [/^weekend/i, 2],
] as const;

/** The days of the lengths of time that a text names. */
const listLengths = (question: string): number[] =>
  [...question.matchAll(LENGTH_PATTERN)].flatMap(({ groups = {} }) => {
    const { before, count = '', unit = '' } = groups;
    const days = UNIT_PATTERNS.find(([pattern]) => pattern.test(unit))?.[1] ?? 1;
    return before === undefined
      ? [(COUNTS_BY_WORD[count.toLowerCase()] ?? Number(count)) * days]
      : [];
  });

/** Notice that a text names only lengths of time below the shortest rental; otherwise undefined. */
export function createTermNotice(
  { title, minimumTerm }: Pick<Subsite, 'title' | 'minimumTerm'>,
  question: string,
): string | undefined {
  if (!minimumTerm) return undefined;
  const longest = Math.max(...listLengths(question));
  return longest > 0 && longest < minimumTerm.count * DAYS_BY_UNIT[minimumTerm.unit]
    ? fill(text.notice, { service: title, term: formatMinimumTerm(minimumTerm) })
    : undefined;
}
