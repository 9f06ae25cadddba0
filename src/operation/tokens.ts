import { customAlphabet, nanoid } from 'nanoid';
import type { Tokens } from './context.ts';

/** Letters and digits that are not mistaken for one another when read out or copied by hand. */
const CLEAR_ALPHABET = '346789ABCDEFGHJKLMNPQRTUVWXYabcdefghijkmnpqrtwxyz';
/** What a share token looks like. */
export const SHARE_TOKEN_PATTERN = `^[${CLEAR_ALPHABET}]{8}$`;
/** What a receipt token looks like; `sandbox` is the one exception. */
export const RECEIPT_TOKEN_PATTERN = '^[A-Za-z0-9_-]{21}$';
/** Token of every receipt that was given in the sandbox. */
export const SANDBOX_TOKEN = 'sandbox';

/** The URL-safe alphabet of base64 in the order of its bytes. */
const ORDERED_ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
/** Digits of a moment: enough for the milliseconds until the year 2109. */
const MOMENT_LENGTH = 7;
/**
 * Milliseconds that a moment in the spoken alphabet counts as one, which is enough until the year
 * 2397.
 */
const SPOKEN_MOMENT = 1_000;

/**
 * A count of time in digits that sort by it: rows of one moment are adjacent in every index with
 * such a token.
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

/** The capitals and digits among them: what people say on the phone has no case. */
const SPOKEN_ALPHABET = '346789ABCDEFGHJKLMNPQRTUVWXY';
const REFERENCE_LENGTH = 16;
/** What the reference of a lead looks like. */
export const REFERENCE_PATTERN = `^[${SPOKEN_ALPHABET}]{${REFERENCE_LENGTH}}$`;

const REFERENCE = new RegExp(REFERENCE_PATTERN);
const spokenEnd = customAlphabet(SPOKEN_ALPHABET, REFERENCE_LENGTH - MOMENT_LENGTH);

/**
 * A reference as people write it, in any case and with spaces or hyphens, as it is stored; any
 * other text as it is.
 */
export function referenceOf(text: string): string {
  const reference = text.replace(/[\s-]/g, '').toUpperCase();
  return REFERENCE.test(reference) ? reference : text;
}

/** Random names from nanoid, which draws on the system’s cryptographic generator. */
export const randomTokens: Tokens = {
  // 84 bits are left to chance.
  receipt: (at) => moment(at.getTime(), ORDERED_ALPHABET) + nanoid(21 - MOMENT_LENGTH),
  share: customAlphabet(CLEAR_ALPHABET, 8),
  suffix: customAlphabet('346789abcdefghijkmnpqrtwxyz', 4),
  // People name a lead by it, at a command line and on the phone.
  event: (at) => moment(at.getTime() / SPOKEN_MOMENT, SPOKEN_ALPHABET) + spokenEnd(),
};
