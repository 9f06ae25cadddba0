/**
 * What begins a formula, with its compatibility forms (full-width, small, superscript, subscript)
 * and the minus sign.
 */
const FORMULA = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋﬩−]';

/** White space, what is not seen, and quotes: spreadsheet programs skip them before a formula. */
const BLANK = '[\\s\\p{C}\\p{Z}"]';

/**
 * Characters that a program may take as the end of a cell, also between quotes, whatever separates
 * the table's cells.
 */
const SEPARATOR = '[,;|:~^\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029]';

/** A cell that may run from its beginning, with any number of apostrophes in front. */
const RISKY = new RegExp(`^(?:${BLANK}|')*${FORMULA}|^'*[\\t\\r\\n]`, 'u');

/** Apostrophes and what begins a formula inside a cell; a dash between spaces begins none. */
const INSIDE = new RegExp(
  `(?='*${FORMULA})(?:(?<=${SEPARATOR}${BLANK}*)'*${FORMULA}|(?<= ${BLANK}*)'*${FORMULA}(?! ))`,
  'gu',
);

/** What a text has that is changed for a cell, or that such a change could be mistaken for. */
const SUSPECT = new RegExp(`['\\t\\r\\n]|${FORMULA}`, 'u');

/** A ZIP code that keeps its zeros behind an apostrophe, or a text that looks like one. */
const KEPT_ZIP = /^'+\d{5}(?:-\d{4})?$/;

/**
 * A text as a cell that no spreadsheet program runs as a formula, whatever it takes as a separator:
 * an apostrophe goes before what would begin one. With `isDigits`, programs keep the zeros in front
 * of a number.
 */
export function toCell(text: string, isDigits = false): string {
  if (!SUSPECT.test(text)) return isDigits && text !== '' ? `'${text}` : text;
  const safe = text.replace(INSIDE, (found) => `'${found}`);
  const isKept = (isDigits && text !== '') || KEPT_ZIP.test(text);
  return isKept || RISKY.test(safe) ? `'${safe}` : safe;
}

/** Cells as a record of a table (RFC 4180), with its end. */
export const toRecord = (cells: readonly string[]): string =>
  `${cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`;

/** The text that `toCell` made a cell of. Other apostrophes are the text's own. */
export function fromCell(cell: string): string {
  const isEscaped = cell.startsWith("'") && (RISKY.test(cell) || KEPT_ZIP.test(cell));
  return (isEscaped ? cell.slice(1) : cell).replace(INSIDE, (found) => found.replace(/^'/, ''));
}

/** A value as a cell of JSON, whose texts hold what would begin a formula as \uXXXX. */
export const toJsonCell = (value: object): string =>
  JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (literal) =>
    `:${literal}`.replace(INSIDE, (found) => found.replace(/.$/, escapeUnicode)).slice(1),
  );

const escapeUnicode = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
