import type { RecordProblem } from './describe-issue.ts';
import type { RecordPath } from './fault.ts';
import { sentencesIn } from './prose.ts';
import type { Subsite } from './schemas/subsite.ts';

export interface Text {
  path: RecordPath;
  text: string;
}

/** Lists the texts of a subsite that people and agents rely on. */
export function textsOf({
  intro,
  facts = [],
  guide = [],
  actions,
}: Pick<Subsite, 'intro' | 'facts' | 'guide' | 'actions'>): Text[] {
  return [
    { path: ['intro'], text: intro ?? '' },
    ...facts.map((text, index) => ({ path: ['facts', index], text })),
    ...guide.map(({ text }, index) => ({ path: ['guide', index, 'text'], text })),
    ...actions.flatMap(({ intro: text = '', description }, index) => [
      { path: ['actions', index, 'intro'], text },
      { path: ['actions', index, 'description'], text: description },
    ]),
  ];
}

/**
 * Checks each sentence of the texts and lists the problems; `check` returns undefined if a sentence
 * has none.
 */
export const checkSentences = (
  texts: readonly Text[],
  check: (sentence: string) => string | undefined,
): RecordProblem[] =>
  texts.flatMap(({ path, text }) =>
    sentencesIn(text)
      .map(check)
      .filter((problem) => problem !== undefined)
      .map((problem) => ({ path, problem })),
  );

/** Lists the effects of a subsite's actions that place holds. */
export const listHoldEffects = ({ actions }: Subsite) =>
  actions.flatMap(({ effect }) => (effect?.kind === 'hold' ? [effect] : []));

const numberWords = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six'],
  ...['seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];

/**
 * Reads a number written in digits or as a word (“a” counts as one); undefined if the text is not a
 * number.
 */
export function readCount(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = numberWords.indexOf(text.toLowerCase().replace(/^an?$/, 'one'));
  return index < 0 ? undefined : index;
}
