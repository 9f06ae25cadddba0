import { expect, it } from 'vitest';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { createDocumentTitle } from '../../src/site/words/document-title.ts';
import { sites } from '../operations/setup/fixture.ts';

const { site } = sites[0]!;
const titles = pagesOfSite(site).flatMap((page) => {
  const title =
    page.kind === 'subsite' || page.kind === 'item'
      ? createDocumentTitle(page, site.registry)
      : undefined;
  return title === undefined ? [] : [{ page, title }];
});

it('the title of a service page says what it offers and where', () => {
  const titlesWithAddress = titles.filter(
    ({ page }) => page.kind === 'subsite' && page.subsite.address !== undefined,
  );
  expect(titlesWithAddress.length).toBeGreaterThan(1);
  for (const { page, title } of titlesWithAddress) {
    if (page.kind !== 'subsite') continue;
    const { title: name, keywords = [], address } = page.subsite;
    const offeredService = keywords[0]!.replace(/^./, (letter) => letter.toUpperCase());
    expect(title).toBe(`${name} · ${offeredService} in ${address!.town}`);
  }
});

it('titles keep the name of the page, differ and fit into a search result', () => {
  expect(titles.length).toBeGreaterThan(50);
  for (const { page, title } of titles) {
    expect(title.startsWith(`${page.title} · `)).toBe(true);
    expect(title.length).toBeLessThanOrEqual(60);
  }
  expect(new Set(titles.map(({ title }) => title)).size).toBe(titles.length);
});
