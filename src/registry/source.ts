import { isMap, isPair, isSeq, LineCounter, parseDocument, type Document, type Node, type YAMLMap } from 'yaml';
import type { Fault, RecordPath } from './fault.ts';
import { formatPath } from './fault.ts';

/** A file of the registry folder: its path as the operator sees it, and its text. */
export interface Source {
  file: string;
  text: string;
}

/** Front matter and body of a Markdown file; `offset` is the line on which the front matter begins. */
export function splitFrontMatter(text: string): { matter: string; body: string } | undefined {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  return match ? { matter: match[1]!, body: text.slice(match[0].length).trim() } : undefined;
}

const yamlOf = (source: Source) => (source.file.endsWith('.md') ? (splitFrontMatter(source.text)?.matter ?? '') : source.text);
const FRONT_MATTER_LINES = 1;

/** The data of a YAML 1.2 or JSON file, or the syntax faults that keep it from being read. */
export function parseSource(source: Source): { data: unknown; faults: Fault[] } {
  const text = yamlOf(source);
  const document = parseDocument(text, { prettyErrors: false });
  if (!document.errors.length) return { data: document.toJS(), faults: [] };
  const lines = new LineCounter();
  parseDocument(text, { lineCounter: lines });
  const shift = source.file.endsWith('.md') ? FRONT_MATTER_LINES : 0;
  const faults = document.errors.map((error) => {
    const at = lines.linePos(error.pos[0]);
    return { file: source.file, line: at.line + shift, column: at.col, path: '', problem: `is not valid YAML: ${error.message}. Correct the syntax.` };
  });
  return { data: undefined, faults };
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

/** Faults with their places; the text is parsed again, so that only files at fault keep their positions in memory. */
export function locate(source: Source, problems: readonly { path: RecordPath; problem: string; atKey?: boolean }[]): Fault[] {
  const lines = new LineCounter();
  const document = parseDocument(yamlOf(source), { lineCounter: lines });
  const shift = source.file.endsWith('.md') ? FRONT_MATTER_LINES : 0;
  return problems.map(({ path, problem, atKey = false }) => {
    const at = lines.linePos(nodeAt(document, path, atKey)?.range?.[0] ?? 0);
    return { file: source.file, line: Math.max(1, at.line) + shift, column: Math.max(1, at.col), path: formatPath(path), problem };
  });
}

