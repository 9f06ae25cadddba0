/*
 * The texts for people in the language of src/language.ts, grouped by where they appear. Text for
 * software is next to the declarations that it describes.
 */
export * from './en/index.ts';
