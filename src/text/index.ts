/*
 * The texts that people read, in the language set in src/language.ts, grouped by where they appear.
 * Text for software is next to the declarations that it describes.
 */
export * from './en/index.ts';
