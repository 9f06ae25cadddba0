/**
 * Matches the position between a sentence and the space after it, but not after an abbreviation or
 * initial.
 */
const SENTENCE_END_PATTERN =
  /(?<=(?<!(?<!\p{L})(?:St|Ft|Ave|Blvd|Rd|Mr|Mrs|Ms|Dr|No|\p{L}))\.|[!?])(?=\s)/u;

/**
 * Splits a text into sentences; the space between two sentences stays at the start of the second.
 */
export const splitSentences = (text: string): string[] => text.split(SENTENCE_END_PATTERN);
