import { fill } from '../../text/fill.ts';
import { shownTerms } from '../../text/index.ts';
import type { PriceText } from './record-words.ts';
import { splitSentences } from './sentences.ts';

/** A list of prices, and the notes that apply to all of them. */
interface PriceList {
  prices: PriceText[];
  notes: string | undefined;
}

const sentencesIn = (notes = ''): string[] =>
  splitSentences(notes)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
const joinSentences = (sentences: readonly string[]): string | undefined =>
  sentences.join(' ') || undefined;

/**
 * Creates a price list that states once what the notes of all prices have in common, and adds the
 * sales tax (in percent) if no note mentions it.
 */
export function createPriceList(
  prices: readonly PriceText[],
  salesTaxPercent: number | undefined,
): PriceList {
  const [first = [], ...others] = prices.map(({ notes }) => sentencesIn(notes));
  const shared = others.length
    ? first.filter((sentence) => others.every((other) => other.includes(sentence)))
    : [];
  const isTaxNamed = prices.some(({ notes = '' }) => /\bsales tax\b/i.test(notes));
  return {
    prices: prices.map(({ price, notes }) => ({
      price,
      notes: joinSentences(sentencesIn(notes).filter((one) => !shared.includes(one))),
    })),
    notes: joinSentences([
      ...shared,
      ...(prices.length && salesTaxPercent !== undefined && !isTaxNamed
        ? [fill(shownTerms.salesTaxAdded, { percent: salesTaxPercent })]
        : []),
    ]),
  };
}
