import { describe, expect, it } from 'vitest';
import { subsiteRecord } from '../../src/artifacts/subsite-record.ts';
import { headlineInWords } from '../../src/site/words/record-words.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import type { Subsite } from '../../src/registry/subsite.ts';
import { subsiteDetails, subsiteOffer } from '../../src/mcp/subsite-views.ts';

const priced = (...pricing: NonNullable<Subsite['pricing']>) =>
  headlineInWords({ pricing } as Subsite);
const price = (amount: number, unit: string, extra?: boolean) => ({
  amount,
  unit,
  currency: 'USD' as const,
  ...(extra !== undefined && { extra }),
});

describe('a subsite’s featured price', () => {
  it.each([
    [
      'the first, whatever costs less behind it',
      [price(14, 'stop'), price(9.5, 'stop on a route')],
      { amount: '$14', unit: 'per stop' },
    ],
    [
      '“from” where it is the least of several',
      [price(35, 'small trailer, day'), price(65, 'large trailer, day')],
      { amount: 'From $35', unit: 'a day' },
    ],
    [
      'the period and the thing where it is the only one',
      [price(45, 'agent seat per month')],
      { amount: '$45', unit: 'a month for an agent seat' },
    ],
    [
      'the period, named first, and the thing',
      [price(72, 'week, household of 1 or 2'), price(20, 'week, single meal')],
      { amount: '$72', unit: 'a week for a household of 1 or 2' },
    ],
    [
      'the first day where the others cost less',
      [price(35, '6-foot table, first day'), price(45, '8-foot table, first day')],
      { amount: 'From $35', unit: 'for the first day' },
    ],
    [
      'no extra, neither before it nor as the least',
      [
        price(12, 'delivery', true),
        price(89, 'small load'),
        price(159, 'large load'),
        price(25, 'refrigerator', true),
      ],
      { amount: 'From $89', unit: 'for a small load' },
    ],
    [
      'no “from” beside extras alone',
      [price(12, 'trip'), price(0.5, 'minute', true)],
      { amount: '$12', unit: 'per trip' },
    ],
    [
      'free where the first costs nothing',
      [price(0, 'consult'), price(150, 'contract')],
      { amount: 'Free', unit: 'consult' },
    ],
    ['none where there are extras alone', [price(45, 'delivery', true)], undefined],
  ] as const)('is %s', (_, pricing, words) => expect(priced(...pricing)).toEqual(words));
});

describe('the prices of the network', () => {
  const withPrices = loadRegistry('registry').subsites.filter(({ pricing }) => pricing);

  it.each(withPrices)('feature something that can be bought separately in $name', (subsite) => {
    const words = headlineInWords(subsite);
    if (!words) return expect(subsite.pricing!.every(({ extra }) => extra)).toBe(true);
    expect(words.unit).not.toMatch(/\b(delivery|drop-off|pickup|beyond|fee|setup|base)\b/i);
    expect(`${words.amount} ${words.unit}`.match(/\bfrom\b/gi) ?? []).toHaveLength(
      words.amount.startsWith('From') ? 1 : 0,
    );
  });

  it.each(withPrices)(
    'are published in $name where spec.md gives them, and nowhere else',
    (subsite) => {
      const published = [
        subsiteRecord(subsite, 'https://x.example'),
        subsiteOffer(subsite, 'https://x.example'),
        subsiteDetails(subsite, 'https://x.example'),
      ].map(({ pricing }) => pricing!);
      for (const list of published) {
        expect(list.map(({ amount }) => amount)).toEqual(
          subsite.pricing!.map(({ amount }) => amount),
        );
        for (const entry of list)
          expect(['unit', 'amount', 'currency', 'notes']).toEqual(
            expect.arrayContaining(Object.keys(entry)),
          );
      }
    },
  );
});
