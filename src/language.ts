/*
 * The language and locale of everything that people read. The catalog of the language is selected
 * in src/text/index.ts.
 */

/** Language of pages, email and records, as a BCP 47 tag; also the catalog's folder in src/text. */
export const lang = 'en';

/** Locale of numbers, amounts, dates and lists for people. */
export const locale = 'en-US';

/** Locale for commands and text for software, which are always in English. */
export const softwareLocale = 'en-US';
