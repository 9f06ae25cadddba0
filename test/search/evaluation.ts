import { readFileSync } from 'node:fs';
import { findServices } from '../../src/search/find-services.ts';
import { searchKnowledge } from '../../src/search/knowledge.ts';
import type { Passage } from '../../src/search/passages/passage.ts';
import { createServiceIndex } from '../../src/search/services.ts';
import { loadRegistry } from '../../src/registry/index.ts';

/** The set used for tuning, and a held-out set by an author who had not seen the search. */
export const sets = ['questions', 'held-back-questions'] as const;
export type QuestionSet = (typeof sets)[number];

interface Question {
  kind: string;
  set: QuestionSet;
  question: string;
  /**
   * Parts of the titles and text of the correct passages, `@subsite`, or names of subsites in the
   * section “service”.
   */
  expected: string[];
}

const listOf = (text: string, separator: string) => (text ? text.split(separator) : []);

/** The questions in a file, in order. */
export function readQuestions(set: QuestionSet): Question[] {
  const file = new URL(`${set}.txt`, import.meta.url);
  let kind = '';
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (!line || line.startsWith('#')) return [];
      const section = /^\[(\w+)\]$/.exec(line)?.[1];
      if (section) {
        kind = section;
        return [];
      }
      const [question = '', expected = ''] = line.split(' => ');
      return [
        { kind, set, question, expected: listOf(expected, kind === 'service' ? ' ' : ' | ') },
      ];
    });
}

const registry = loadRegistry('registry');
const site = { registry, base: 'https://example.test' };
const services = createServiceIndex(registry);

/** True if a passage is a correct answer. */
export const isCorrect = (
  { text, title, subsite }: Passage,
  expected: readonly string[],
): boolean =>
  expected.some((part) =>
    part.startsWith('@')
      ? subsite === part.slice(1)
      : `${title} ${text}`.toLowerCase().includes(part.toLowerCase()),
  );

/** Search result for a question. */
export interface JudgedQuestion extends Question {
  /**
   * Rank of the first correct passage among five, or of the correct service: 0 is the first, −1
   * means none.
   */
  rank: number;
  isAnswered: boolean;
  /** The first result, in readable form. */
  first: string;
}

/** Runs all questions in a set. */
export const judgeQuestions = (set: QuestionSet): JudgedQuestion[] =>
  readQuestions(set).map((testQuestion) => {
    if (testQuestion.kind === 'service') {
      const found = findServices(services, testQuestion.question, { isTyping: true });
      const index = found.findIndex(({ entry }) => testQuestion.expected.includes(entry.subsite));
      return {
        ...testQuestion,
        rank: index,
        isAnswered: found.length > 0,
        first: found[0]?.entry.title ?? '',
      };
    }
    const { passages, answered } = searchKnowledge(site, {
      question: testQuestion.question,
      limit: 5,
    });
    const index = passages.findIndex((passage) => isCorrect(passage, testQuestion.expected));
    return { ...testQuestion, rank: index, isAnswered: answered, first: passages[0]?.text ?? '' };
  });

/** All published passages, used to validate the questions. */
export const listAllPassages = (): Passage[] =>
  searchKnowledge(site, { question: '', limit: Infinity }).passages;

/** Totals for the questions of one kind. */
export interface Row {
  kind: string;
  asked: number;
  first: number;
  recallAtThree: number;
  recallAtFive: number;
  /** Number of confident answers. */
  answered: number;
  /** Number of confident answers without a correct passage among the first three. */
  wrong: number;
}

/** Results for a set or for some of its questions, as a table. */
export function buildTable(judgedQuestions: readonly JudgedQuestion[]): Row[] {
  const kinds = [...new Set(judgedQuestions.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const questionsOfKind = judgedQuestions.filter((result) => result.kind === kind);
    const countFoundWithin = (limit: number) =>
      questionsOfKind.filter(({ rank }) => rank >= 0 && rank < limit).length;
    return {
      kind,
      asked: questionsOfKind.length,
      first: countFoundWithin(1),
      recallAtThree: countFoundWithin(3),
      recallAtFive: countFoundWithin(5),
      answered: questionsOfKind.filter(({ isAnswered }) => isAnswered).length,
      wrong: questionsOfKind.filter(({ isAnswered, rank }) => isAnswered && (rank < 0 || rank >= 3))
        .length,
    };
  });
}
