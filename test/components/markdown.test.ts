import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderMarkdown } from '../../src/components/markdown.ts';
import { parseSections } from '../../src/search/passages/markdown-sections.ts';

it('headings have the anchors that search results use, and no other element has', () => {
  const text = '## Opening *hours*\n\nWe open at 9.\n';
  const [section] = parseSections(text);
  expect(section!.anchor).toBe('section-opening-hours');
  expect(renderMarkdown(text)).toContain(`<h2 id="${section!.anchor}">`);
  const templates = globSync('src/{components,layouts,pages}/**/*.astro');
  expect(
    templates.filter((file) => /\bid=["{`]+section-/.test(readFileSync(file, 'utf8'))),
  ).toEqual([]);
});

it('names the column of every cell that needs it, for narrow windows, where wide tables and code are stacked', () => {
  const labelsIn = (text: string) =>
    [...renderMarkdown(text).matchAll(/<td(?: data-label="([^"]*)")?>/g)].map(([, label]) => label);
  expect(
    labelsIn('| Endpoint | *Needs* a key | Tools |\n|---|---|---|\n| `/api/mcp` | no | `find` |'),
  ).toEqual([undefined, 'Needs a key', 'Tools']);
  expect(labelsIn('| Status | Meaning |\n|---|---|\n| 401 | no key |')).toEqual([
    undefined,
    undefined,
  ]);
  expect(labelsIn('| The request | The task |\n|---|---|\n| new | `working` |')).toEqual([
    'The request',
    'The task',
  ]);
});

it('finds rows of a table as sentences, with the column heads that they need', () => {
  const textOf = (table: string) => parseSections(table).map(({ text }) => text);
  expect(textOf('| Days | Requests |\n|---|---|\n| 730 | newsletter; visit |')).toEqual([
    'Days: 730; Requests: newsletter; visit.',
  ]);
  expect(textOf('| Score | Meaning |\n|---|---|\n| 0 to 40 | Start over. |')).toEqual([
    'Score: 0 to 40; Meaning: Start over.',
  ]);
  expect(textOf('| Trailer | Price |\n|---|---|\n| 5x8 utility | 35 USD |')).toEqual([
    '5x8 utility: 35 USD.',
  ]);
  expect(textOf('| Status | Meaning | Who |\n|---|---|---|\n| Read | Seen. | we |')).toEqual([
    'Read: Meaning: Seen; Who: we.',
  ]);
});
