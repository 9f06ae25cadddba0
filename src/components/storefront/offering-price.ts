import { money } from '../../site/words.ts';

/** The price of an offering in words: cents, null where none was named, and how it is paid. */
export function offeringPrice({
  priceCents,
  kind,
}: {
  priceCents: number | null;
  kind: 'one_time' | 'monthly';
}): { amount: string; per: string } {
  if (priceCents === null) return { amount: 'Price on request', per: '' };
  if (priceCents === 0) return { amount: 'Free', per: '' };
  return { amount: money(priceCents / 100, 'USD'), per: kind === 'monthly' ? 'a month' : '' };
}
