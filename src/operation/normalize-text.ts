/**
 * Line ends of all systems: CR LF, CR, vertical tab, form feed, next line, line and paragraph
 * separator.
 */
const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/**
 * Characters that only reorder what is displayed (Unicode Bidi_Control); phones put them around
 * copied numbers.
 */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The other C0 and C1 controls but tab and line feed; terminals obey some of them. */
const OTHER_CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;

/** All that `normalizeText` changes, besides halves of surrogate pairs. */
const UNUSUAL =
  /[\u0000-\u0008\v\f\r\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/**
 * Text as every channel stores it: line feeds are its only line ends, nothing reorders its display,
 * and what cannot be printed is U+FFFD. Nobody can then forge lines of a mail, a page, a log or a
 * terminal. Idempotent.
 */
export const normalizeText = (text: string): string =>
  UNUSUAL.test(text) || !text.isWellFormed()
    ? text
        .toWellFormed()
        .replace(LINE_ENDS, '\n')
        .replace(BIDI_CONTROLS, '')
        .replace(OTHER_CONTROLS, '\uFFFD')
    : text;

/** A text on one line: line ends and the white space around them become one space. */
export const oneLine = (text: string): string => normalizeText(text).replace(/\s*\n\s*/g, ' ');

/** A JSON value with every text in it normalized; names of members are one line each. */
export function normalizeTexts(value: unknown): unknown {
  if (typeof value === 'string') return normalizeText(value);
  if (Array.isArray(value)) return value.map(normalizeTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [oneLine(name), normalizeTexts(inner)]),
  );
}
