import { isCollection, isScalar, parseDocument, visit, type Document } from 'yaml';
import type { Fault } from '../fault.ts';
import { findMisindentedLine } from './indentation.ts';
import { toLineAndColumn } from './source.ts';
import { formatCodePoint } from './text-problems.ts';
import { suggestNumberCorrection } from '../../site/corrections/corrections.ts';
import { formatQuantity } from '../../site/words/quantity.ts';

/** Explanations of syntax errors for authors of records, by the parser's error code. */
const syntaxProblems: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS:
    'begins a second document. Remove the “---” line, because a file contains one record.',
  TAB_AS_INDENT: 'is indented with a tab. Indent with spaces.',
  BAD_INDENT: 'is not indented like the lines that it belongs with. Use the same indentation.',
  BLOCK_AS_IMPLICIT_KEY: 'has a colon in a value. Put the value in double quotes.',
  MULTILINE_IMPLICIT_KEY: 'has a key without a colon. Put “key: value” on one line.',
  MISSING_CHAR: 'is missing a quote, bracket or brace. Add it.',
  BLOCK_IN_FLOW:
    'lacks a comma, or has a colon in a value. Put a comma between the pairs in braces, and put text with a colon in double quotes.',
  BAD_DQ_ESCAPE: 'has an unknown escape sequence in double quotes. Use \\\\ for a backslash.',
  BAD_ALIAS: 'has an invalid name after * or &. If this is text, put it in quotes.',
};
const OTHER_SYNTAX_PROBLEM =
  'is not valid YAML. Check the indentation, and put text that has a colon, quote or bracket in double quotes.';

/** The closing character for each opening bracket, brace or quote. */
const CLOSING_CHARACTERS: Readonly<Record<string, string>> = {
  '[': ']',
  '{': '}',
  '"': '"',
  "'": "'",
};

/** True if text that starts with a bracket, brace or quote ends with the matching character. */
const isClosed = (text: string): boolean =>
  text.length > 1 && text.trimEnd().endsWith(CLOSING_CHARACTERS[text[0]!]!);

/**
 * Finds the offset of the unclosed bracket, brace or quote before a parser error; undefined if
 * there is none. The parser may report the error many lines later.
 */
function findUnclosedOffset(document: Document, text: string, offset: number): number | undefined {
  let open: number | undefined;
  visit(document, {
    Node(_, node) {
      const [from, to] = node.range ?? [];
      const opens =
        (isCollection(node) && node.flow) || (isScalar(node) && /^QUOTE/.test(node.type ?? ''));
      if (opens && from !== undefined && to === offset && !isClosed(text.slice(from, to)))
        open = from;
    },
  });
  return open;
}

/** Finds prices such as “129,-”. In braces, the comma ends the value, which causes other errors. */
const findPricesWithDash = (text: string): RegExpExecArray[] => [
  ...text.matchAll(/(?<=: *)\d+,-+(?= *[,}\r\n])/g),
];

/** True for the parser’s error about a line in a map that has no colon. */
const isKeyWithoutColon = (code: string, message: string): boolean =>
  code === 'MISSING_CHAR' && message.startsWith('Implicit map keys need');

