import { fillPlural } from '../text/fill.ts';
import { fieldInstructions } from '../text/index.ts';

/**
 * Explains why a phone number without + has the wrong number of digits. It is read as a US number,
 * with or without a leading 1, or as an international number after the prefix 011. Returns
 * undefined if the number of digits is right, or if the text has characters other than digits and
 * separators.
 */
export function describeDigitFault(text: string): string | undefined {
  const digits = text.replaceAll(/[ ().-]/g, '');
  if (!/^\d+$/.test(digits) || /^(?:1?\d{10}|011\d+)$/.test(digits)) return undefined;
  return fillPlural(fieldInstructions.phoneDigits, digits.length);
}
