import { customAlphabet, nanoid } from 'nanoid';
import type { TokenGenerators } from './context.ts';
import {
  RECEIPT_TOKEN_LENGTH,
  REFERENCE_ALPHABET,
  REFERENCE_GROUP_LENGTH,
  REFERENCE_LENGTH,
} from '../site/request-ids.ts';

/** Letters and digits that are hard to confuse when read aloud or copied by hand. */
const UNAMBIGUOUS_ALPHABET = '346789ABCDEFGHJKLMNPQRTUVWXYabcdefghijkmnpqrtwxyz';
export const SHARE_TOKEN_PATTERN = `^[${UNAMBIGUOUS_ALPHABET}]{8}$`;
/** The format of every receipt token except `sandbox`. */
export const RECEIPT_TOKEN_PATTERN = `^[A-Za-z0-9_-]{${RECEIPT_TOKEN_LENGTH}}$`;
/** Token of every sandbox receipt. */
export const SANDBOX_TOKEN = 'sandbox';

/** The base64url alphabet in byte order. */
const ORDERED_ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
/** Number of digits in a timestamp, enough for milliseconds through the year 2109. */
const TIME_LENGTH = 7;
/**
 * Timestamp unit for the spoken alphabet, in milliseconds; the digits suffice until the year 2397.
 */
const SPOKEN_TIME_RESOLUTION_MS = 1_000;

/**
 * Formats a time as sortable digits, so that rows from the same time are adjacent in every index on
 * the token.
 */
function formatSortableTime(count: number, digits: string): string {
  let text = '';
  for (
    let rest = Math.floor(count);
    text.length < TIME_LENGTH;
    rest = Math.floor(rest / digits.length)
  )
    text = digits[rest % digits.length]! + text;
  return text;
}

export const REFERENCE_PATTERN = `^[${REFERENCE_ALPHABET}]{${REFERENCE_LENGTH}}$`;

const REFERENCE_REGEXP = new RegExp(REFERENCE_PATTERN);
const generateSuffix = customAlphabet(REFERENCE_ALPHABET, REFERENCE_LENGTH - TIME_LENGTH);

const GROUPS_REGEXP = new RegExp(`^(?:[${REFERENCE_ALPHABET}]{${REFERENCE_GROUP_LENGTH}})+$`);

const normalizeCharacters = (text: string): string =>
  text.replace(/[\s\p{Pd}]/gu, '').toUpperCase();

/** Whether text is a reference in its stored form. */
export const isReference = (text: string): boolean => REFERENCE_REGEXP.test(text);

/** Normalizes the case, spaces and hyphens of a reference. Returns other text unchanged. */
export function normalizeReference(text: string): string {
  const reference = normalizeCharacters(text);
  return isReference(reference) ? reference : text;
}

/** Normalizes one or more successive groups of a reference; undefined for other text. */
export function normalizeReferenceGroups(text: string): string | undefined {
  const groups = normalizeCharacters(text);
  return groups.length <= REFERENCE_LENGTH && GROUPS_REGEXP.test(groups) ? groups : undefined;
}

/** The positions, counted from 0, at which groups of this length may start in a reference. */
export const groupStartsOf = ({ length }: string): number[] =>
  Array.from(
    { length: (REFERENCE_LENGTH - length) / REFERENCE_GROUP_LENGTH + 1 },
    (_, index) => index * REFERENCE_GROUP_LENGTH,
  );

/** Random tokens from nanoid, which uses the system's cryptographic random generator. */
export const tokenGenerators: TokenGenerators = {
  // 84 bits of the token are random.
  receipt: (time) =>
    formatSortableTime(time.getTime(), ORDERED_ALPHABET) + nanoid(21 - TIME_LENGTH),
  share: customAlphabet(UNAMBIGUOUS_ALPHABET, 8),
  suffix: customAlphabet('346789abcdefghijkmnpqrtwxyz', 4),
  // People read this ID aloud on the phone and type it on the command line.
  event: (time) =>
    formatSortableTime(time.getTime() / SPOKEN_TIME_RESOLUTION_MS, REFERENCE_ALPHABET) +
    generateSuffix(),
};
