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

export const isMarkdown = ({ file }: Source) => file.endsWith('.md');
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
