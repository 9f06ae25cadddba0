import { HtmlValidate } from 'html-validate';
import { describe, expect, inject, it } from 'vitest';
import { hasEmergencies } from '../../src/site/emergency.ts';
import { childPagesOf, isSoldOrPast, itemPath, lacksPicture } from '../../src/site/registry.ts';
import { pictures, servicePage } from '../../src/text/index.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { gradeOf, MAX_GRADE, wordsIn } from '../setup/reading-grade.ts';
import { readBuiltHtml } from './built-html.ts';

const validator = new HtmlValidate({ extends: ['html-validate:standard'] });

const findMeta = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]+)"`).exec(html)?.[1];
const findLink = (html: string, rel: string) =>
  new RegExp(`<link rel="${rel}"[^>]* href="([^"]+)"`).exec(html)?.[1];

/** Minimum number of words for a meaningful reading level. */
const MIN_WORDS = 40;

/** Text of the paragraphs for people in a part of a page. */
const findParagraphs = (html: string): string[] =>
  [
    ...html
      .replaceAll(/<(script|pre|details|svg)\b[\s\S]*?<\/\1>/g, '')
      .matchAll(/<p\b[^>]*>([\s\S]*?)<\/p>/g),
  ].map(([, content]) =>
    content!
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

describe.each(['mainBuild', 'fourBuild'] as const)('the HTML of %s', (build) => {
  const outDir = inject(build);
  const site = readBuiltSite(outDir);
  const pages = readBuiltHtml(outDir);
  const htmlByPath = new Map(pages.map(({ path, html }) => [path, html]));
  const listedPages = pagesOfSite(site);

  it('has a file for every page on the list', () => {
    expect(listedPages.filter(({ path }) => !htmlByPath.has(path)).map(({ path }) => path)).toEqual(
      [],
    );
  });

  it.each(pages)('is valid at $path', async ({ html }) => {
    const { results } = await validator.validateString(html);
    expect(
      results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
      ),
    ).toEqual([]);
  });

  // A component’s slot drops the line breaks between a value and the element after it.
  it('has a space before the remark after a label or a price', () => {
    const attachedTexts = pages.flatMap(({ path, html }) =>
      [...html.matchAll(/[^\s>](?:<small>|<span class="optional">)\S/g)].map(
        ({ index }) => `${path}: ${html.slice(index - 20, index + 40)}`,
      ),
    );
    expect(attachedTexts).toEqual([]);
  });

  it('has a space between two sentences of a paragraph', () => {
    const attachedSentences = pages.flatMap(({ path, html }) =>
      findParagraphs(html.replaceAll(/<code\b[\s\S]*?<\/code>|<br[^>]*>/g, ' '))
        .flatMap((text) => text.match(/\S*[a-z)][.!?][A-Z][a-z]\S*/g) ?? [])
        .map((words) => `${path}: ${words}`),
    );
    expect(attachedSentences).toEqual([]);
  });

  it('writes amounts with dollar signs on every page for people', () => {
    const pagesWithCurrency = listedPages.filter(({ kind, path }) => {
      if (!['front', 'subsite', 'item', 'page'].includes(kind)) return false;
      const [, main] = /<main[^>]*>([\s\S]*)<\/main>/.exec(htmlByPath.get(path)!)!;
      return /\d\sUSD\b/.test(
        main!.replaceAll(/<(script|pre|details)\b[\s\S]*?<\/\1>|<[^>]+>/g, ''),
      );
    });
    expect(pagesWithCurrency.map(({ path }) => path)).toEqual([]);
  });

  it('has no long paragraph for people above the maximum reading level', () => {
    const difficultParagraphs = listedPages.flatMap(({ kind, path }) => {
      const isForConsumers =
        ['front', 'subsite', 'item', 'page'].includes(kind) &&
        !path.startsWith(site.registry.network.agentArea);
      if (!isForConsumers) return [];
      const [, main] = /<main[^>]*>([\s\S]*)<\/main>/.exec(htmlByPath.get(path)!)!;
      return findParagraphs(main!)
        .filter((text) => wordsIn(text).length >= MIN_WORDS && gradeOf(text) > MAX_GRADE)
        .map((text) => `${path}: grade ${gradeOf(text).toFixed(1)}: ${text}`);
    });
    expect(difficultParagraphs).toEqual([]);
  });

  it('has one title, one description, and its own address on each page', () => {
    for (const { path, indexable } of listedPages) {
      const html = htmlByPath.get(path)!;
      expect(html.match(/<title>/g), path).toHaveLength(1);
      expect(html.match(/<h1[ >]/g), path).toHaveLength(1);
      expect(findMeta(html, 'description'), path).toBeTruthy();
      expect(findMeta(html, 'og:title'), path).toBeTruthy();
      if (indexable) expect(findLink(html, 'canonical'), path).toBe(`${site.base}${path}`);
      else expect(findMeta(html, 'robots'), path).toBe('noindex');
    }
  });

  it('has a unique title on each page', () => {
    const titles = pages.map(({ html }) => /<title>(.*?)<\/title>/s.exec(html)![1]!);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('lists each page below a service once on the service’s page', () => {
    const repeated = site.registry.subsites.flatMap((subsite) => {
      const listed = [...htmlByPath.get(subsite.url)!.matchAll(/<li>\s*<a href="([^"]+)"/g)].map(
        ([, href]) => href,
      );
      return childPagesOf(site.registry, subsite)
        .map(({ path }) => path)
        .filter((path) => listed.filter((href) => href === path).length !== 1);
    });
    expect(repeated).toEqual([]);
  });

  it('explains once, at the top of a service page, what is answered after hours', () => {
    for (const { url, hours, availability, afterHours } of site.registry.subsites) {
      if (!hours || !availability || !afterHours) continue;
      const [glance = ''] = /<dl class="glance">[\s\S]*?<\/dl>/.exec(htmlByPath.get(url)!) ?? [];
      expect(glance.split(afterHours).length - 1, url).toBe(1);
    }
  });

  it('says at the top of a service page that emergencies are answered at the same number', () => {
    for (const subsite of site.registry.subsites) {
      const { url, hours, availability, afterHours, phone } = subsite;
      if (!hours || !availability || !phone) continue;
      const [glance = ''] = /<dl class="glance">[\s\S]*?<\/dl>/.exec(htmlByPath.get(url)!) ?? [];
      expect(glance.includes(servicePage.sameNumber), url).toBe(
        afterHours !== undefined && hasEmergencies(subsite),
      );
    }
  });

  it('counts only the items that are not sold or past', () => {
    for (const { name, url } of site.registry.subsites) {
      const [glance = ''] = /<dl class="glance">[\s\S]*?<\/dl>/.exec(htmlByPath.get(url)!) ?? [];
      const [, count] = /#tag"[\s\S]*?<dd>\s*(\d+) /.exec(glance) ?? [];
      const items = site.registry.catalogs[name]?.items ?? [];
      const availableItems = items.filter((item) => !isSoldOrPast(item));
      if (count !== undefined && glance.includes(servicePage.listed))
        expect([url, Number(count)]).toEqual([url, availableItems.length]);
    }
  });

  it('says on the page of each used item without a photograph that there is none, and in its list once or on its card', () => {
    for (const { name, url } of site.registry.subsites) {
      const catalog = site.registry.catalogs[name];
      const items = catalog?.items.filter(lacksPicture) ?? [];
      const isSaidOnce = items.length > 1 && !catalog!.items.some(({ image }) => image);
      expect([name, htmlByPath.get(url)!.split(pictures.noneInList).length - 1]).toEqual([
        name,
        Number(isSaidOnce),
      ]);
      for (const item of items) {
        const path = itemPath(catalog!, item);
        const card = htmlByPath
          .get(url)!
          .split('<li class="card"')
          .find((html) => html.includes(path === undefined ? `id="${item.id}"` : `href="${path}"`));
        expect([item.id, card!.includes(pictures.none)]).toEqual([item.id, !isSaidOnce]);
        if (path) expect(htmlByPath.get(path), path).toContain(pictures.none);
      }
    }
  });

  it('shows the hint for a field with checkboxes', () => {
    for (const { url, actions } of site.registry.subsites)
      for (const { fields } of actions)
        for (const { content, hint } of Object.values(fields))
          if (content?.kind === 'codes' && hint !== undefined)
            expect(htmlByPath.get(url)!.replaceAll('\u00a0', ' '), url).toContain(hint);
  });

  it('shows no API values', () => {
    for (const { path, html } of pages)
      expect(
        html
          .replace(/<(code|pre|script)\b[\s\S]*?<\/\1>/g, '')
          .match(/>\s*(?:true|false|undefined|null|NaN|\[object \w+\])\s*</g) ?? [],
        path,
      ).toEqual([]);
  });

  it('has no inline script or style', () => {
    for (const { path, html } of pages) {
      expect(
        html.match(/<script(?![^>]*(?:\bsrc=|application\/ld\+json))[^>]*>/g) ?? [],
        path,
      ).toEqual([]);
      expect(html.match(/\sstyle="|<style|\son[a-z]+="/g) ?? [], path).toEqual([]);
    }
  });
});
