import {
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type ParsedNode,
} from 'yaml';
import type { RecordProblem } from './describe-issue.ts';
import { shortenText } from '../site/words/shorten-text.ts';
import { type Fault, type RecordPath, formatPath } from './fault.ts';
import { findMisindentedLine } from './indentation.ts';
import { findTextProblems, formatCodePoint } from './text-problems.ts';
import { suggestNumberCorrection } from '../site/corrections.ts';
import { describeCurlyQuotes } from '../site/curly-quotes.ts';
import { formatQuantity } from '../site/words/quantity.ts';

/** A file in the registry folder: the path as the operator sees it, and the text. */
export interface Source {
  file: string;
  text: string;
  /** The file’s encoding error with its location; `text` is then empty. */
  unreadable?: { problem: string; line: number; column: number };
}

/** Splits a Markdown file into front matter and body; `bodyOffset` is the offset of the body. */
export function splitFrontMatter(
  text: string,
): { frontMatter: string; body: string; bodyOffset: number } | undefined {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  return match
    ? {
        frontMatter: match[1]!,
        body: text.slice(match[0].length).trim(),
        bodyOffset: match[0].length,
      }
    : undefined;
}

const isMarkdown = ({ file }: Source) => file.endsWith('.md');
export const yamlOf = (source: Source) =>
  isMarkdown(source) ? (splitFrontMatter(source.text)?.frontMatter ?? '') : source.text;

/** Offset of the YAML in a source: after the first line of a Markdown file. */
export const yamlOffsetOf = (source: Source): number =>
  isMarkdown(source) ? source.text.indexOf('\n') + 1 : 0;

/** Converts an offset to a line and column, both from 1. */
export function toLineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

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

/** Matches the first line of a merge conflict. */
const CONFLICT_PATTERN = /^<{7} .*$/gm;
const CONFLICT_PROBLEM =
  'is a merge conflict. Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.';

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

/** True if a value contains itself. */
function isCircular(value: unknown, ancestors: readonly object[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (ancestors.includes(value)) return true;
  const nestedAncestors = [...ancestors, value];
  return Object.values(value).some((inner) => isCircular(inner, nestedAncestors));
}

/** Returns the data of a YAML 1.2 or JSON document, or the problem that prevents this. */
function readDocument(document: Document): { data: unknown; problem?: string } {
  try {
    const data: unknown = document.toJS();
    return isCircular(data)
      ? {
          data: undefined,
          problem: 'contains itself through an alias (*name). Write out the value instead.',
        }
      : { data };
  } catch (error) {
    const isUnresolvedAlias =
      error instanceof ReferenceError && error.message.startsWith('Unresolved');
    return {
      data: undefined,
      problem: isUnresolvedAlias
        ? 'has an alias (*name) without a matching anchor (&name). Put text that begins with * in quotes, or write out the value.'
        : 'repeats too many values through aliases (*name). Write out the values instead of using aliases.',
    };
  }
}

/** Returns the offset of the first alias in a document. */
function findFirstAliasOffset(document: Document): number {
  let offset = 0;
  visit(document, {
    Alias(_, node) {
      offset = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

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
function findSyntaxFaults(
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

/**
 * Parses a YAML 1.2 or JSON file. After syntax errors, returns the faults and the data that is
 * readable.
 */
export function parseSource(source: Source): { data: unknown; faults: Fault[] } {
  const yamlOffset = yamlOffsetOf(source);
  const createFaultAt = (offset: number, problem: string): Fault => ({
    file: source.file,
    ...toLineAndColumn(source.text, offset + yamlOffset),
    path: '',
    problem,
  });
  if (source.unreadable) {
    const { problem, ...place } = source.unreadable;
    return { data: undefined, faults: [{ file: source.file, ...place, path: '', problem }] };
  }
  const text = yamlOf(source);
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const { data, problem } = readDocument(document);
  const conflicts = [...source.text.matchAll(CONFLICT_PATTERN)];
  if (conflicts.length)
    return {
      data,
      faults: conflicts.map(({ index }) => createFaultAt(index - yamlOffset, CONFLICT_PROBLEM)),
    };
  if (document.errors.length)
    return {
      data,
      faults: findSyntaxFaults(document, text, createFaultAt).sort((a, b) => a.line - b.line),
    };
  if (problem) return { data, faults: [createFaultAt(findFirstAliasOffset(document), problem)] };
  if (data === null || data === undefined)
    return { data, faults: [createFaultAt(0, 'is empty. Add the record, or remove the file.')] };
  const body = isMarkdown(source) ? (splitFrontMatter(source.text)?.body ?? '') : '';
  return {
    data,
    faults: locateProblems(source, [...findTextProblems(data), ...findTextProblems(body)]),
  };
}

/**
 * Returns an item of a list, or the value of a key; the key’s node if the value is empty or
 * `isKeyProblem`.
 */
function childOf(node: ParsedNode | null, part: string | number, isKeyProblem: boolean) {
  if (isSeq(node)) return node.items[Number(part)];
  const pair = isMap(node)
    ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
    : undefined;
  return (!isKeyProblem && pair?.value) || pair?.key;
}

/** Finds the node at a path, or its nearest existing ancestor; the key’s node if `isKeyProblem`. */
function nodeAt(document: Document.Parsed, path: RecordPath, isKeyProblem: boolean) {
  let node: ParsedNode | null = document.contents;
  for (const [index, part] of path.entries()) {
    const child = childOf(node, part, isKeyProblem && index === path.length - 1);
    if (!child) break;
    node = child;
  }
  return node;
}

/**
 * Finds the offset of a match in the source; undefined if the text is written differently there.
 */
function findMatchOffset(
  text: string,
  [from, to]: readonly [number, number],
  { pattern, match }: NonNullable<RecordProblem['location']>,
): number | undefined {
  const found = [...text.slice(from, to).matchAll(pattern)][match];
  return found && from + found.index;
}

/** Maximum length of a value that a problem quotes, in characters. */
const MAX_QUOTED_LENGTH = 200;

/** Shortens long values that a problem quotes; its location points to the full value. */
const cutLongQuotes = (problem: string): string =>
  problem.replace(/(?<=\u201c)[^\u201d]+/g, (quotedValue) =>
    shortenText(quotedValue, MAX_QUOTED_LENGTH),
  );

/**
 * Adds locations to problems. Parses the text again, so that positions are kept in memory only for
 * files with errors.
 */
export function locateProblems(source: Source, problems: readonly RecordProblem[]): Fault[] {
  if (!problems.length) return [];
  const { file, text } = source;
  const frontMatter = isMarkdown(source) ? splitFrontMatter(text) : undefined;
  const yamlOffset = yamlOffsetOf(source);
  const document = parseDocument(yamlOf(source));
  return problems.map(({ path, problem, isKeyProblem = false, location }) => {
    const node = nodeAt(document, path, isKeyProblem);
    const [from = 0, to = 0] = node?.range ?? [];
    // The body of a page is outside the front matter, so its path is empty.
    const range =
      frontMatter && !path.length
        ? ([frontMatter.bodyOffset, text.length] as const)
        : ([from + yamlOffset, to + yamlOffset] as const);
    const offset = (location && findMatchOffset(text, range, location)) ?? from + yamlOffset;
    return {
      file,
      ...toLineAndColumn(text, offset),
      path: formatPath(path),
      problem: cutLongQuotes(problem) + describeCurlyQuotes(isScalar(node) && node.value),
    };
  });
}
