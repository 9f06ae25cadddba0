import { fillPlural } from '../text/fill.ts';
import { fieldInstructions } from '../text/index.ts';

/**
 * What is wrong with the number of digits in a phone number without +, which is read as a US number,
 * possibly after 1 or the prefix 011 for other countries; undefined if nothing is, or if the text
 * has other characters than digits and separators.
 */
export function describeDigitFault(text: string): string | undefined {
  const digits = text.replaceAll(/[ ().-]/g, '');
  if (!/^\d+$/.test(digits) || /^(?:1?\d{10}|011\d+)$/.test(digits)) return undefined;
  return fillPlural(fieldInstructions.phoneDigits, digits.length);
}
