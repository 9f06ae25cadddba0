import { describe, expect, it } from 'vitest';
import {
  listAllPassages,
  isCorrect,
  judgeQuestions,
  sets,
  readQuestions,
  buildTable,
} from './evaluation.ts';

/**
 * Minimum share of direct questions with a correct passage in the first three results, and of
 * paraphrased questions in the first five, slightly below the measured shares. The goals are 0.9
 * and 0.45. Held-back paraphrases share no words with the text of the records; 10 of the 24 share
 * words with the records’ search phrases.
 */
const minimums = {
  questions: { direct: 0.89, paraphrased: 0.75 },
  'held-back-questions': { direct: 0.92, paraphrased: 0.37 },
} as const;

describe.each(sets)('search results for %s.txt', (set) => {
  const questions = readQuestions(set);

  it('come from distinct questions', () =>
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length));

  it('are compared with published passages', () => {
    const passages = listAllPassages();
    const unpublishedQuestions = questions
      .filter(({ kind }) => kind !== 'service')
      .flatMap(({ question, expected: right }) =>
        right
          .filter((part) => !passages.some((passage) => isCorrect(passage, [part])))
          .map((part) => `${question} ${part}`),
      );
    expect(unpublishedQuestions).toEqual([]);
  });

  const table = buildTable(judgeQuestions(set));
  const sum = (
    kinds: string[],
    count: 'asked' | 'first' | 'recallAtThree' | 'recallAtFive' | 'answered' | 'wrong',
  ) => table.filter(({ kind }) => kinds.includes(kind)).reduce((all, row) => all + row[count], 0);
  const share = (kinds: string[], count: Parameters<typeof sum>[1]) =>
    sum(kinds, count) / Math.max(1, sum(kinds, 'asked'));
  const directKinds = ['direct', 'place'];
  const answerableKinds = [...directKinds, 'paraphrased', 'misspelled', 'spanish'];

  it('have a correct passage among the first three results for most direct questions', () =>
    expect(share(directKinds, 'recallAtThree')).toBeGreaterThanOrEqual(minimums[set].direct));

  it('have a correct passage among the first five results for some paraphrased questions', () =>
    expect(share(['paraphrased'], 'recallAtFive')).toBeGreaterThanOrEqual(
      minimums[set].paraphrased,
    ));

  it('are correct in 95% of confident answers', () =>
    expect(
      sum(answerableKinds, 'wrong') / Math.max(1, sum(answerableKinds, 'answered')),
    ).toBeLessThanOrEqual(0.05));

  it('include a confident answer for 40% of direct questions', () =>
    expect(share(directKinds, 'answered')).toBeGreaterThanOrEqual(0.4));

  it('include no confident answer for 90% of unanswerable questions', () =>
    expect(share(['unanswerable'], 'answered')).toBeLessThanOrEqual(0.1));

  it('have the correct service first in 90% of service searches', () =>
    expect(share(['service'], 'first')).toBeGreaterThanOrEqual(0.9));
});
