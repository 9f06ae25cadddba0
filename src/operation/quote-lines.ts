/**
 * Quotes text that another person wrote: each line starts with a bar, so that nobody mistakes the
 * text for the service's own.
 */
export const quoteLines = (text: string): string[] => text.split('\n').map((line) => `| ${line}`);
