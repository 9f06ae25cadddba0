/** A range of scores, inclusive at both ends, and its interpretation. */
export interface Interpretation {
  from: number;
  to: number;
  text: string;
}

/** Yes-or-no questions; each yes scores ten points. */
export interface Audit {
  questions: readonly string[];
  interpretations: readonly Interpretation[];
}

export const POINTS_PER_YES = 10;

/** Score for a number of yes answers: 0 to 100 for ten questions. */
export const scoreOf = (yesCount: number): number => POINTS_PER_YES * yesCount;

export const interpretationOf = (
  { interpretations }: Audit,
  score: number,
): Interpretation | undefined =>
  interpretations.find(({ from, to }) => score >= from && score <= to);

export const scoresOf = ({ questions }: Audit): number[] =>
  Array.from({ length: questions.length + 1 }, (_, yesCount) => scoreOf(yesCount));
