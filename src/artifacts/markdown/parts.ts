/** A Markdown link; brackets in the text are escaped. */
export const renderMarkdownLink = (text: string, href: string): string =>
  `[${text.replaceAll(/[[\]]/g, '\\$&')}](${href})`;

/** Lines under a level-2 heading; empty if there are no lines. */
export const renderMarkdownSection = (heading: string, lines: readonly string[]): string[] =>
  lines.length ? [`## ${heading}`, lines.join('\n')] : [];
