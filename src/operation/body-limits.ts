import { softwareLocale } from '../language.ts';

/**
 * Maximum length of a text in characters, and the maximum size of one character in JSON: the bytes
 * of two \u escapes.
 */
const MAX_TEXT_LENGTH = 200_000;
const MAX_BYTES_PER_CHARACTER = 12;

/**
 * Maximum size in bytes of a body with a capability and its input. In most scripts, text of the
 * maximum length would not fit in 300 KiB.
 */
export const MAX_CAPABILITY_BODY_BYTES = MAX_TEXT_LENGTH * MAX_BYTES_PER_CHARACTER + 64 * 1024;

/** The same limit, as a sentence for the documentation. */
export const BODY_LIMIT_TEXT = `The body can have at most ${MAX_CAPABILITY_BODY_BYTES.toLocaleString(softwareLocale)} bytes.`;
