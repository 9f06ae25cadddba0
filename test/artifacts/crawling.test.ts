import { readFileSync } from 'node:fs';
import robotsParser from 'robots-parser';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { listPlacements, renderDocument } from '../../src/artifacts/index.ts';
import type { Registry } from '../../src/site/registry.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { networks } from './networks.ts';

const readSchema = (name: string) => ({
  fileName: name,
  contents: readFileSync(new URL(`../fixtures/sitemaps/${name}`, import.meta.url), 'utf8'),
});

async function findSchemaErrors(body: string, schema: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'sitemap.xml', contents: body }],
    schema: [readSchema(schema)],
  });
  return errors.map((error) => error.message);
}

const addresses = (body: string) =>
  [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]!);

describe.each(networks)('the crawler files of $name', ({ site, pages, text }) => {
  const { registry, base } = site;
  const rules = robotsParser(`${base}/robots.txt`, text('/robots.txt'));

  it('include a sitemap that satisfies the public schema', async () => {
    expect(await findSchemaErrors(text('/sitemap.xml'), 'sitemap.xsd')).toEqual([]);
    expect(
      await findSchemaErrors(
        text('/sitemap.xml').replace('<lastmod>20', '<lastmod>soon 20'),
        'sitemap.xsd',
      ),
    ).not.toEqual([]);
  });

  it('list every page in the sitemap except account-only pages, skipped subsites, and problem pages', () => {
    const excludedSubsites = registry.subsites.filter(
      (subsite) => subsite.status === 'auth' || subsite.skipSitemap,
    );
    const excludedUrls = new Set(excludedSubsites.map((subsite) => subsite.url));
    const excludedNames = new Set(excludedSubsites.map((subsite) => subsite.name));
    const expected = pages.filter(
      (page) =>
        page.kind !== 'problem' &&
        !excludedUrls.has(page.path) &&
        !(page.kind === 'item' && excludedNames.has(page.subsite.name)) &&
        !(page.kind === 'capability' && excludedNames.has(page.capability.subsite ?? '')),
    );
    expect(addresses(text('/sitemap.xml'))).toEqual(expected.map((page) => `${base}${page.path}`));
    expect(excludedSubsites.length).toBeGreaterThan(0);
  });

  it('list the Markdown version of each page by its title', () => {
    const listed = [
      ...text('/sitemap.md').matchAll(/^- \[(.+)\]\((.+)\), last changed (.+)$/gm),
    ].map(([, title, url, day]) => [title!.replaceAll('\\', ''), url, day]);
    expect(listed).toEqual(
      addresses(text('/sitemap.xml'))
        .map((url) => pages.find((page) => `${base}${page.path}` === url)!)
        .map(({ title, path, lastmod }) => [title, `${base}${path}`, lastmod]),
    );
  });

  it('give every page in the sitemap the date in its record', () => {
    for (const [, url, day] of text('/sitemap.xml').matchAll(
      /<loc>(.*?)<\/loc><lastmod>(.*?)<\/lastmod>/g,
    ))
      expect(day, url).toBe(pages.find((page) => `${base}${page.path}` === url)!.lastmod);
    for (const subsite of registry.subsites)
      expect(pages.find((page) => page.path === subsite.url)!.lastmod).toBe(
        [subsite, ...(registry.catalogs[subsite.name]?.items ?? [])]
          .map(({ updated = '' }) => updated)
          .sort()
          .at(-1),
      );
  });

  it('give every page the date of the newest item that it lists', () => {
    const updated = '2099-12-31';
    const catalogs = Object.fromEntries(
      Object.entries(registry.catalogs).map(([name, catalog]) => [
        name,
        { ...catalog, items: catalog.items.map((item) => ({ ...item, updated })) },
      ]),
    );
    for (const page of pagesOfSite({ ...site, registry: { ...registry, catalogs } }))
      if (
        (page.kind === 'subsite' && catalogs[page.subsite.name]) ||
        (page.kind === 'page' && page.page.items)
      )
        expect(page.lastmod, page.path).toBe(updated);
  });

  it('let every named crawler read every page in the sitemap', () => {
    const blockedPaths = ['*', ...registry.network.crawl.agents].flatMap((agent) =>
      addresses(text('/sitemap.xml'))
        .filter((url) => !rules.isAllowed(url, agent))
        .map((url) => `${agent}: ${url}`),
    );
    expect(blockedPaths).toEqual([]);
    expect(rules.getSitemaps()).toEqual([`${base}/sitemap.xml`]);
  });

  it('disallow the listed paths and everything below them, but not other paths with the same prefix', () => {
    for (const agent of ['*', ...registry.network.crawl.agents])
      for (const path of registry.network.crawl.disallow) {
        expect(rules.isAllowed(`${base}${path}`, agent), `${agent} ${path}`).toBe(false);
        expect(rules.isAllowed(`${base}${path}/anything`, agent), `${agent} ${path}/anything`).toBe(
          false,
        );
        expect(rules.isAllowed(`${base}${path}-like`, agent), `${agent} ${path}-like`).toBe(true);
      }
  });

  it('repeat every rule, including the content signal, in each group', () => {
    const groups = text('/robots.txt')
      .split('\n\n')
      .filter((group) => group.startsWith('User-agent'));
    const bodies = groups.map((group) =>
      group.split('\n').filter((line) => !line.startsWith('User-agent')),
    );
    const toYesOrNo = (allowed: boolean) => (allowed ? 'yes' : 'no');
    const { search, aiInput, aiTrain, agents } = registry.network.crawl;
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect(bodies[0]).toContain(
      `Content-Signal: search=${toYesOrNo(search)}, ai-input=${toYesOrNo(aiInput)}, ai-train=${toYesOrNo(aiTrain)}`,
    );
    expect(
      groups.flatMap((group) => group.split('\n')).filter((line) => line.startsWith('User-agent')),
    ).toEqual(['*', ...agents].map((agent) => `User-agent: ${agent}`));
  });

  it('state where to report a vulnerability, and expire within a year of the build (RFC 9116)', () => {
    const lines = text('/.well-known/security.txt')
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/) as [string, string]);
    const fields = Object.fromEntries(lines);
    expect(Object.keys(fields).sort()).toEqual([
      'Canonical',
      'Contact',
      'Expires',
      'Policy',
      'Preferred-Languages',
    ]);
    expect(fields.Contact).toBe(`mailto:${registry.network.security.contact}`);
    expect(fields.Canonical).toBe(`${base}/.well-known/security.txt`);
    const days = (Date.parse(fields.Expires!) - Date.parse(site.generatedAt)) / 86_400_000;
    expect(days).toBeGreaterThan(300);
    expect(days).toBeLessThan(365);
  });
});

