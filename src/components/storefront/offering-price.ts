import { CURRENCY } from '../../site/currency.ts';
import type { Offering } from '../../fields/content.ts';
import { recordWords as text } from '../../text/index.ts';
import { formatMoney } from '../../site/words/words.ts';

/**
 * The price of an offering in words, from the amount in cents, which may be null, and the payment
 * interval.
 */
export function formatOfferingPrice({ priceCents, kind }: Pick<Offering, 'priceCents' | 'kind'>): {
  amount: string;
  per: string;
} {
  if (priceCents === null) return { amount: text.onRequest, per: '' };
  if (priceCents === 0) return { amount: text.free, per: '' };
  return {
    amount: formatMoney(priceCents / 100, CURRENCY),
    per: kind === 'monthly' ? text.aMonth : '',
  };
}
