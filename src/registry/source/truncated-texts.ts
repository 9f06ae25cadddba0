import { isMap, isPair, isScalar, isSeq, parseDocument, type Scalar, visit } from 'yaml';
import { type Fault, formatPath, type RecordPath } from '../fault.ts';
import { CURLY_QUOTES_PROBLEM, isInCurlyQuotes } from '../../site/corrections/curly-quotes.ts';
import { toLineAndColumn, type Source, yamlOf, yamlOffsetOf } from './source.ts';

/** Matches a comment on the same line as a value. */
const COMMENT_PATTERN = /^[ \t]+(#.*)/;
/** Matches a comment that looks like the rest of a text: “#4”, “# 1 in town”. */
const CONTINUED_PATTERN = /^#(?:[^\s#]|\s*\d)/;

/** True if unquoted text and the comment after it probably belong together. */
const isTruncated = (text: string, comment: string): boolean =>
  /\p{L}/u.test(text) && (/\s/.test(text) || CONTINUED_PATTERN.test(comment));

/** The path of a node, given its ancestors. */
function pathOf(ancestors: readonly unknown[], node: Scalar): RecordPath {
  const nodes = [...ancestors, node];
  return nodes.flatMap<string | number>((parent, index) => {
    const child = nodes[index + 1];
    if (isSeq(parent)) return [parent.items.indexOf(child)];
    return isMap(parent) && isPair(child)
      ? [String(isScalar(child.key) ? child.key.value : '')]
      : [];
  });
}

/**
 * Lists the problems in a source's texts, with their locations. `find` returns the problem of one
 * scalar.
 */
function checkTexts(
  source: Source,
  find: (node: Scalar<string>, yaml: string) => { offset: number; problem: string } | undefined,
): Fault[] {
  const yaml = yamlOf(source);
  const found: Fault[] = [];
  visit(parseDocument(yaml, { prettyErrors: false, logLevel: 'error' }), {
    Scalar(key, node, ancestors) {
      if (key === 'key' || typeof node.value !== 'string') return;
      const { offset, problem } = find(node as Scalar<string>, yaml) ?? {};
      if (offset === undefined || problem === undefined) return;
      found.push({
        file: source.file,
        ...toLineAndColumn(source.text, yamlOffsetOf(source) + offset),
        path: formatPath(pathOf(ancestors, node)),
        problem,
      });
    },
  });
  return found;
}

/**
 * Finds unquoted text that a `#` probably cuts off, because YAML reads the rest of the line as a
 * comment. These are only warnings, because the author may have meant a comment.
 */
export function findTruncatedTexts(source: Source): Fault[] {
  if (source.unreadable || !yamlOf(source).includes(' #')) return [];
  return checkTexts(source, ({ type, value, range }, yaml) => {
    if (type !== 'PLAIN') return undefined;
    const end = range![1];
    const comment = COMMENT_PATTERN.exec(yaml.slice(end))?.[1];
    if (comment === undefined || !isTruncated(value, comment)) return undefined;
    return {
      offset: yaml.indexOf('#', end),
      problem: `ends before “${comment.trimEnd()}”, which YAML reads as a comment. If it belongs to the text, put the whole text in double quotes.`,
    };
  });
}

/** A quick check before the slower one: matches every file with a value in curly quotes. */
const OPENING_CURLY_QUOTE_PATTERN = /[:[{,>|-]\s*["']?[\u201c\u201d\u201e\u2018\u2019\u201a]/;

/** Finds values that are enclosed in curly quotes, which a word processor probably inserted. */
export function findCurlyQuotedTexts(source: Source): Fault[] {
  if (source.unreadable || !OPENING_CURLY_QUOTE_PATTERN.test(yamlOf(source))) return [];
  return checkTexts(source, ({ value, range }) =>
    isInCurlyQuotes(value) ? { offset: range![0], problem: CURLY_QUOTES_PROBLEM } : undefined,
  );
}
