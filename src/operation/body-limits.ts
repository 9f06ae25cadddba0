/**
 * Characters of the longest text that spec.md lets an input have, and the most bytes that JSON
 * needs for one: two \u escapes.
 */
const LONGEST_TEXT = 200_000;
const BYTES_OF_CHARACTER = 12;

/**
 * Largest body in bytes that names a capability and its input. spec.md allows the text in every
 * script; contract.md’s 300 KiB would leave most of them out.
 */
export const CAPABILITY_BODY_BYTES = LONGEST_TEXT * BYTES_OF_CHARACTER + 64 * 1024;

/** The same as a sentence of the documentation. */
export const BODY_LIMIT = `A body has at most ${CAPABILITY_BODY_BYTES.toLocaleString('en-US')} bytes.`;
