import { describe, expect, it } from 'vitest';
import { createPriceList } from '../../src/site/words/price-list.ts';
import { listPricesFor } from '../../src/site/words/record-words.ts';
import { listActions } from '../operations/setup/actions.ts';
import { site } from './leads-in-states.ts';

describe('the price list of a request', () => {
  it('says once what applies to every price', () => {
    expect(
      createPriceList(
        [
          { price: 'Small, day: $10', notes: 'Seven days count as five. Bring it back full.' },
          { price: 'Large, day: $20', notes: 'Two axles. Bring it back full.' },
        ],
        undefined,
      ),
    ).toEqual({
      prices: [
        { price: 'Small, day: $10', notes: 'Seven days count as five.' },
        { price: 'Large, day: $20', notes: 'Two axles.' },
      ],
      notes: 'Bring it back full.',
    });
  });

  it('splits no sentence after an abbreviation', () => {
    const prices = ['St. Petersburg', 'St. Pete Beach'].map((place) => ({
      price: 'Trip: $10',
      notes: `Pickup in ${place}.`,
    }));
    expect(createPriceList(prices, undefined)).toEqual({ prices, notes: undefined });
  });

  it.each(listActions(site).filter(({ action }) => action.salesTaxPercent !== undefined))(
    'names the sales tax: $label',
    ({ subsite, action }) => {
      const { prices, notes = '' } = createPriceList(
        listPricesFor(subsite, {}),
        action.salesTaxPercent,
      );
      const named = [notes, ...prices.map((price) => price.notes ?? '')].filter((text) =>
        /sales tax/i.test(text),
      );
      if (prices.length) expect(named.length).toBeGreaterThan(0);
      expect(notes.match(/sales tax/gi) ?? []).toHaveLength(/sales tax/i.test(notes) ? 1 : 0);
    },
  );
});
