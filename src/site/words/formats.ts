const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** Creates a format when it is first used and keeps it, because creating one is slow. */
function getCachedFormat<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(
  FormatConstructor: new (locale: string, options: object) => Format,
  locale: string,
  options: object,
): Format {
  const key = JSON.stringify([FormatConstructor.name, locale, options]);
  const format = (formats.get(key) as Format | undefined) ?? new FormatConstructor(locale, options);
  formats.set(key, format);
  return format;
}

/** A number format in American English, by default with at most three decimal places. */
export const getNumberFormat = (options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  getCachedFormat(Intl.NumberFormat, 'en-US', options);

/** A date format, in American English unless another locale is given. */
export const getDateFormat = (
  options: Intl.DateTimeFormatOptions,
  locale = 'en-US',
): Intl.DateTimeFormat => getCachedFormat(Intl.DateTimeFormat, locale, options);
