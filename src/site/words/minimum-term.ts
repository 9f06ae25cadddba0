import type { Subsite } from '../../registry/schemas/subsite.ts';
import { fill, fillPlural } from '../../text/fill.ts';
import { durations, minimumTerms as text } from '../../text/index.ts';

type MinimumTerm = NonNullable<Subsite['minimumTerm']>;

export const formatMinimumTerm = ({ count, unit }: MinimumTerm): string =>
  fillPlural(durations[`${unit}s`], count);

/** Describes the shortest rental, next to a price: “Minimum: 3 months”. */
export const describeMinimumTerm = (term: MinimumTerm): string =>
  fill(text.minimum, { term: formatMinimumTerm(term) });

/** Describes the shortest rental in a sentence, next to a form’s button or an offer. */
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

const LENGTH = String.raw`(?:\d{1,3}\s*(?:or|to|o|a|-)\s*)?(?<count>\d{1,3}(?:\.\d)?|${Object.keys(COUNTS_BY_WORD).join('|')})[\s-]+(?:of\s+)?(?<unit>days?|nights?|weekends?|weeks?|months?|d[ií]as?|noches?|semanas?|mes(?:es)?)(?!\p{L})`;

/**
 * Match a length of time next to a word that marks it as a rental period: “for 2 days”, “rental, two
 * months”, “2-month rental”. Other lengths are prices, ages or times from now: “35 a month”, “2
 * weeks old”.
 */
const LENGTH_PATTERNS = [
  String.raw`(?<!\p{L})(?:for|por|para|durante|only|just|solo|rent(?:al)?),?\s+(?:only\s+|just\s+)?(?:a\s+)?${LENGTH}`,
  String.raw`(?<![\p{L}\d.,])${LENGTH}(?=\s+(?:\p{L}+\s+)?rental)`,
].map((pattern) => new RegExp(pattern, 'giu'));

const UNIT_PATTERNS = [
  [/^(?:week(?!end)|semana)/i, 7],
  [/^(?:month|mes)/i, 30],
  [/^weekend/i, 2],
] as const;

/** Lists the lengths of time that a text names, in days. */
const listLengths = (question: string): number[] =>
  LENGTH_PATTERNS.flatMap((pattern) => [...question.matchAll(pattern)]).map(({ groups = {} }) => {
    const { count = '', unit = '' } = groups;
    const days = UNIT_PATTERNS.find(([pattern]) => pattern.test(unit))?.[1] ?? 1;
    return (COUNTS_BY_WORD[count.toLowerCase()] ?? Number(count)) * days;
  });

/**
 * Creates a notice if a text names only lengths of time below the shortest rental; undefined
 * otherwise.
 */
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
