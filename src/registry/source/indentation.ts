import { parseDocument } from 'yaml';

/** A YAML line with wrong indentation. */
export interface MisindentedLine {
  /** Offset of the first character in the line that is not a space. */
  offset: number;
  /** Actual and expected number of spaces. */
  currentIndent: number;
  requiredIndent: number;
  /** The text with the corrected line. */
  correctedText: string;
}

/**
 * Number of lines above an error to search for its cause, because the parser reports errors late.
 */
const LINES_ABOVE = 30;

/** Number of lines after a corrected line that must be free of errors. */
const LINES_BELOW = 12;

/**
 * Maximum number of errors in a file whose cause is searched for; each search takes about 200
 * parses.
 */
const MAX_SEARCHES = 3;

const indentOf = (line: string): number => /^ */.exec(line)![0].length;

/** Matches a line that starts a key or a list item; any other line may continue a text. */
const ENTRY_START_PATTERN = /^ *(?:- |-$|(?:[\w$@/.-]+|"[^"]*"|'[^']*'):(?: |$))/;

/** Lists the line numbers of syntax errors in text, from 0, sorted and without duplicates. */
function findErrorLines(text: string): number[] {
  const { errors } = parseDocument(text, { logLevel: 'error' });
  const lines = errors.map(({ pos: [offset] }) => text.slice(0, offset).split('\n').length - 1);
  return [...new Set(lines)].sort((a, b) => a - b);
}

/** Lists the indentations of nearby lines, and of text after a list dash, most similar first. */
function findNearbyIndents(lines: readonly string[], index: number): number[] {
  const currentIndent = indentOf(lines[index]!);
  const found = lines
    .slice(Math.max(0, index - LINES_ABOVE), index + LINES_BELOW)
    .filter((line) => line.trim())
    .flatMap((line) => [indentOf(line), /^( *- +)\S/.exec(line)?.[1]?.length ?? indentOf(line)]);
  return [...new Set(found)]
    .filter((indent) => indent !== currentIndent)
    .sort((a, b) => Math.abs(a - currentIndent) - Math.abs(b - currentIndent));
}

/** Finds the line whose corrected indentation removes all nearby errors. */
function findCause(error: number, lines: readonly string[]): MisindentedLine | undefined {
  let best: (MisindentedLine & { rank: number }) | undefined;
  const first = Math.max(0, error - LINES_ABOVE);
  const last = Math.min(error + 1, lines.length - 1);
  const nearbyLines = lines.slice(first, error + LINES_BELOW);
  const candidates = nearbyLines
    .slice(0, last - first + 1)
    .map((line, position) => ({
      line,
      index: first + position,
      currentIndent: indentOf(line),
      sameIndentCount: nearbyLines.filter((other) => indentOf(other) === indentOf(line)).length,
    }))
    .filter(({ line }) => ENTRY_START_PATTERN.test(line))
    .reverse()
    .sort((a, b) => a.sameIndentCount - b.sameIndentCount);
  for (const { line, index, currentIndent, sameIndentCount } of candidates) {
    // No later line can rank better, and parsing is slow.
    if (best && sameIndentCount >= best.rank) break;
    for (const requiredIndent of findNearbyIndents(lines, index)) {
      const correctedText = lines
        .with(index, ' '.repeat(requiredIndent) + line.trimStart())
        .join('\n');
      const remainingErrorLines = findErrorLines(correctedText);
      const hasErrorNearby = remainingErrorLines.some(
        (line) => line >= index - 1 && line <= Math.max(index, error) + LINES_BELOW,
      );
      // If two lines do not match, the line with the unusual indentation is wrong.
      const rank = remainingErrorLines.length * nearbyLines.length + sameIndentCount;
      if (hasErrorNearby || rank >= (best?.rank ?? Infinity)) continue;
      const offset = lines
        .slice(0, index)
        .reduce((sum, { length }) => sum + length + 1, currentIndent);
      best = { offset, currentIndent, requiredIndent, correctedText, rank };
    }
  }
  return best;
}

/**
 * Finds the first line whose indentation causes a syntax error; undefined if there is none. The
 * parser reports only the symptom, such as a colon in a value, and often on another line.
 */
export function findMisindentedLine(text: string): MisindentedLine | undefined {
  const lines = text.split('\n');
  for (const error of findErrorLines(text).slice(0, MAX_SEARCHES)) {
    const cause = findCause(error, lines);
    if (cause) return cause;
  }
  return undefined;
}
