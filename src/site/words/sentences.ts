/** Before the space after a sentence, but not after an abbreviation or an initial. */
const SENTENCE_END_PATTERN =
  /(?<=(?<!(?<!\p{L})(?:St|Ft|Ave|Blvd|Rd|Mr|Mrs|Ms|Dr|No|\p{L}))\.|[!?])(?=\s)/u;

/** The sentences of a text; the space between two sentences stays at the start of the second. */
export const splitSentences = (text: string): string[] => text.split(SENTENCE_END_PATTERN);
