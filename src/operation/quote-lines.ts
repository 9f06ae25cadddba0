/**
 * Quotes text that another person wrote: each line starts with a vertical bar, so that nobody
 * mistakes the text for the service's own.
 */
export const quoteLines = (text: string): string[] => text.split('\n').map((line) => `| ${line}`);

/** Quotes several passages, each followed by an empty line. */
export const quoteEach = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => [...quoteLines(text), '']);
