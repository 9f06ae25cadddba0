import { customAlphabet, nanoid } from 'nanoid';
import type { Tokens } from './context.ts';

/** Letters and digits that are not confused when read aloud or copied by hand. */
const CLEAR_ALPHABET = '346789ABCDEFGHJKLMNPQRTUVWXYabcdefghijkmnpqrtwxyz';
/** The format of a share token. */
export const SHARE_TOKEN_PATTERN = `^[${CLEAR_ALPHABET}]{8}$`;
/** The format of a receipt token; `sandbox` is the only exception. */
export const RECEIPT_TOKEN_PATTERN = '^[A-Za-z0-9_-]{21}$';
/** Token of every sandbox receipt. */
export const SANDBOX_TOKEN = 'sandbox';

/** The URL-safe alphabet of base64 in the order of its bytes. */
const ORDERED_ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
/** Digits of a time: enough for milliseconds until the year 2109. */
const MOMENT_LENGTH = 7;
/** Time resolution in milliseconds for the spoken alphabet, which is enough until the year 2397. */
const SPOKEN_MOMENT = 1_000;

/**
 * A time in sortable digits: rows of the same time are adjacent in every index with such a token.
 */
function moment(count: number, digits: string): string {
  let text = '';
  for (
    let rest = Math.floor(count);
    text.length < MOMENT_LENGTH;
    rest = Math.floor(rest / digits.length)
  )
    text = digits[rest % digits.length]! + text;
  return text;
}

/** The uppercase letters and digits among them: speech on the phone has no letter case. */
const SPOKEN_ALPHABET = '346789ABCDEFGHJKLMNPQRTUVWXY';
const REFERENCE_LENGTH = 16;
/** The format of a lead reference. */
export const REFERENCE_PATTERN = `^[${SPOKEN_ALPHABET}]{${REFERENCE_LENGTH}}$`;

const REFERENCE = new RegExp(REFERENCE_PATTERN);
const randomSuffix = customAlphabet(SPOKEN_ALPHABET, REFERENCE_LENGTH - MOMENT_LENGTH);

/**
 * The stored form of a reference in any letter case, with spaces or hyphens; any other text is
 * unchanged.
 */
export function referenceOf(text: string): string {
  const reference = text.replace(/[\s-]/g, '').toUpperCase();
  return REFERENCE.test(reference) ? reference : text;
}

/** Random names from nanoid, which draws on the system’s cryptographic generator. */
export const randomTokens: Tokens = {
  // 84 bits are random.
  receipt: (at) => moment(at.getTime(), ORDERED_ALPHABET) + nanoid(21 - MOMENT_LENGTH),
  share: customAlphabet(CLEAR_ALPHABET, 8),
  suffix: customAlphabet('346789abcdefghijkmnpqrtwxyz', 4),
  // People use it to identify a lead on the command line and on the phone.
  event: (at) => moment(at.getTime() / SPOKEN_MOMENT, SPOKEN_ALPHABET) + randomSuffix(),
};
