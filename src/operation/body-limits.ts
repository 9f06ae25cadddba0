/**
 * Maximum characters of a text in spec.md, and the maximum bytes of one character in JSON: two \u
 * escapes.
 */
const LONGEST_TEXT = 200_000;
const BYTES_OF_CHARACTER = 12;

/**
 * Maximum size in bytes of a body with a capability and its input. spec.md allows the text in every
 * script; 300 KiB would exclude most of them.
 */
export const CAPABILITY_BODY_BYTES = LONGEST_TEXT * BYTES_OF_CHARACTER + 64 * 1024;

/** The same as a sentence for the documentation. */
export const BODY_LIMIT = `A body has at most ${CAPABILITY_BODY_BYTES.toLocaleString('en-US')} bytes.`;
