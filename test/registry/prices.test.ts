import { describe, expect, it } from 'vitest';
import { toSubsiteRecord } from '../../src/artifacts/subsite-record.ts';
import { formatHeadlinePrice, formatItemPriceLine } from '../../src/site/words/record-words.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import type { Subsite } from '../../src/registry/schemas/subsite.ts';
import { createSubsiteDetails, createSubsiteView } from '../../src/mcp/subsite-views.ts';

const formatHeadline = (...pricing: NonNullable<Subsite['pricing']>) =>
  formatHeadlinePrice({ pricing } as Subsite);
const createPrice = (amount: number, unit: string, extra?: boolean) => ({
  amount,
  unit,
  currency: 'USD' as const,
  ...(extra !== undefined && { extra }),
});

it.each([
  ['day', '$85 per day'],
  ['first day', '$85 for the first day'],
])('the price of an item with the unit “%s” is “%s”', (unit, line) => {
  expect(formatItemPriceLine(createPrice(85, unit), 'trailer')).toBe(line);
});

describe('a subsite’s featured price', () => {
  it.each([
    [
      'the first price, even if a later price is lower',
      [createPrice(14, 'stop'), createPrice(9.5, 'stop on a route')],
      { amount: '$14', unit: 'per stop' },
    ],
    [
      'preceded by “From” if it is the lowest of several',
      [createPrice(35, 'small trailer, day'), createPrice(65, 'large trailer, day')],
      { amount: 'From $35', unit: 'a day' },
    ],
    [
      'stated with its period and item if it is the only price',
      [createPrice(45, 'agent seat per month')],
      { amount: '$45', unit: 'a month for an agent seat' },
    ],
    [
      'stated with its period and item, listed in any order',
      [createPrice(72, 'week, household of 1 or 2'), createPrice(20, 'week, single meal')],
      { amount: '$72', unit: 'a week for a household of 1 or 2' },
    ],
    [
      'the price of the first day if other days have other prices',
      [createPrice(35, '6-foot table, first day'), createPrice(45, '8-foot table, first day')],
      { amount: 'From $35', unit: 'for the first day' },
    ],
    [
      'never the price of an extra',
      [
        createPrice(12, 'delivery', true),
        createPrice(89, 'small load'),
        createPrice(159, 'large load'),
        createPrice(25, 'refrigerator', true),
      ],
      { amount: 'From $89', unit: 'for a small load' },
    ],
    [
      'stated without “From” if all other prices are extras',
      [createPrice(12, 'trip'), createPrice(0.5, 'minute', true)],
      { amount: '$12', unit: 'per trip' },
    ],
    [
      'free if the first price is 0',
      [createPrice(0, 'consult'), createPrice(150, 'contract')],
      { amount: 'Free', unit: 'consult' },
    ],
    ['absent if there are only extras', [createPrice(45, 'delivery', true)], undefined],
  ] as const)('is %s', (_, pricing, words) => expect(formatHeadline(...pricing)).toEqual(words));
});

describe('the prices of the network', () => {
  const registry = loadRegistry('registry');
  const site = { registry, base: 'https://x.example', dynamic: true };
  const pricedSubsites = registry.subsites.filter(({ pricing }) => pricing);

  it.each(pricedSubsites)('feature something that can be booked separately in $name', (subsite) => {
    const words = formatHeadlinePrice(subsite);
    if (!words) return expect(subsite.pricing!.every(({ extra }) => extra)).toBe(true);
    expect(words.unit).not.toMatch(/\b(delivery|drop-off|pickup|beyond|fee|setup|base)\b/i);
    expect(`${words.amount} ${words.unit}`.match(/\bfrom\b/gi) ?? []).toHaveLength(
      words.amount.startsWith('From') ? 1 : 0,
    );
  });

  it('feature no price of another service on a page that only answers questions', () => {
    const rental = pricedSubsites.find(({ name }) => name === 'rental')!;
    expect(rental.actions).toEqual([]);
    expect(formatHeadlinePrice(rental)).toBeUndefined();
  });

  it.each(pricedSubsites)(
    'are published in $name in its record, its offer and its details',
    (subsite) => {
      const publishedViews = [
        toSubsiteRecord(subsite, site),
        createSubsiteView(subsite, site),
        createSubsiteDetails(subsite, site),
      ].map(({ pricing }) => pricing!);
      for (const list of publishedViews) {
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
