/**
 * All line endings: CR LF, CR, vertical tab, form feed, next line, line and paragraph separator.
 */
const LINE_END_PATTERN = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/**
 * Characters that only reorder the displayed text (Unicode Bidi_Control). Phones put them around
 * copied numbers.
 */
const BIDI_CONTROL_PATTERN = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Other C0 and C1 control characters except tab and line feed. Terminals interpret some of them.
 */
const OTHER_CONTROL_PATTERN = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;

/** Characters that `normalizeText` changes, except lone surrogates. */
const UNUSUAL_CHARACTER_PATTERN =
  /[\u0000-\u0008\v\f\r\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/**
 * Normalizes text for storage: all line endings become line feeds, bidirectional controls are
 * removed, and unprintable characters become U+FFFD. This prevents forged lines in email, pages,
 * logs and terminals. Idempotent.
 */
export const normalizeText = (text: string): string =>
  UNUSUAL_CHARACTER_PATTERN.test(text) || !text.isWellFormed()
    ? text
        .toWellFormed()
        .replace(LINE_END_PATTERN, '\n')
        .replace(BIDI_CONTROL_PATTERN, '')
        .replace(OTHER_CONTROL_PATTERN, '\uFFFD')
    : text;

/**
 * Joins the lines of a text: each line ending, together with the white space around it, becomes one
 * space.
 */
export const collapseToLine = (text: string): string =>
  normalizeText(text).replace(/\s*\n\s*/g, ' ');

/** Normalizes all strings in a JSON value. Member names become single lines. */
export function normalizeTexts(value: unknown): unknown {
  if (typeof value === 'string') return normalizeText(value);
  if (Array.isArray(value)) return value.map(normalizeTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [collapseToLine(name), normalizeTexts(inner)]),
  );
}
