const CURLY_QUOTED_PATTERN = /^[“”„‘’‚].*[“”‘’"']$/s;

/** A sentence to append to the fault of a value in curly quotes; empty for any other value. */
export const adviseOnCurlyQuotes = (value: unknown): string =>
  typeof value === 'string' && CURLY_QUOTED_PATTERN.test(value)
    ? ' It is in curly quotes, which are read as part of the value. Use straight quotes (") or none.'
    : '';
