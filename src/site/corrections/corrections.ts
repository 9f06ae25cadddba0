/**
 * Corrections for a value in a record that is not in the expected form. An ambiguous value has two
 * corrections, and an unclear one has none.
 */
type Corrections = readonly string[];

/** Returns `Write a.` or `Write a or b.`; undefined without corrections. */
const advise = (corrections: Corrections): string | undefined =>
  corrections.length ? `Write ${[...new Set(corrections)].join(' or ')}.` : undefined;

/** Reads numbers written as text, such as “$15”, “129,-”, “129 USD” or “1,299.00”. */
function readNumber(text: string): Corrections {
  const [, entered = ''] =
    /^(?:(?:US)?\$|USD) ?(-?\d[\d.,]*)$/i.exec(text) ??
    /^(-?\d[\d.,]*?)(?:[.,][-\u2013\u2014]+)? ?(?:(?:US)?\$|USD|dollars?)?$/i.exec(text) ??
    [];
  if (/^-?\d+(?:\.\d+)?$/.test(entered)) return [entered];
  if (/^-?\d+,\d{1,2}$/.test(entered)) return [entered.replace(',', '.')];
  if (/^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(entered)) return [entered.replaceAll(',', '')];
  if (/^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/.test(entered))
    return [entered.replaceAll('.', '').replace(',', '.')];
  return [];
}

/** Reads times of day written as text, such as “8:00”, “9am” or “5:30 p.m.”. */
function readTime(text: string): Corrections {
  const [, hour, minute = '00', half] =
    /^(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\.?$/i.exec(text) ?? /^(\d):(\d{2})$/.exec(text) ?? [];
  const isValid = half ? Number(hour) >= 1 && Number(hour) <= 12 : hour !== undefined;
  if (!isValid || Number(minute) > 59) return [];
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  return [`${String(hours).padStart(2, '0')}:${minute}`];
}

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Reads days written as text, such as “11/23/2026”, “23.11.2026” or “2026/1/5”. */
function readDate(text: string): Corrections {
  const pad = (part: number) => String(part).padStart(2, '0');
  const daysOf = (year: number, ...pairs: [month: number, day: number][]) =>
    pairs
      .filter(([month, day]) => isDay(year, month, day))
      .map(([month, day]) => `${year}-${pad(month)}-${pad(day)}`);
  const [, year, ...monthAndDay] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? [];
  if (year !== undefined)
    return daysOf(Number(year), [Number(monthAndDay[0]), Number(monthAndDay[1])]);
  const [, first, second, yearAtEnd] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text) ?? [];
  const [a, b] = [Number(first), Number(second)];
  return yearAtEnd === undefined ? [] : daysOf(Number(yearAtEnd), [a, b], [b, a]);
}

/** A leap year, in which every day that can recur exists. */
const LEAP_YEAR = 2024;

/** Reads days without a year written as text, such as “12/25”. */
const readYearlyDay = (text: string): Corrections =>
  readDate(`${text.replace(/[/.]$/, '')}/${LEAP_YEAR}`).map((date) =>
    date.slice(`${LEAP_YEAR}-`.length),
  );

const createCorrectionSuggester =
  (...readers: ((text: string) => Corrections)[]) =>
  (value: unknown): string | undefined =>
    typeof value === 'string' || typeof value === 'number'
      ? advise(readers.flatMap((read) => read(String(value).trim())))
      : undefined;

const suggestTimeCorrection = createCorrectionSuggester(readTime);
const suggestDateCorrection = createCorrectionSuggester(readDate);
const suggestDayCorrection = createCorrectionSuggester(readDate, readYearlyDay);

/** Says how to write a value as a number; undefined if the value is unclear. */
export const suggestNumberCorrection = createCorrectionSuggester(readNumber);

/** Describes the fault of a value that is not a time of day. */
export const describeTimeFault = (value: unknown): string =>
  `is not a time of day. ${
    suggestTimeCorrection(value) ??
    'Enter a time from 00:00 to 23:59, such as 07:00. For midnight at the end of a day, use 23:59.'
  }`;

/** Describes the fault of a value that is not a date. */
export const describeDateFault = (value: unknown): string =>
  `is not a calendar date. ${suggestDateCorrection(value) ?? 'Use YYYY-MM-DD.'}`;

/** Describes the fault of a value that is neither a date nor a day that recurs every year. */
export const describeDayFault = (value: unknown): string =>
  `is not a valid day. ${
    suggestDayCorrection(value) ?? 'Use YYYY-MM-DD, or MM-DD for a day that recurs every year.'
  }`;
