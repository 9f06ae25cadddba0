import { isMap, isPair, isSeq, parseDocument, type Document, type Node, type YAMLMap } from 'yaml';
import type { Described } from './describe-issue.ts';
import type { Fault, RecordPath } from './fault.ts';
import { formatPath } from './fault.ts';

/** A file of the registry folder: its path as the operator sees it, and its text. */
export interface Source {
  file: string;
  text: string;
}

/** Front matter and body of a Markdown file; `bodyAt` is the offset at which the body begins. */
export function splitFrontMatter(text: string): { matter: string; body: string; bodyAt: number } | undefined {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  return match ? { matter: match[1]!, body: text.slice(match[0].length).trim(), bodyAt: match[0].length } : undefined;
}

const isMarkdown = ({ file }: Source) => file.endsWith('.md');
const yamlOf = (source: Source) => (isMarkdown(source) ? (splitFrontMatter(source.text)?.matter ?? '') : source.text);

/** Offset at which the YAML of a source begins: behind the first line of a Markdown file. */
const yamlStart = (source: Source): number => (isMarkdown(source) ? source.text.indexOf('\n') + 1 : 0);

/** Line and column of an offset, both from 1. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** The data of a YAML 1.2 or JSON document; undefined where there are none to be had. */
function dataOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

/** The data of a YAML 1.2 or JSON file; where it has faults of syntax, those and what can be made of the rest. */
export function parseSource(source: Source): { data: unknown; faults: Fault[] } {
  const document = parseDocument(yamlOf(source), { prettyErrors: false });
  if (!document.errors.length) return { data: document.toJS(), faults: [] };
  const faults = document.errors.map(({ pos: [offset], message }) => ({
    file: source.file,
    ...placeOf(source.text, offset + yamlStart(source)),
    path: '',
    problem: `is not valid YAML: ${message}. Correct the syntax.`,
  }));
  return { data: dataOf(document), faults };
}

function keyNode(map: YAMLMap, name: string): Node | undefined {
  const pair = map.items.find((item) => isPair(item) && String((item.key as { value?: unknown } | null)?.value) === name);
  return (pair?.key as Node | undefined) ?? undefined;
}

/** The node at a path, or the nearest one above it that exists; the key’s node where `atKey`. */
function nodeAt(document: Document, path: RecordPath, atKey: boolean): Node | undefined {
  let node = document.contents as Node | null;
  let found = node ?? undefined;
  for (const [index, part] of path.entries()) {
    const last = index === path.length - 1;
    if (isMap(node)) {
      const name = keyNode(node, String(part));
      if (!name) return found;
      const value = node.get(part, true) as Node | undefined;
      found = last && (atKey || !value?.range) ? name : (value ?? name);
      node = value ?? null;
    } else if (isSeq(node)) {
      const value = node.get(part, true) as Node | undefined;
      if (!value) return found;
      found = value;
      node = value;
    } else return found;
  }
  return found;
}

/** Offset of a match of a pattern in a stretch of text, or undefined where the source writes it otherwise. */
function matchIn(text: string, [from, to]: readonly [number, number], { pattern, match }: NonNullable<Described['within']>): number | undefined {
  const found = [...text.slice(from, to).matchAll(pattern)][match];
  return found && from + found.index;
}

/** Faults with their places; the text is parsed again, so that only files at fault keep their positions in memory. */
export function locate(source: Source, problems: readonly Described[]): Fault[] {
  const { file, text } = source;
  const matter = isMarkdown(source) ? splitFrontMatter(text) : undefined;
  const yamlAt = yamlStart(source);
  const document = parseDocument(yamlOf(source));
  return problems.map(({ path, problem, atKey = false, within }) => {
    const [from = 0, to = 0] = nodeAt(document, path, atKey)?.range ?? [];
    // A page’s body is no part of its front matter: it has the empty path.
    const stretch = matter && !path.length ? ([matter.bodyAt, text.length] as const) : ([from + yamlAt, to + yamlAt] as const);
    const offset = (within && matchIn(text, stretch, within)) ?? from + yamlAt;
    return { file, ...placeOf(text, offset), path: formatPath(path), problem };
  });
}
