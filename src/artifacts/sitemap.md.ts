import { pagesOfSite } from '../site/pages-of-site.ts';
import { defineDocument } from './artifact.ts';
import { renderMarkdownLink } from './markdown/parts.ts';

/** `/sitemap.md`: the sitemap as a Markdown list of titles, which agent-readability expects. */
export const sitemapMarkdown = defineDocument({
  name: 'sitemap-md',
  description: 'The pages in the sitemap, as a Markdown list.',
  mediaType: 'text/markdown; charset=utf-8',
  paths: ['/sitemap.md'],
  operation: { id: 'readSitemapMarkdown', tag: 'Crawling', summary: 'The sitemap as Markdown' },
  render(site) {
    const pages = pagesOfSite(site).filter((page) => page.indexable);
    const lines = pages.map(
      ({ path, title, lastmod }) =>
        `- ${renderMarkdownLink(title, `${site.base}${path}`)}, last changed ${lastmod}`,
    );
    return `# Pages of ${site.registry.network.name}\n\n${lines.join('\n')}\n`;
  },
});
