import { pagesOfSite, type SitePage } from '../site/pages-of-site.ts';
import type { Site } from '../site/site.ts';
import { defineArtifact } from './artifact.ts';
import { escapeXml } from '../site/escape-xml.ts';

/** Maximum number of URLs in a sitemap file (sitemaps.org). */
const MAX_URLS = 50_000;
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** A sitemap file: a part of the pages, or the index of all parts. */
type Key = { part: number; pages: readonly SitePage[] } | { parts: number };

function listKeys(site: Site): readonly Key[] {
  const pages = pagesOfSite(site).filter((page) => page.indexable);
  if (pages.length <= MAX_URLS) return [{ part: 0, pages }];
  const parts = Array.from({ length: Math.ceil(pages.length / MAX_URLS) }, (_, index) => ({
    part: index + 1,
    pages: pages.slice(index * MAX_URLS, (index + 1) * MAX_URLS),
  }));
  return [{ parts: parts.length }, ...parts];
}

/** `/sitemap.xml`, sitemaps.org 0.9; beyond 50,000 pages, an index of several files. */
export const sitemap = defineArtifact<Key>({
  name: 'sitemap',
  description: 'Every page that search engines may list, with the date of its last change.',
  mediaType: 'application/xml; charset=utf-8',
  keys: listKeys,
  paths: (key) => ['part' in key && key.part > 0 ? `/sitemap-${key.part}.xml` : '/sitemap.xml'],
  operation: { id: 'readSitemap', tag: 'Crawling', summary: 'Sitemap' },
  render(key, { base, generatedAt }) {
    const [root, entries] =
      'pages' in key
        ? [
            'urlset',
            key.pages.map(
              ({ path, lastmod }) =>
                `<url><loc>${escapeXml(`${base}${path}`)}</loc><lastmod>${lastmod}</lastmod></url>`,
            ),
          ]
        : [
            'sitemapindex',
            Array.from(
              { length: key.parts },
              (_, index) =>
                `<sitemap><loc>${base}/sitemap-${index + 1}.xml</loc><lastmod>${generatedAt}</lastmod></sitemap>`,
            ),
          ];
    return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${entries.join('\n')}\n</${root}>\n`;
  },
});
