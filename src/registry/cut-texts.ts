import { isMap, isPair, isScalar, isSeq, parseDocument, type Scalar, visit } from 'yaml';
import { type Fault, formatPath, type RecordPath } from './fault.ts';
import { placeOf, type Source, yamlOf, yamlOffsetOf } from './source.ts';

/** A comment on the same line as a value. */
const COMMENT_PATTERN = /^[ \t]+(#.*)/;
/** A comment that looks like the rest of a text: “#4”, “# 1 in town”. */
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
 * Finds unquoted text that a number sign probably cuts off: YAML reads the rest of the line as a
 * comment. The author may have meant a comment, so these are warnings.
 */
export function findCutTexts(source: Source): Fault[] {
  const yaml = yamlOf(source);
  if (source.unreadable || !yaml.includes(' #')) return [];
  const found: Fault[] = [];
  visit(parseDocument(yaml, { prettyErrors: false, logLevel: 'error' }), {
    Scalar(key, node, ancestors) {
      if (key === 'key' || node.type !== 'PLAIN' || typeof node.value !== 'string') return;
      const [, end] = node.range!;
      const comment = COMMENT_PATTERN.exec(yaml.slice(end))?.[1];
      if (comment === undefined || !isTruncated(node.value, comment)) return;
      found.push({
        file: source.file,
        ...placeOf(source.text, yamlOffsetOf(source) + yaml.indexOf('#', end)),
        path: formatPath(pathOf(ancestors, node)),
        problem: `ends before “${comment.trimEnd()}”, which YAML reads as a comment. If it belongs to the text, put the whole text in double quotes.`,
      });
    },
  });
  return found;
}
