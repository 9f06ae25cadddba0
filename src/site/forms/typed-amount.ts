import { getNumberFormat } from '../words/formats.ts';
import { formatMoney } from '../words/words.ts';

/* Parses prices in the forms in which people type them: “$1,200”, “60 dollars”, “60.00 USD”. */

/**
 * Maximum length of a price with its currency. The running time of the price patterns grows with
 * the square of the length.
 */
export const MAX_TYPED_AMOUNT_LENGTH = 40;

const AMOUNT_PATTERN = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?`;

/** Lists the ways in which people write a currency, in lowercase: its code, symbols and names. */
function listCurrencyWords(currency: string): Set<string> {
  const currencyDisplays = ['code', 'symbol', 'narrowSymbol', 'name'] as const;
  const written = currencyDisplays.flatMap((currencyDisplay) =>
    [1, 2].flatMap((count) =>
      getNumberFormat({ style: 'currency', currency, currencyDisplay, maximumFractionDigits: 0 })
        .formatToParts(count)
        .flatMap(({ type, value }) => (type === 'currency' ? [value.toLowerCase()] : [])),
    ),
  );
  // “US dollars” contains “dollars”.
  return new Set(written.flatMap((words) => [words, words.split(' ').at(-1)!]));
}

/**
 * Converts a typed amount to a decimal number without separators or currency words; returns the
 * text unchanged if it is too long or not an amount in this currency. If `currency` is not a
 * currency code, any words count as the currency.
 */
export function toDecimalAmount(text: string, currency: string): string {
  if (text.length > MAX_TYPED_AMOUNT_LENGTH) return text;
  const [, before = '', digits, after = ''] =
    new RegExp(`^(\\D*?)\\s*(${AMOUNT_PATTERN})\\s*(\\D*)$`).exec(text.trim()) ?? [];
  if (digits === undefined) return text;
  const written = [before, after].map((words) => words.trim().toLowerCase()).filter(Boolean);
  const plain = digits.replaceAll(',', '');
  if (!written.length) return plain;
  // If the currency is invalid, it is reported, not the price.
  if (!/^[A-Z]{3}$/.test(currency)) return plain;
  const words = listCurrencyWords(currency);
  return written.every((word) => words.has(word)) ? plain : text;
}

/**
 * Formats a typed amount with its currency, such as “$60”; an amount that is not a price stays as
 * typed.
 */
export function formatTypedPrice(text: string, currency: string): string {
  const amount = toDecimalAmount(text, currency);
  return /^[A-Z]{3}$/.test(currency) && Number.isFinite(Number(amount))
    ? formatMoney(Number(amount), currency)
    : `${amount} ${currency}`;
}
