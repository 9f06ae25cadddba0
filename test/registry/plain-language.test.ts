import { describe, expect, it } from 'vitest';
import { loadRegistry } from '../../src/registry/index.ts';
import { publishedPassages } from '../../src/search/passages.ts';
import { withDollarSigns } from '../../src/site/words.ts';

/** Words that pages for people write otherwise. */
const PRIVATE_WORDS = /\b(?:USD|untold|in vain|slugs?)\b/i;

const registry = loadRegistry('registry');
const forPeople = publishedPassages(registry, '')
  .map(({ passage }) => passage)
  .filter(({ url }) => !url.startsWith(registry.network.agentArea));

it.each([
  ['A trailer costs 35 USD a day.', 'A trailer costs $35 a day.'],
  ['from 45 to 125 USD', 'from $45 to $125'],
  ['costs 72, 132 or 186 USD a week', 'costs $72, $132 or $186 a week'],
  ['With 6 people, 1,560.50\nUSD', 'With 6 people, $1,560.50'],
  ['in USD', 'in USD'],
])('writes “%s” as “%s”', (text, written) => {
  expect(withDollarSigns(text)).toBe(written);
});

describe.each([...Map.groupBy(forPeople, ({ url }) => url.replace(/#.*/, ''))])(
  'what %s says',
  (_, passages) => {
    it('has no word that people do not use', () => {
      expect(
        passages
          .map(({ text }) => withDollarSigns(text))
          .filter((text) => PRIVATE_WORDS.test(text)),
      ).toEqual([]);
    });
  },
);
