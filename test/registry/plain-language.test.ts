import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadRegistry } from '../../src/registry/index.ts';
import { createPublishedPassages } from '../../src/search/passages/passages.ts';
import { runSteps } from '../../src/search/steps.ts';
import { withDollarSigns } from '../../src/site/words/words.ts';
import * as catalog from '../../src/text/index.ts';
import { MAX_GRADE, gradeOf } from '../setup/reading-grade.ts';

/** Words that consumer pages must not use. */
const BANNED_WORD_PATTERN =
  /\b(?:USD|untold|in vain|slugs?|subsites?|mail address(?:es)?|whoever|for software)\b/i;

/** All text in a part of the catalog. */
const textsIn = (part: unknown): string[] =>
  typeof part === 'string'
    ? [part]
    : typeof part === 'object' && part !== null
      ? Object.values(part).flatMap(textsIn)
      : [];

it('people cancel a request; only software withdraws one', () => {
  const texts = textsIn({ ...catalog });
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.filter((text) => /withdr[ae]w/i.test(text))).toEqual([]);
});

it('no line of a record ends within a hyphenated word, which pages would show with a space', () => {
  const files = readdirSync('registry', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:yaml|md)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(50);
  const brokenWords = files.flatMap(
    // As in “first- or second-floor”, a hyphen may end a word before a conjunction.
    (name) =>
      readFileSync(`registry/${name}`, 'utf8').match(/\p{L}-\n\s*(?!(?:and|or|to)\b)\p{L}.*/gu) ??
      [],
  );
  expect(brokenWords).toEqual([]);
});

const registry = loadRegistry('registry');
const consumerPassages = runSteps(createPublishedPassages(registry, ''))
  .map(({ passage }) => passage)
  .filter(({ url }) => !url.startsWith(registry.network.agentArea));

it.each([
  ['A trailer costs 35 USD a day.', 'A trailer costs $35 a day.'],
  ['from 45 to 125 USD', 'from $45 to $125'],
  ['costs 72, 132 or 186 USD a week', 'costs $72, $132 or $186 a week'],
  ['With 6 people, 1,560.50\nUSD', 'With 6 people, $1,560.50'],
  ['in USD', 'in USD'],
])('the price in “%s” is written as “%s”', (text, expected) => {
  expect(withDollarSigns(text)).toBe(expected);
});

describe.each([...Map.groupBy(consumerPassages, ({ url }) => url.replace(/#.*/, ''))])(
  'the text of %s',
  (_, passages) => {
    it('uses none of the banned words', () => {
      expect(
        passages
          .map(({ text }) => withDollarSigns(text))
          .filter((text) => BANNED_WORD_PATTERN.test(text)),
      ).toEqual([]);
    });

    it(`needs no more than a grade ${MAX_GRADE} reading level`, () => {
      const texts = new Set(
        passages.filter(({ kind }) => kind !== 'price').map(({ text }) => text),
      );
      expect(gradeOf([...texts].join('\n'))).toBeLessThanOrEqual(MAX_GRADE);
    });
  },
);
