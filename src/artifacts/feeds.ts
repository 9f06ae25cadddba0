import { marked } from 'marked';
import { z } from 'zod';
import type { Catalog, Item } from '../registry/schemas/catalog.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { feedPaths, hasFeed } from '../site/feeds.ts';
import { sortForDisplay } from '../site/item-order.ts';
import { findLatestDay, findSubsite, itemPath } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import { defineArtifact } from './artifact.ts';
import { absoluteUrlSchema, registerComponent } from './components.ts';
import { withAbsoluteLinks } from './markdown/page.ts';
import { escapeXml } from '../site/escape-xml.ts';
import { locale } from '../language.ts';

const MAX_ARTICLES = 50;

interface Key {
  subsite: Subsite;
  catalog: Catalog;
}

const listKeys = ({ registry }: Site): Key[] =>
  Object.entries(registry.catalogs).flatMap(([name, catalog]) => {
    const subsite = findSubsite(registry, name);
    return subsite && hasFeed(subsite, catalog) ? [{ subsite, catalog }] : [];
  });

const listNewestItems = ({ catalog }: Key): readonly Item[] =>
  sortForDisplay(catalog, catalog.items).slice(0, MAX_ARTICLES);

const renderHtml = ({ body = '', summary }: Item, base: string): string =>
  marked.parse(withAbsoluteLinks(body || summary, base), { async: false }).trim();

/** Midnight UTC at the beginning of a day. */
const startOfDay = (day: string): Date => new Date(`${day}T00:00:00Z`);

const renderElement = (name: string, text: string, attributes = ''): string =>
  `<${name}${attributes}>${escapeXml(text)}</${name}>`;

function renderRssItem(item: Item, { catalog }: Key, base: string): string {
  const url = `${base}${itemPath(catalog, item)}`;
  return [
    '<item>',
    renderElement('title', item.title),
    renderElement('link', url),
    renderElement('guid', url, ' isPermaLink="true"'),
    renderElement('description', item.summary),
    ...(item.date ? [renderElement('pubDate', startOfDay(item.date).toUTCString())] : []),
    ...(item.tags ?? []).map((tag) => renderElement('category', tag)),
    `<content:encoded><![CDATA[${renderHtml(item, base).replaceAll(']]>', ']]]]><![CDATA[>')}]]></content:encoded>`,
    '</item>',
  ].join('\n');
}

/** `{subsite}/feed.xml`, RSS 2.0 (rssboard.org): the full text of the newest articles. */
export const rssFeeds = defineArtifact<Key>({
  name: 'rss-feed',
  description: 'A subsite’s newest articles as RSS 2.0.',
  mediaType: 'application/rss+xml; charset=utf-8',
  keys: listKeys,
  paths: ({ subsite }) => [feedPaths(subsite).rss],
  operation: { id: 'readRssFeed', tag: 'Crawling', summary: 'Articles as RSS 2.0' },
  render(key, { base }) {
    const { subsite } = key;
    const items = listNewestItems(key);
    const lastChangeDate = findLatestDay(
      items.flatMap(({ date = '', updated = '' }) => [date, updated]),
    );
    return `${[
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">',
      '<channel>',
      renderElement('title', subsite.title),
      renderElement('link', `${base}${subsite.url}`),
      renderElement('description', subsite.purpose),
      renderElement('language', locale),
      ...(lastChangeDate
        ? [renderElement('lastBuildDate', startOfDay(lastChangeDate).toUTCString())]
        : []),
      `<atom:link href="${escapeXml(`${base}${feedPaths(subsite).rss}`)}" rel="self" type="application/rss+xml"/>`,
      ...items.map((item) => renderRssItem(item, key, base)),
      '</channel>',
      '</rss>',
    ].join('\n')}\n`;
  },
});

const jsonFeedSchema = registerComponent(
  'JsonFeed',
  z
    .strictObject({
      version: z.literal('https://jsonfeed.org/version/1.1').describe('Feed format version.'),
      title: z.string().describe('Feed title.'),
      home_page_url: absoluteUrlSchema.describe('URL of the page with the articles.'),
      feed_url: absoluteUrlSchema.describe('This document.'),
      description: z.string().describe('Feed description.'),
      language: z.string().describe('RFC 5646 language tag.'),
      items: z
        .array(
          z
            .strictObject({
              id: absoluteUrlSchema.describe('Article ID, which is its URL.'),
              url: absoluteUrlSchema.describe('Its page.'),
              title: z.string().describe('Its title.'),
              summary: z.string().describe('One-sentence summary.'),
              content_html: z.string().describe('Full text as HTML.'),
              date_published: z.iso.datetime().optional().describe('Publication date.'),
              date_modified: z.iso.datetime().optional().describe('Date of the last change.'),
              tags: z.array(z.string()).optional().describe('Topics.'),
            })
            .describe('An article.'),
        )
        .describe('Articles, newest first.'),
    })
    .describe('Articles as JSON Feed 1.1.'),
);

/** `{subsite}/feed.json`, JSON Feed 1.1 (jsonfeed.org): the same articles. */
export const jsonFeeds = defineArtifact<Key>({
  name: 'json-feed',
  description: 'A subsite’s newest articles as JSON Feed 1.1.',
  mediaType: 'application/feed+json',
  keys: listKeys,
  paths: ({ subsite }) => [feedPaths(subsite).json],
  schema: jsonFeedSchema,
  operation: { id: 'readJsonFeed', tag: 'Crawling', summary: 'Articles as JSON Feed 1.1' },
  render(key, { base }): z.infer<typeof jsonFeedSchema> {
    const { subsite, catalog } = key;
    return {
      version: 'https://jsonfeed.org/version/1.1',
      title: subsite.title,
      home_page_url: `${base}${subsite.url}`,
      feed_url: `${base}${feedPaths(subsite).json}`,
      description: subsite.purpose,
      language: locale,
      items: listNewestItems(key).map((item) => {
        const url = `${base}${itemPath(catalog, item)}`;
        return {
          id: url,
          url,
          title: item.title,
          summary: item.summary,
          content_html: renderHtml(item, base),
          ...(item.date && { date_published: startOfDay(item.date).toISOString() }),
          ...(item.updated && { date_modified: startOfDay(item.updated).toISOString() }),
          ...(item.tags?.length && { tags: item.tags }),
        };
      }),
    };
  },
});
