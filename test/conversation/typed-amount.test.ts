import { describe, expect, it } from 'vitest';
import { explainPriceMistake } from '../../src/leads/conversation/price-mistake.ts';
import { formatTypedPrice, toDecimalAmount } from '../../src/site/forms/typed-amount.ts';
import { runWithTimeLimit } from '../setup/run-with-time-limit.ts';

describe('a price that a person enters', () => {
  it.each([
    ['60', '60'],
    ['$60', '60'],
    ['$ 60.50', '60.50'],
    ['60 dollars', '60'],
    ['60 US dollars', '60'],
    ['1 Dollar', '1'],
    ['60.00 USD', '60.00'],
    ['usd 60', '60'],
    ['$60 USD', '60'],
    ['1,200', '1200'],
    ['$1,234,567.89', '1234567.89'],
  ])('as “%s” is %s', (text, amount) => expect(toDecimalAmount(text, 'USD')).toBe(amount));

  it.each([
    '',
    'abc',
    '60 euros',
    '€60',
    '1,20',
    '12,00.5',
    '60.5.1',
    '60.123',
    '-60',
    '$',
    '60 70',
  ])('entered as “%s” is not an amount in dollars', (text) =>
    expect(toDecimalAmount(text, 'USD')).toBe(text),
  );

  it.each(['89-120', '$89 \u2013 $120', '89 to 120'])('entered as “%s” is a range', (text) =>
    expect(explainPriceMistake(text)).toContain('not a range'),
  );

  it('is in the currency of the offer, which may be unknown', () => {
    expect(toDecimalAmount('60 euros', 'EUR')).toBe('60');
    expect(toDecimalAmount('€1,200', 'EUR')).toBe('1200');
    expect(toDecimalAmount('60', 'nothing')).toBe('60');
    expect(toDecimalAmount('$60', 'EUR')).toBe('$60');
    // Then the error is only about the currency.
    expect(toDecimalAmount('$60', 'nothing')).toBe('60');
  });

  it('is named in its currency, or as typed', () => {
    expect(formatTypedPrice('0', 'USD')).toBe('$0');
    expect(formatTypedPrice('1,200.5 dollars', 'USD')).toBe('$1,200.50');
    expect(formatTypedPrice('6o', 'USD')).toBe('6o USD');
    expect(formatTypedPrice('60', 'us')).toBe('60 us');
  });

  it.each([
    ['commas', ','.repeat(1_000_000)],
    ['spaces', `$${' '.repeat(1_000_000)}x`],
  ])('of a million %s is rejected in linear time, without a reason', (_, text) => {
    expect(runWithTimeLimit(() => toDecimalAmount(text, 'USD'))).toBe(text);
    expect(runWithTimeLimit(() => explainPriceMistake(text))).toBeUndefined();
  });
});
