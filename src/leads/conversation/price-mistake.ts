import { MAX_TYPED_AMOUNT_LENGTH } from '../../site/forms/typed-amount.ts';
import { priceMistakes as text } from '../../text/index.ts';

/** Mistakes in a price, each with the pattern that detects it; the first match is reported. */
const MISTAKE_PATTERNS: readonly (readonly [mistake: keyof typeof text, pattern: RegExp])[] = [
  ['range', /\d\s*(?:[-\u2013\u2014]|to\b)\s*[$\u20ac£¥]?\s*\d/iu],
  ['negative', /^\D*[-\u2212\u2013]\s*[$\u20ac£¥]?\s*\d/u],
  ['letters', /\p{L}/u],
  ['twoDecimalMarks', /\..*[.,]|,\d{1,2}(?!\d).*[.,]|,.*,\d{1,2}$/u],
  ['comma', /\d,\d{1,2}$/u],
  ['decimals', /\.\d{3,}$/u],
  ['tooLarge', /^\D*\d[\d,]{9,}(?:\.\d*)?\D*$/u],
];

/**
 * Says what is wrong with text that is not a price; undefined if the text is too long for a price
 * or simply is not a number.
 */
export function explainPriceMistake(price: string): string | undefined {
  if (price.length > MAX_TYPED_AMOUNT_LENGTH) return undefined;
  const found = MISTAKE_PATTERNS.find(([, pattern]) => pattern.test(price.trim()));
  return found && text[found[0]];
}
