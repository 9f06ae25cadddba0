const CURLY_QUOTED_PATTERN =
  /^[\u201c\u201d\u201e\u2018\u2019\u201a].*[\u201c\u201d\u2018\u2019"']$/s;

/** A sentence to append to the fault for a value in curly quotes; empty for any other value. */
export const adviseOnCurlyQuotes = (value: unknown): string =>
  typeof value === 'string' && CURLY_QUOTED_PATTERN.test(value)
    ? ' It is in curly quotes, which are read as part of the value. Use straight quotes (") or none.'
    : '';