const ITEM_START_PATTERN = /^( *)(?:- +)?(\{|[\w$@/.-]+:)/;
const DASH = '- ';

/**
 * Finds the offset of the first line that begins like a list item above it, but without the dash;
 * undefined if there is none.
 */
function findMissingDash({ errors }: Document, text: string): number | undefined {
  const error = errors.find(({ code }) => code === 'BAD_INDENT');
  if (!error) return undefined;
  const lines = text.split('\n');
  const index = toLineAndColumn(text, error.pos[0]).line - 1;
  const [, indent = '', start] = ITEM_START_PATTERN.exec(lines[index]!) ?? [];
  const above = lines.slice(0, index).findLast((line) => line.startsWith(indent + DASH));
  return start !== undefined && ITEM_START_PATTERN.exec(above ?? '')?.[2] === start
    ? lines.slice(0, index).join('\n').length + 1 + indent.length
    : undefined;
}

/** Matches nonstandard spaces at the beginning of a line, which YAML reads as text. */
const NONSTANDARD_INDENT_PATTERN = /^( *)([\u00A0\u2000-\u200B\u202F\u205F\u3000])/gm;

/**
 * Lists the syntax errors in a document. Wrong indentation causes several errors on other lines, so
 * only the indentation is reported, plus the errors that remain after it is corrected.
 */
export function findSyntaxFaults(
  document: Document,
  text: string,
  createFaultAt: (offset: number, problem: string) => Fault,
): Fault[] {
  const tabs = document.errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  if (tabs.length)
    return tabs.map(({ pos: [offset] }) => createFaultAt(offset, syntaxProblems['TAB_AS_INDENT']!));
  const nonstandardIndents = [...text.matchAll(NONSTANDARD_INDENT_PATTERN)];
  if (nonstandardIndents.length)
    return nonstandardIndents.map(({ index, 1: plain = '', 2: character = '' }) =>
      createFaultAt(
        index + plain.length,
        `is indented with the character U+${formatCodePoint(character)}. Use plain spaces.`,
      ),
    );
  const dashOffset = findMissingDash(document, text);
  if (dashOffset !== undefined) {
    const correctedText = text.slice(0, dashOffset) + DASH + text.slice(dashOffset);
    const rest = parseDocument(correctedText, { prettyErrors: false, logLevel: 'error' });
    return [
      createFaultAt(
        dashOffset,
        'begins a list item without a dash. Write “- ” before it, as in the items above.',
      ),
      ...findSyntaxFaults(rest, correctedText, (offset, problem) =>
        createFaultAt(offset > dashOffset ? offset - DASH.length : offset, problem),
      ),
    ];
  }
  const isRepeated = document.errors.every(({ code }) => code === 'DUPLICATE_KEY');
  const line = isRepeated ? undefined : findMisindentedLine(text);
  if (line) {
    const rest = parseDocument(line.correctedText, { prettyErrors: false, logLevel: 'error' });
    const shift = (offset: number) =>
      offset < line.offset ? offset : offset - (line.requiredIndent - line.currentIndent);
    return [
      createFaultAt(
        line.offset,
        `is indented by ${formatQuantity(line.currentIndent, 'space')}, which does not match the lines around it. Indent it by ${formatQuantity(line.requiredIndent, 'space')}.`,
      ),
      ...(rest.errors.length
        ? findSyntaxFaults(rest, line.correctedText, (offset, problem) =>
            createFaultAt(shift(offset), problem),
          )
        : []),
    ];
  }
  const prices = findPricesWithDash(text);
  const reportedPrices = new Set<RegExpExecArray>();
  return document.errors.flatMap(({ pos: [offset], code, message }) => {
    const price = prices.find(
      ({ index, 0: { length } }) => offset >= index && offset <= index + length,
    );
    if (price) {
      if (reportedPrices.has(price)) return [];
      reportedPrices.add(price);
      return createFaultAt(
        price.index,
        `has a price that is not a plain number. ${suggestNumberCorrection(price[0])!}`,
      );
    }
    if (isKeyWithoutColon(code, message))
      return createFaultAt(offset, 'has no colon. Write “key: value”, or remove the line.');
    if (code === 'DUPLICATE_KEY') {
      const name = /^[^\s:]+/.exec(text.slice(offset))?.[0] ?? '';
      return createFaultAt(offset, `repeats the key ${name}. Remove or rename one of them.`);
    }
    const open = findUnclosedOffset(document, text, offset);
    if (open === undefined)
      return createFaultAt(offset, syntaxProblems[code] ?? OTHER_SYNTAX_PROBLEM);
    const mark = text[open]!;
    return createFaultAt(
      open,
      `begins with ${mark} but is never closed. Add ${CLOSING_CHARACTERS[mark]} where the value ends.`,
    );
  });
}
