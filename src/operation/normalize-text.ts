import {
  INVISIBLE_PATTERN,
  STRAY_JOINER_PATTERN,
  STRAY_SELECTOR_PATTERN,
} from '../site/corrections/invisible-characters.ts';

/** CR LF, CR, vertical tab, form feed, next line, line and paragraph separator. */
const LINE_END_PATTERN = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** Other C0 and C1 control characters except tab and line feed; terminals interpret some. */
const OTHER_CONTROL_PATTERN = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;

/** Characters that `normalizeText` may change, except lone surrogates. */
const UNUSUAL_CHARACTER_PATTERN =
  /[\u0000-\u0008\v\f\r\u000e-\u001f\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

/**
 * Normalizes text for storage: all line endings become line feeds, invisible characters without a
 * meaning are removed, and unprintable characters become U+FFFD. This prevents forged lines in
 * email, pages, logs and terminals, and text that only programs can see. Idempotent.
 */
export const normalizeText = (text: string): string =>
  UNUSUAL_CHARACTER_PATTERN.test(text) || !text.isWellFormed()
    ? text
        .toWellFormed()
        .replace(LINE_END_PATTERN, '\n')
        .replace(OTHER_CONTROL_PATTERN, '\uFFFD')
        .replace(INVISIBLE_PATTERN, '$1')
        .replace(STRAY_SELECTOR_PATTERN, '')
        .replace(STRAY_JOINER_PATTERN, '')
    : text;

/** Each line ending, with the white space around it, becomes one space. */
export function collapseToLine(text: string): string {
  const [first = '', ...rest] = normalizeText(text).split('\n');
  const last = rest.pop();
  if (last === undefined) return first;
  // A pattern such as /\s*\n\s*/ would take time that grows with the square of the length of a run
  // of spaces.
  const middle = rest.map((line) => line.trim()).filter(Boolean);
  return [first.trimEnd(), ...middle, last.trimStart()].join(' ');
}

/** Normalizes all strings in a JSON value. Member names become single lines. */
export function normalizeTexts(value: unknown): unknown {
  if (typeof value === 'string') return normalizeText(value);
  if (Array.isArray(value)) return value.map(normalizeTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [collapseToLine(name), normalizeTexts(inner)]),
  );
}
