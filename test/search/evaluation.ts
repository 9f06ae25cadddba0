import { readFileSync } from 'node:fs';
import { findServices } from '../../src/search/find-services.ts';
import { searchKnowledge } from '../../src/search/knowledge.ts';
import type { Passage } from '../../src/search/passages.ts';
import { serviceIndex } from '../../src/search/services.ts';
import { ignoredNames } from '../../src/search/terms.ts';
import { loadRegistry } from '../../src/registry/index.ts';

/** The half that the ranking was tuned on, and the half that was not looked at for that. */
export const halves = ['tuning', 'held-back'] as const;
export type Half = (typeof halves)[number];

interface Question {
  kind: string;
  half: Half;
  question: string;
  /** Parts of the texts of right passages, `@subsite`, or, in the section “service”, names of subsites. */
  right: string[];
}

const listOf = (text: string, separator: string) => (text ? text.split(separator) : []);

/** The questions of questions.txt; odd ones of a section are the tuning half. */
export function readQuestions(): Question[] {
  const lines = readFileSync(new URL('questions.txt', import.meta.url), 'utf8').split('\n');
  const counts: Record<string, number> = {};
  let kind = '';
  return lines.flatMap((line) => {
    if (!line || line.startsWith('#')) return [];
    const section = /^\[(\w+)\]$/.exec(line)?.[1];
    if (section) {
      kind = section;
      return [];
    }
    const [question = '', right = ''] = line.split(' => ');
    const count = (counts[kind] = (counts[kind] ?? 0) + 1);
    return [
      {
        kind,
        half: count % 2 ? ('tuning' as const) : ('held-back' as const),
        question,
        right: listOf(right, kind === 'service' ? ' ' : ' | '),
      },
    ];
  });
}

const registry = loadRegistry('registry');
const site = { registry, base: 'https://example.test' };
const services = serviceIndex(registry);
const ignored = ignoredNames(registry.network);

/** Whether a passage is one of the right ones. */
export const isRight = ({ text, title, subsite }: Passage, right: readonly string[]): boolean =>
  right.some((part) =>
    part.startsWith('@')
      ? subsite === part.slice(1)
      : `${title} ${text}`.toLowerCase().includes(part.toLowerCase()),
  );

/** What the search made of a question. */
export interface Judged extends Question {
  /** Place of the first right passage among five, or of the right service; 0 is the first, −1 is none. */
  at: number;
  answered: boolean;
  /** What came first, to read. */
  first: string;
}

/** Asks everything. */
export const judge = (): Judged[] =>
  readQuestions().map((asked) => {
    if (asked.kind === 'service') {
      const found = findServices(services, asked.question, { ignored, typing: true });
      const at = found.findIndex(({ entry }) => asked.right.includes(entry.subsite));
      return { ...asked, at, answered: found.length > 0, first: found[0]?.entry.title ?? '' };
    }
    const { passages, answered } = searchKnowledge(site, { question: asked.question, limit: 5 });
    const at = passages.findIndex((passage) => isRight(passage, asked.right));
    return { ...asked, at, answered, first: passages[0]?.text ?? '' };
  });

/** Every passage that could be right, to check the questions themselves. */
export const allPassages = (): Passage[] =>
  registry.subsites.flatMap(
    ({ name }) => searchKnowledge(site, { question: '', subsites: [name], limit: 1000 }).passages,
  );

/** Counts of the questions of one kind. */
export interface Row {
  kind: string;
  asked: number;
  first: number;
  amongThree: number;
  amongFive: number;
  /** Claimed as answered. */
  answered: number;
  /** Claimed as answered while none of the three passages is right. */
  wrong: number;
}

/** The table of one half. */
export function tableOf(judged: readonly Judged[], half: Half): Row[] {
  const kinds = [...new Set(judged.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const of = judged.filter((one) => one.kind === kind && one.half === half);
    const within = (most: number) => of.filter(({ at }) => at >= 0 && at < most).length;
    return {
      kind,
      asked: of.length,
      first: within(1),
      amongThree: within(3),
      amongFive: within(5),
      answered: of.filter(({ answered }) => answered).length,
      wrong: of.filter(({ answered, at }) => answered && (at < 0 || at >= 3)).length,
    };
  });
}
