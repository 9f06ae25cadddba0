import { locale } from '../../language.ts';

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** Creates a format when it is first used and keeps it, because creating one is slow. */
function getCachedFormat<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(
  FormatConstructor: new (formatLocale: string, options: object) => Format,
  formatLocale: string,
  options: object,
): Format {
  const key = JSON.stringify([FormatConstructor.name, formatLocale, options]);
  const format =
    (formats.get(key) as Format | undefined) ?? new FormatConstructor(formatLocale, options);
  formats.set(key, format);
  return format;
}

/** A number format for people, by default with at most three decimal places. */
export const getNumberFormat = (options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  getCachedFormat(Intl.NumberFormat, locale, options);

/** A date format, by default in the locale of the pages for people. */
export const getDateFormat = (
  options: Intl.DateTimeFormatOptions,
  formatLocale = locale,
): Intl.DateTimeFormat => getCachedFormat(Intl.DateTimeFormat, formatLocale, options);
