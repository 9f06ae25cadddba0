import { describe, expect, it } from 'vitest';
import { allPassages, halves, isRight, judge, readQuestions, tableOf } from './evaluation.ts';

const questions = readQuestions();
const judged = judge();

describe('the questions', () => {
  it('are 200, half of each kind held back, and each is asked once', () => {
    expect(questions).toHaveLength(200);
    expect(new Set(questions.map(({ question }) => question)).size).toBe(200);
    for (const { kind } of questions) {
      const of = questions.filter((other) => other.kind === kind);
      expect(of.filter(({ half }) => half === 'tuning')).toHaveLength(of.length / 2);
    }
  });

  it('have right passages that are published', () => {
    const passages = allPassages();
    const unpublished = questions
      .filter(({ kind }) => kind !== 'service')
      .flatMap(({ question, right }) =>
        right
          .filter((part) => !passages.some((passage) => isRight(passage, [part])))
          .map((part) => `${question} ${part}`),
      );
    expect(unpublished).toEqual([]);
  });
});

describe.each(halves)('on the %s half', (half) => {
  const table = tableOf(judged, half);
  const sum = (kinds: string[], count: 'asked' | 'first' | 'amongThree' | 'amongFive' | 'wrong') =>
    table.filter(({ kind }) => kinds.includes(kind)).reduce((all, row) => all + row[count], 0);
  const answered = (kinds: string[]) =>
    table.filter(({ kind }) => kinds.includes(kind)).reduce((all, row) => all + row.answered, 0);
  const direct = ['direct', 'place'];
  const answerable = [...direct, 'paraphrased', 'misspelled', 'spanish'];

  it('the right passage is among the first three for 90% of direct questions', () =>
    expect(sum(direct, 'amongThree') / sum(direct, 'asked')).toBeGreaterThanOrEqual(0.9));

  it('the right passage is among the first five for 45% of paraphrased questions', () =>
    expect(sum(['paraphrased'], 'amongFive') / 20).toBeGreaterThanOrEqual(0.45));

  it('an answer that is claimed is right in 95%', () =>
    expect(sum(answerable, 'wrong') / answered(answerable)).toBeLessThanOrEqual(0.05));

  it('claims an answer to most direct questions', () =>
    expect(answered(direct) / sum(direct, 'asked')).toBeGreaterThanOrEqual(0.6));

  it('refuses 90% of what nothing answers', () =>
    expect(answered(['unanswerable']) / sum(['unanswerable'], 'asked')).toBeLessThanOrEqual(0.1));

  it('the right service comes first in 90% of searches', () =>
    expect(sum(['service'], 'first') / sum(['service'], 'asked')).toBeGreaterThanOrEqual(0.9));
});
