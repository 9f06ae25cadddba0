/**
 * Quotes text that another person wrote: each line starts with a vertical bar, so that nobody
 * mistakes it for the service's own text.
 */
export const quoteLines = (text: string): string[] => text.split('\n').map((line) => `| ${line}`);

/** Quotes several passages, each followed by an empty line. */
export const quoteEach = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => [...quoteLines(text), '']);
