import { parseDocument } from 'yaml';

/** A line of YAML whose indentation is wrong. */
export interface MisindentedLine {
  /** Offset of the line’s first character that is not a space. */
  offset: number;
  /** Spaces that it has, and that it should have. */
  has: number;
  needs: number;
  /** The text with that line corrected. */
  corrected: string;
}

/** Lines above an error in which its cause is looked for; the parser notices it later. */
const LINES_ABOVE = 30;

/** Lines after a corrected one that must have no error left. */
const LINES_BELOW = 12;

/** Errors of one file whose cause is looked for, each with some two hundred parses of the text. */
const MAX_SEARCHES = 3;

const indentOf = (line: string): number => /^ */.exec(line)![0].length;

/** A line that begins a key or an item of a list; other lines may continue a text. */
const BEGINS = /^ *(?:- |-$|(?:[\w$@/.-]+|"[^"]*"|'[^']*'):(?: |$))/;

/** The lines of the syntax errors in a text, from 0, in order and each once. */
function errorLines(text: string): number[] {
  const { errors } = parseDocument(text, { logLevel: 'error' });
  const lines = errors.map(({ pos: [offset] }) => text.slice(0, offset).split('\n').length - 1);
  return [...new Set(lines)].sort((a, b) => a - b);
}

/** Indentations in use around a line, with those behind the dash of a list item, nearest first. */
function indentsAround(lines: readonly string[], index: number): number[] {
  const has = indentOf(lines[index]!);
  const found = lines
    .slice(Math.max(0, index - LINES_ABOVE), index + LINES_BELOW)
    .filter((line) => line.trim())
    .flatMap((line) => [indentOf(line), /^( *- +)\S/.exec(line)?.[1]?.length ?? indentOf(line)]);
  return [...new Set(found)]
    .filter((indent) => indent !== has)
    .sort((a, b) => Math.abs(a - has) - Math.abs(b - has));
}

/** The line that causes a syntax error, if correcting its indentation leaves no error near it. */
function causeOf(error: number, lines: readonly string[]): MisindentedLine | undefined {
  let best: (MisindentedLine & { rank: number }) | undefined;
  const first = Math.max(0, error - LINES_ABOVE);
  const last = Math.min(error + 1, lines.length - 1);
  const nearby = lines.slice(first, error + LINES_BELOW);
  for (let index = last; index >= first; index--) {
    const line = lines[index]!;
    if (!BEGINS.test(line)) continue;
    const has = indentOf(line);
    const alike = nearby.filter((other) => indentOf(other) === has).length;
    for (const needs of indentsAround(lines, index)) {
      const corrected = lines.with(index, ' '.repeat(needs) + line.trimStart()).join('\n');
      const left = errorLines(corrected);
      const near = left.some(
        (line) => line >= index - 1 && line <= Math.max(index, error) + LINES_BELOW,
      );
      // Of two lines that do not fit each other, the one with the unusual indentation is wrong.
      const rank = left.length * nearby.length + alike;
      if (near || rank >= (best?.rank ?? Infinity)) continue;
      const offset = lines.slice(0, index).reduce((sum, { length }) => sum + length + 1, has);
      best = { offset, has, needs, corrected, rank };
    }
  }
  return best;
}

/**
 * The first line of a text with syntax errors whose indentation causes one: with the indentation of
 * a line nearby, no error is left there. Undefined if there is none. The parser names only the
 * symptom, such as a colon in a value, often in another line.
 */
export function misindentedLine(text: string): MisindentedLine | undefined {
  const lines = text.split('\n');
  for (const error of errorLines(text).slice(0, MAX_SEARCHES)) {
    const cause = causeOf(error, lines);
    if (cause) return cause;
  }
  return undefined;
}
