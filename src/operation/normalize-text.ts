/**
 * All line endings: CR LF, CR, vertical tab, form feed, next line, line and paragraph separator.
 */
const LINE_END_PATTERN = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/**
 * Other C0 and C1 control characters except tab and line feed. Terminals interpret some of them.
 */
const OTHER_CONTROL_PATTERN = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;

/**
 * Invisible characters (Unicode Default_Ignorable_Code_Point and annotations): bidirectional
 * controls, which phones put around copied numbers, zero-width characters, and tags, which can
 * contain whole sentences for language models. The group matches what has a meaning: the tags of a
 * flag (Unicode TS #51).
 */
const INVISIBLE_PATTERN =
  /(\p{RGI_Emoji_Tag_Sequence})|[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]/gv;

/**
 * Variation selectors without a meaning, because they do not follow an emoji, the digit of a keycap
 * or a letter of a script that has variants.
 */
const STRAY_SELECTOR_PATTERN =
  /(?<![[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Inherited}\u180b-\u180d\u180f]])(?!(?<=[0-9#*])\ufe0f\u20e3)[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gv;

/**
 * Joiners without a meaning, because they do not follow an emoji, an Arabic digit, or a letter or
 * vowel mark of a script that joins its letters.
 */
const STRAY_JOINER_PATTERN =
  /(?<![[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u0660-\u0669\u06f0-\u06f9\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}[\p{sc=Inherited}--[\ufe0f\u064b-\u0655\u0670]]]])[\u180e\u200c\u200d]/gv;

/** Characters that `normalizeText` may change, except lone surrogates. */
const UNUSUAL_CHARACTER_PATTERN =
  /[\u0000-\u0008\v\f\r\u000e-\u001f\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

/**
 * Normalizes text for storage: all line endings become line feeds, invisible characters without a
 * meaning are removed, and unprintable characters become U+FFFD. This prevents forged lines in
 * email, pages, logs and terminals, and text that only programs see. Idempotent.
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

/**
 * Joins the lines of a text: each line ending, together with the white space around it, becomes one
 * space.
 */
export function collapseToLine(text: string): string {
  const [first = '', ...rest] = normalizeText(text).split('\n');
  const last = rest.pop();
  if (last === undefined) return first;
  // No pattern such as /\s*\n\s*/: its time grows with the square of a run of spaces.
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
