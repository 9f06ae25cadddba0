const CURLY_QUOTED_PATTERN =
  /^(?:[\u201c\u201d\u201e][^\u201c\u201d\u201e]*[\u201c\u201d"]|[\u2018\u2019\u201a][^\u2018\u201a]*[\u2018\u2019'])$/;

/**
 * True for text that is enclosed in curly quotes, which YAML and `.env` treat as part of the value.
 */
export const isInCurlyQuotes = (text: string): boolean => CURLY_QUOTED_PATTERN.test(text);

export const CURLY_QUOTES_PROBLEM =
  'is in curly quotes, which are read as part of the value. Use straight quotes (") or none.';

/** A sentence to append to the fault for a value in curly quotes; empty for any other value. */
export const describeCurlyQuotes = (value: unknown): string =>
  typeof value === 'string' && isInCurlyQuotes(value) ? ` It ${CURLY_QUOTES_PROBLEM}` : '';
