import { pagesOfSite } from '../site/pages-of-site.ts';
import { defineDocument } from './artifact.ts';
import { isReference, renderPageMarkdown } from './markdown/page.ts';

/** `/llms-full.txt`: the Markdown of every page except the reference pages, each with its URL. */
export const llmsFullTxt = defineDocument({
  name: 'llms-full-txt',
  description:
    'The text of the pages in one file, without the reference pages for capabilities, endpoints and problems.',
  mediaType: 'text/plain; charset=utf-8',
  paths: ['/llms-full.txt'],
  operation: {
    id: 'readLlmsFullTxt',
    tag: 'Discovery',
    summary: 'The text of the pages, for language models',
  },
  render(site) {
    const pages = pagesOfSite(site).filter((page) => !isReference(page));
    return `${pages.map((page) => `${renderPageMarkdown(page, site)}\n\nSource: ${site.base}${page.path}`).join('\n\n---\n\n')}\n`;
  },
});
