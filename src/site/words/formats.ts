import { locale } from '../../language.ts';

/** Creates a format when it is first used and caches it, because creating one is slow. */
function createOnce<Format>(create: (key: string) => Format): (key: string) => Format {
  const formats = new Map<string, Format>();
  return (key) => {
    const format = formats.get(key) ?? create(key);
    formats.set(key, format);
    return format;
  };
}

const numberFormats = createOnce(
  (options) => new Intl.NumberFormat(locale, JSON.parse(options) as Intl.NumberFormatOptions),
);

/** Returns a number format for people, by default with at most three decimal places. */
export const getNumberFormat = (options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  numberFormats(JSON.stringify(options));

/**
 * Defines a date format, by default in the locale of the pages for people. Returns a function that
 * returns the format for a time zone (an IANA name) or, without one, for days, which are in UTC.
 */
export function defineDateFormat(
  options: Intl.DateTimeFormatOptions,
  formatLocale = locale,
): (timeZone?: string) => Intl.DateTimeFormat {
  const getFormat = createOnce(
    (timeZone) => new Intl.DateTimeFormat(formatLocale, { ...options, timeZone }),
  );
  return (timeZone = 'UTC') => getFormat(timeZone);
}

/** Format for days with the year, such as “November 9, 2026”. */
export const longDay = defineDateFormat({ dateStyle: 'long' });

/** Format for days with the weekday and year, such as “Monday, November 9, 2026”. */
export const fullDay = defineDateFormat({ dateStyle: 'full' });
