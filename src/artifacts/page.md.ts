import { digestPage } from '../site/digest.ts';
import { pagesOfSite, type SitePage } from '../site/pages-of-site.ts';
import { toMarkdownPath } from '../site/site.ts';
import { defineArtifact } from './artifact.ts';
import { renderFrontMarkdown } from './markdown/front.ts';
import { renderPageMarkdown } from './markdown/page.ts';

/**
 * `{page}.md`: a page as Markdown with front matter; the front page has a separate version for
 * software. A JSON string is a valid YAML double-quoted scalar.
 */
export const markdownPages = defineArtifact<SitePage>({
  name: 'markdown-twin',
  description: 'A page as Markdown.',
  mediaType: 'text/markdown; charset=utf-8',
  keys: (site) => pagesOfSite(site),
  paths: ({ path }) => [toMarkdownPath(path)],
  digest: (page, site) => digestPage(site, page),
  render(page, site) {
    const frontMatter = {
      title: page.title,
      description: page.description,
      canonical_url: `${site.base}${page.path}`,
      last_updated: page.lastmod,
    };
    return `---\n${Object.entries(frontMatter)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join(
        '\n',
      )}\n---\n\n> Index of all pages for software: ${site.base}/llms.txt\n\n${page.kind === 'front' ? renderFrontMarkdown(page, site) : renderPageMarkdown(page, site)}\n`;
  },
});
