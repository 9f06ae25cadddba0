import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fill, fillCount, partsOf } from '../../src/text/fill.ts';
import * as text from '../../src/text/index.ts';

/**
 * The markup of a component: without its front matter, its scripts and what is code for readers
 * too.
 */
const markupOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/<(script|style|code)\b[\s\S]*?(?:<\/\1>|\/>)/g, '')
    .replaceAll(/\{\s*\/\*[\s\S]*?\*\/\s*\}|\/\*[\s\S]*?\*\//g, '');

/** Words between tags, and in attributes that people read or hear. */
const written = (markup: string): string[] => [
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
  it('takes its sentences from the catalog', () => {
    expect(written(markupOf(file))).toEqual([]);
  });
});

it('finds words in the markup of a component', () => {
  expect(written('<p title="Hello">Read on <b>{name}</b></p>')).toEqual(['Read on', 'Hello']);
});

it('fills in the placeholders of a sentence, and no braces of what fills them', () => {
  expect(fill('{name} asks {name}: {what}', { name: '{what}', what: 'why' })).toBe(
    '{what} asks {what}: why',
  );
  expect(partsOf('a {b} c')).toEqual(['a ', 'b', ' c']);
});

it('writes a number with the sentence of its number', () => {
  const { count } = text.search;
  expect([0, 1, 1_200].map((number) => fillCount(count, number))).toEqual([
    '0 results',
    '1 result',
    '1,200 results',
  ]);
});
