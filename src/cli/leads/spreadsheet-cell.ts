/**
 * Characters that start a formula, with their compatibility forms (full-width, small, superscript,
 * subscript) and the minus sign.
 */
const FORMULA_CHARACTER = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋﬩−]';

/**
 * White space, invisible characters and quotes, which spreadsheet programs skip before a formula.
 */
const IGNORED_CHARACTER = '[\\s\\p{C}\\p{Z}"]';

/** Characters that some programs treat as the end of a cell, even inside quotes. */
const SEPARATOR_CHARACTER = '[,;|:~^\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029]';

/** A cell that may start with a formula, possibly after apostrophes. */
const FORMULA_START_PATTERN = new RegExp(
  `^(?:${IGNORED_CHARACTER}|')*${FORMULA_CHARACTER}|^'*[\\t\\r\\n]`,
  'u',
);

/**
 * Apostrophes and the start of a formula inside a cell; a dash between spaces does not start one. A
 * match starts before the first of several apostrophes; without the lookbehind, matching time would
 * grow with the square of their number.
 */
const INNER_FORMULA_PATTERN = new RegExp(
  `(?<!')(?='*${FORMULA_CHARACTER})(?:(?<=${SEPARATOR_CHARACTER}${IGNORED_CHARACTER}*)'*${FORMULA_CHARACTER}|(?<= ${IGNORED_CHARACTER}*)'*${FORMULA_CHARACTER}(?! ))`,
  'gu',
);

/** Text that must be escaped, or that already looks escaped. */
const SUSPICIOUS_TEXT_PATTERN = new RegExp(`['\\t\\r\\n]|${FORMULA_CHARACTER}`, 'u');

/** A ZIP code with an apostrophe for its leading zeros, or text that looks the same. */
const QUOTED_ZIP_PATTERN = /^'+\d{5}(?:-\d{4})?$/;

/**
 * Formats text as a cell that no spreadsheet program runs as a formula, with any separator: an
 * apostrophe precedes each possible formula. With `isNumericCode`, programs keep leading zeros.
 */
export function toCell(text: string, isNumericCode = false): string {
  if (!SUSPICIOUS_TEXT_PATTERN.test(text)) return isNumericCode && text !== '' ? `'${text}` : text;
  const escapedText = text.replace(INNER_FORMULA_PATTERN, (found) => `'${found}`);
  const mustStayText = (isNumericCode && text !== '') || QUOTED_ZIP_PATTERN.test(text);
  return mustStayText || FORMULA_START_PATTERN.test(escapedText) ? `'${escapedText}` : escapedText;
}

/** Formats cells as a record (RFC 4180), including the line ending. */
export const toCsvRecord = (cells: readonly string[]): string =>
  `${cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`;

/** Inverse of `toCell`. Keeps other apostrophes. */
export function fromCell(cell: string): string {
  const isEscaped =
    cell.startsWith("'") && (FORMULA_START_PATTERN.test(cell) || QUOTED_ZIP_PATTERN.test(cell));
  return (isEscaped ? cell.slice(1) : cell).replace(INNER_FORMULA_PATTERN, (found) =>
    found.replace(/^'/, ''),
  );
}

/** Formats a value as a JSON cell, and escapes the start of a possible formula as \uXXXX. */
export const toJsonCell = (value: object): string =>
  JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (literal) =>
    `:${literal}`
      .replace(INNER_FORMULA_PATTERN, (found) => found.replace(/.$/, escapeUnicode))
      .slice(1),
  );

const escapeUnicode = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
