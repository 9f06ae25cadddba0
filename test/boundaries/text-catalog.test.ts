import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fill, fillPlural, partsOf } from '../../src/text/fill.ts';
import { lang } from '../../src/language.ts';
import type { Catalog } from '../../src/text/catalog.ts';
import * as en from '../../src/text/en/index.ts';
import * as text from '../../src/text/index.ts';

/** Markup of a component without front matter, scripts or code samples. */
const markupOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/<(script|style|code)\b[\s\S]*?(?:<\/\1>|\/>)/g, '')
    .replaceAll(/\{\s*\/\*[\s\S]*?\*\/\s*\}|\/\*[\s\S]*?\*\//g, '');

/** Sentences in schemas, which stay in English, and words for names of fields without a label. */
const sentencesForSoftware: Readonly<Record<string, readonly string[]>> = {
  'src/site/calendar/answer-deadline.ts': [
    'If the service is closed then, the answer is due … hours after it next opens, or when it closes that day if that is sooner',
  ],
  'src/site/calendar/time-zone-text.ts': [
    'Dates and opening hours are in the time zone …; times with an offset or Z are exact.',
  ],
  'src/site/words/field-words.ts': ['as soon as possible'],
};

/** Slots that the sentences of a component fill. */
const findSentenceSlots = (markup: string): string[] =>
  [...markup.matchAll(/<Sentence\b[\s\S]*?<\/Sentence\s*>/g)].flatMap(([sentence]) =>
    [...sentence.matchAll(/\bslot="(\w+)"/g)].map(([, name]) => name!),
  );

/** Placeholders in the whole catalog. */
const placeholders = new Set(
  [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
);

/** Text between tags and in attributes that people see or hear. */
const findVisibleTexts = (markup: string): string[] => [
  ...[...markup.matchAll(/>([^<>{}]*[A-Za-z]{2}[^<>{}]*)<\/?[A-Za-z]/g)]
    .map(([, words]) => words!.trim())
    .filter((words) => !/^(?:\)|=|&&|\?|:)|=>|&&|[(:]$/.test(words)),
  ...[
    ...markup.matchAll(
      /\b(?:aria-label|title|label|placeholder|alt|description|lede|caption)="([^"]+)"/g,
    ),
  ].map(([, words]) => words!),
];

describe.each(globSync('src/{components,layouts,pages}/**/*.astro'))('%s', (file) => {
  it('has all of its sentences in the catalog', () => {
    expect(findVisibleTexts(markupOf(file))).toEqual([]);
  });

  it('fills only placeholders that a sentence has', () => {
    const unknown = findSentenceSlots(readFileSync(file, 'utf8')).filter(
      (name) => !placeholders.has(name),
    );
    expect(unknown).toEqual([]);
  });
});

/** Code of a module or of the front matter of a component, without comments and exceptions. */
const codeOf = (file: string): string => {
  const content = readFileSync(file, 'utf8');
  const code = file.endsWith('.astro') ? /^---\n([\s\S]*?)\n---\n/.exec(content)?.[1] : content;
  return (code ?? '')
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replaceAll(/new Error\([^)]*\)/g, '');
};

/** Sentences in the strings of a program: three or more words in a row. */
const findSentences = (code: string): string[] =>
  [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, plain, template]) => (plain ?? template!).replaceAll(/\$\{[^}]*\}/g, '…'))
    .filter((text) => /[A-Za-z’]+ [a-z’]+ [A-Za-z’]+/.test(text));

it.each(
  [
    'src/search/find-need.ts',
    ...globSync('src/{components,layouts,pages,site/{calendar,words}}/**/*.{ts,astro}', {
      // Errors in records.
      exclude: ['src/components/icons/**'],
    }),
  ].sort(),
)('the code of %s has no sentences for people', (file) => {
  expect(findSentences(codeOf(file))).toEqual(sentencesForSoftware[file] ?? []);
});

it('the check finds a sentence in code', () => {
  expect(findSentences("const a = 'two words'; const b = `From ${day} to the end`;")).toEqual([
    'From … to the end',
  ]);
});

it('the check finds text in the markup of a component', () => {
  expect(findVisibleTexts('<p title="Hello">Read on <b>{name}</b></p>')).toEqual([
    'Read on',
    'Hello',
  ]);
});

it('placeholders are replaced in a sentence, but braces in the values are not', () => {
  expect(fill('{name} asks {name}: {what}', { name: '{what}', what: 'why' })).toBe(
    '{what} asks {what}: why',
  );
  expect(partsOf('a {b} c')).toEqual(['a ', 'b', ' c']);
});

it('a number selects the singular or plural form of a sentence', () => {
  const { count } = text.search;
  expect([0, 1, 1_200].map((number) => fillPlural(count, number))).toEqual([
    '0 results',
    '1 result',
    '1,200 results',
  ]);
});

/** The placeholders of each text in a catalog, by its path. */
function placeholdersByPath(texts: unknown, path = ''): Record<string, string[]> {
  if (typeof texts === 'string')
    return { [path]: [...new Set(partsOf(texts).filter((_, index) => index % 2))].sort() };
  return Object.assign(
    {},
    ...Object.entries(texts as object).map(([key, value]) =>
      placeholdersByPath(value, `${path}/${key}`),
    ),
  ) as Record<string, string[]>;
}

it('the selected catalog has the same texts as the English one, with the same placeholders', () => {
  const selectedCatalog: Catalog = text;
  expect(placeholdersByPath(selectedCatalog)).toEqual(placeholdersByPath(en));
  expect(readFileSync('src/text/index.ts', 'utf8')).toContain(`from './${lang}/index.ts'`);
});

/** Parts of a file that choose a language: locales, `lang`, and imports from a catalog. */
const findLanguageChoices = (code: string): string[] =>
  code.match(
    /(['"`])en-[A-Z]{2}\1|\blang(?:=|: )["']\w+|(?:Intl\.[A-Z]\w+|toLocale\w+)\((?:\[?['"`][^)]*)?\)|\/en\/[\w-]+\.ts'/g,
  ) ?? [];

it.each(globSync('src/**/*.{ts,astro}', { exclude: ['src/text/en/**'] }).sort())(
  '%s leaves the choice of the language to src/language.ts',
  (file) => {
    const languageModules = ['src/language.ts', 'src/text/index.ts', 'src/text/catalog.ts'];
    const choices = findLanguageChoices(readFileSync(file, 'utf8'));
    expect(choices.length > 0).toBe(languageModules.includes(file));
  },
);

it.each([
  "'en-US'",
  '<html lang="en">',
  "Intl.ListFormat('de')",
  'count.toLocaleString()',
  "import { frame } from '../text/en/pages.ts'",
])('the check finds the choice of a language in %s', (code) => {
  expect(findLanguageChoices(code)).toHaveLength(1);
});
