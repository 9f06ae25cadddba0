import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { itemPath } from '../../src/site/registry.ts';
import { main, networks } from './networks.ts';

const { registry, base } = main.site;
const [name, catalog] = Object.entries(registry.catalogs).find(
  ([, { schemaType }]) => schemaType === 'Article',
)!;
const { url, title, purpose } = registry.subsites.find((subsite) => subsite.name === name)!;
const articles = catalog.items.toSorted((a, b) => (a.date! < b.date! ? 1 : -1));
const addresses = articles.map((item) => `${base}${itemPath(catalog, item)}`);

describe('the article feeds', () => {
  it('include every article as RSS 2.0, newest first', async () => {
    const rss = main.text(`${url}/feed.xml`);
    expect(
      await validateXML({ xml: { fileName: 'feed.xml', contents: rss }, normalization: 'format' }),
    ).toMatchObject({
      valid: true,
    });
    const all = (element: string) =>
      [...rss.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(
        ([, text]) => text,
      );
    expect(all('link')).toEqual([`${base}${url}`, ...addresses]);
    expect(all('title')).toEqual([title, ...articles.map((item) => item.title)]);
    expect(all('pubDate')).toEqual(articles.map(({ date }) => new Date(date!).toUTCString()));
    expect(rss).toContain(`<atom:link href="${base}${url}/feed.xml" rel="self"`);
    expect([...rss.matchAll(/<guid isPermaLink="true">/g)]).toHaveLength(articles.length);
    expect([...rss.matchAll(/<content:encoded><!\[CDATA\[<p>/g)]).toHaveLength(articles.length);
  });

  it('include the same articles as JSON Feed 1.1', () => {
    const feed = main.json(`${url}/feed.json`);
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title,
      description: purpose,
      home_page_url: `${base}${url}`,
      feed_url: `${base}${url}/feed.json`,
    });
    expect(feed.items.map(({ id }: { id: string }) => id)).toEqual(addresses);
    for (const [index, item] of feed.items.entries()) {
      expect(item).toMatchObject({ title: articles[index]!.title, url: item.id });
      expect(Date.parse(item.date_published)).toBe(Date.parse(articles[index]!.date!));
      expect(item.content_html).toMatch(/<p>/);
      expect(item.content_html).not.toMatch(/(?:href|src)="\//);
    }
  });

  it.each(networks)('exist only for articles in $name', ({ documents, site }) => {
    const expected = Object.values(site.registry.catalogs).filter(
      ({ schemaType }) => schemaType === 'Article',
    ).length;
    expect([...documents.keys()].filter((path) => path.endsWith('/feed.xml'))).toHaveLength(
      expected,
    );
  });
});
