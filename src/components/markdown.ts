import { Marked } from 'marked';
import { toSectionAnchor } from '../site/heading-anchor.ts';
import { withDollarSigns } from '../site/words/words.ts';
import { fill } from '../text/fill.ts';
import { frame } from '../text/index.ts';

/** Inline HTML as an attribute value. */
const toAttributeText = (html: string) => html.replaceAll(/<[^>]+>/g, '').replaceAll('"', '&quot;');

/**
 * The Markdown renderer for pages, which uses GitHub’s dialect. Wide tables can be scrolled with
 * the keyboard.
 */
function createRenderer(headingShift: number): Marked {
  let previousText = '';
  return new Marked({
    gfm: true,
    hooks: {
      preprocess(text) {
        previousText = '';
        return withDollarSigns(text);
      },
    },
    renderer: {
      heading({ tokens, depth }) {
        const level = Math.min(6, depth + headingShift);
        const text = this.parser.parseInline(tokens);
        previousText = toAttributeText(text);
        return `<h${level} id="${toSectionAnchor(text)}">${text}</h${level}>\n`;
      },
      table(token) {
        const headings = token.header.map(({ tokens }) => this.parser.parseInline(tokens));
        const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
        const rows = token.rows.map((row) =>
          row.map(({ tokens }) => this.parser.parseInline(tokens)),
        );
        const hasCode = rows.some((row) => row.some((cell) => cell.includes('<code>')));
        // On a narrow screen, prose.css stacks these tables. In two columns, either cell may be the
        // one that needs a heading.
        const labelOf = (index: number) =>
          (index > 0 && headings.length > 2) || (headings.length === 2 && hasCode)
            ? ` data-label="${toAttributeText(headings[index] ?? '')}"`
            : '';
        const body = rows
          .map((row) => row.map((cell, index) => `<td${labelOf(index)}>${cell}</td>`).join(''))
          .map((cells) => `<tr>${cells}</tr>`)
          .join('\n');
        return `<div class="wide" tabindex="0" role="group" aria-label="${previousText ? fill(frame.tableOf, { title: previousText }) : frame.table}"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>\n`;
      },
      code({ text }) {
        const escapedText = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        return `<pre tabindex="0"><code>${escapedText}</code></pre>\n`;
      },
    },
  });
}

const renderers = new Map<number, Marked>();

/**
 * HTML for the operator's Markdown. `headingShift` lowers the headings by this number of levels,
 * for text below a page heading.
 */
export function renderMarkdown(text: string, headingShift = 0): string {
  let parser = renderers.get(headingShift);
  if (!parser) renderers.set(headingShift, (parser = createRenderer(headingShift)));
  return parser.parse(text, { async: false });
}

/** The first paragraph of Markdown text, and the rest. */
export function splitFirstParagraph(text: string): { opening: string; rest: string } {
  const [opening = '', ...rest] = text.trim().split(/\n{2,}/);
  return { opening, rest: rest.join('\n\n') };
}