it('robots.txt keeps crawlers from the whole network if the root is disallowed', () => {
  const { site } = networks[0]!;
  const { network } = site.registry;
  const crawl = { ...network.crawl, agents: ['GPTBot'], disallow: ['/inbox', '/'] };
  const closedSite = { ...site, registry: { ...site.registry, network: { ...network, crawl } } };
  const { artifact, key } = listPlacements(closedSite).find(({ path }) => path === '/robots.txt')!;
  const body = renderDocument(artifact, key, closedSite);
  const rules = robotsParser(`${site.base}/robots.txt`, body);
  expect(body).toContain('Disallow: /\n');
  for (const agent of ['*', 'GPTBot'])
    for (const path of ['/', '/shop', '/inbox/anything'])
      expect(rules.isAllowed(`${site.base}${path}`, agent), `${agent} ${path}`).toBe(false);
});

it('a sitemap of more than 50,000 pages is split and indexed', async () => {
  const { site } = networks[1]!;
  const bus = site.registry.catalogs.bus!;
  const items = Array.from({ length: 50_001 }, (_, index) => ({
    ...bus.items[0]!,
    id: `stop-${index}`,
    body: undefined,
  }));
  const registry: Registry = {
    ...site.registry,
    catalogs: { ...site.registry.catalogs, bus: { ...bus, items } },
  };
  const largeSite = { ...site, registry };
  const parts = listPlacements(largeSite)
    .filter(({ path }) => /^\/sitemap.*\.xml$/.test(path))
    .map(({ path, artifact, key }) => ({ path, body: renderDocument(artifact, key, largeSite) }));
  expect(parts.map((document) => document.path)).toEqual([
    '/sitemap.xml',
    '/sitemap-1.xml',
    '/sitemap-2.xml',
  ]);
  expect(await findSchemaErrors(parts[0]!.body, 'siteindex.xsd')).toEqual([]);
  expect(addresses(parts[0]!.body)).toEqual([
    `${site.base}/sitemap-1.xml`,
    `${site.base}/sitemap-2.xml`,
  ]);
  expect(addresses(parts[1]!.body)).toHaveLength(50_000);
  expect(await findSchemaErrors(parts[2]!.body, 'sitemap.xsd')).toEqual([]);
});
