import { isMap, isScalar, isSeq, parseDocument, type Document, type ParsedNode } from 'yaml';
import type { RecordProblem } from '../describe-issue.ts';
import { type Fault, type RecordPath, formatPath } from '../fault.ts';
import {
  isMarkdown,
  type Source,
  splitFrontMatter,
  toLineAndColumn,
  yamlOf,
  yamlOffsetOf,
} from './source.ts';
import { describeCurlyQuotes } from '../../site/corrections/curly-quotes.ts';
import { shortenText } from '../../site/words/shorten-text.ts';

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
