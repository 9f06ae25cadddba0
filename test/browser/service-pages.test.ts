import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type ItemFilter, createItemFilters } from '../../src/components/items/item-filters.ts';
import { createPriceTable } from '../../src/components/subsite/price-table.ts';
import { answersEmergencyCalls } from '../../src/site/emergency.ts';
import { isSoldOrPast, itemFieldOf, itemPath } from '../../src/site/registry.ts';
import { addNonBreakingSpaces } from '../../src/site/words/non-breaking-spaces.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { openFrame, showInPlace } from './browser-page.ts';
import { readBuiltSite } from './template-pages.ts';

const PHONE_VIEWPORT = { width: 390, height: 844 };
/** Two screens, plus a line for differences between fonts. */
const TWO_SCREENS_HEIGHT = 2 * PHONE_VIEWPORT.height + 40;

/** Contents of the top of a service page; runs in the page. */
function inspectServicePage() {
  const selectAll = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const bottomOf = (element: HTMLElement) => {
    const { height, bottom } = element.getBoundingClientRect();
    return height > 0 ? bottom : null;
  };
  const primaryButtons = selectAll('.subsite-head .calls .button:not(.quiet)').map((button) =>
    button.getAttribute('href')!,
  );
  return {
    formTop: selectAll('.action-form')[0]?.getBoundingClientRect().top ?? 0,
    calls: selectAll('.subsite-head a[href^="tel:"]').map(({ textContent }) => textContent),
    primaryButtons: primaryButtons.map((href) => ({
      barButtonBottoms: selectAll(`.reach-bar a[href="${href}"]`).map(bottomOf),
      targets: selectAll(href.startsWith('#') ? href : 'main').length,
    })),
    priceRows: selectAll('.prices tbody tr').length,
    scriptsBesideSections: selectAll('.hours + script, .band + script:has(+ *)').length,
    emptyLines: selectAll('.card-facts:empty').filter(({ offsetParent }) => offsetParent).length,
  };
}

describe.runIf(findProgram('chromium'))('a service page on a phone', () => {
  const { registry } = readBuiltSite(inject('mainBuild'));
  let running: RunningService;
  let browser: Browser;
  let page: Page;
  /** A page without scripts, and a page whose time each test sets. */
  let plainPage: Page;
  let clockPage: Page;
  const urlOf = (path: string) => `http://127.0.0.1:${running.port}${path}`;
  const hasItemPages = (name: string) =>
    registry.catalogs[name]?.route !== undefined &&
    registry.subsites.find((candidate) => candidate.name === name)!.actions.some(itemFieldOf);

  const inspections = new Map<string, ReturnType<typeof inspectServicePage>>();
  beforeAll(async () => {
    running = await serveBuild(inject('mainBuild'));
    browser = await launchChromium();
    page = await browser.newPage({
      viewport: PHONE_VIEWPORT,
      reducedMotion: 'reduce',
      bypassCSP: true,
    });
    plainPage = await browser.newPage({ viewport: PHONE_VIEWPORT, javaScriptEnabled: false });
    clockPage = await browser.newPage({ viewport: PHONE_VIEWPORT });
    await page.goto(urlOf('/'));
    const frame = await openFrame(page, PHONE_VIEWPORT);
    for (const { name, url } of registry.subsites) {
      await frame.evaluate(showInPlace, url);
      inspections.set(name, await frame.evaluate(inspectServicePage));
    }
  });
  beforeEach(() => page.setViewportSize(PHONE_VIEWPORT));
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  it('starts its first form within two screens, unless people browse its items first', () => {
    const pagesWithLateForm = [...inspections].filter(
      ([name, { formTop }]) =>
        !hasItemPages(name) &&
        registry.catalogs[name]?.schemaType !== 'Article' &&
        formTop > TWO_SCREENS_HEIGHT,
    );
    expect(pagesWithLateForm).toEqual([]);
  });

  it('has nothing that separates sections or lines without being visible', () => {
    for (const [name, { scriptsBesideSections, emptyLines }] of inspections)
      expect({ scriptsBesideSections, emptyLines }, name).toEqual({
        scriptsBesideSections: 0,
        emptyLines: 0,
      });
  });

  it('has a phone link in its header, and at most one primary action, which stays within reach', () => {
    for (const { name, phone } of registry.subsites) {
      const { calls, primaryButtons } = inspections.get(name)!;
      expect(calls, name).toEqual(
        phone ? [expect.stringContaining(addNonBreakingSpaces(phone))] : [],
      );
      expect(primaryButtons.length, name).toBeLessThanOrEqual(1);
      for (const { barButtonBottoms, targets } of primaryButtons) {
        expect(barButtonBottoms, name).toEqual([expect.any(Number)]);
        expect(barButtonBottoms[0], name).toBeLessThanOrEqual(PHONE_VIEWPORT.height);
        expect(targets, name).toBe(1);
      }
    }
  });

  it.each(
    Object.entries(registry.catalogs).filter(([, each]) => createItemFilters(each).length > 0),
  )(
    '%s filters its list by availability, kind and price, without scripts',
    async (name, catalog) => {
      await plainPage.goto(urlOf(registry.subsites.find((each) => each.name === name)!.url));
      const filters = createItemFilters(catalog);
      expect(filters.map(({ label }) => label)).toEqual(
        expect.arrayContaining(['Available', expect.stringMatching(/^Up to \$\d+$/)]),
      );
      const all: Record<ItemFilter['group'], Pick<ItemFilter, 'label' | 'includes'>> = {
        status: { label: 'Any availability', includes: () => true },
        kind: { label: 'Everything', includes: () => true },
        price: { label: 'Any price', includes: () => true },
      };
      const first = (name: ItemFilter['group']) => filters.find(({ group }) => group === name)!;
      const firstFilters = { kind: first('kind'), price: first('price') };
      for (const choice of [
        ...filters.map((filter) => ({ [filter.group]: filter })),
        firstFilters,
        { ...firstFilters, status: first('status') },
      ]) {
        const chosen = Object.values({ ...all, ...choice });
        for (const { label } of chosen) await plainPage.getByLabel(label, { exact: true }).check();
        const shown = await plainPage.locator('.items .card h3:visible').allInnerTexts();
        expect(
          shown.map((title) => title.replaceAll('\u00a0', ' ').replaceAll('\u2060', '')).toSorted(),
        ).toEqual(
          catalog.items
            .filter((item) => chosen.every(({ includes }) => includes(item)))
            .map(({ title }) => title)
            .toSorted(),
        );
      }
    },
  );

  it('keeps the space between a word and the phone number in its links', async () => {
    await page.goto(urlOf('/hvac'));
    const links = await page
      .locator('a[href^="tel:"]', { hasText: /\(\d/ })
      .evaluateAll((all) => all.map((link) => (link as HTMLElement).innerText.trim()));
    expect(links.filter((text) => /^Call/.test(text)).length).toBeGreaterThan(0);
    for (const text of links) expect(text).toMatch(/^(?:.*[ \u00a0])?\(\d{3}\)[^\n]*$/);
  });

  it('keeps the link to the services in its header at 320 px, on one row', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(urlOf(registry.subsites[0]!.url));
    const header = page.locator('.site-header');
    expect(await header.locator('a[href="/#services"]').isVisible()).toBe(true);
    expect((await header.boundingBox())!.height).toBeLessThan(80);
  });

  it('keeps its bottom bar with the phone number on one line at 320 px', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    const shop = registry.subsites.find(
      ({ name, phone, actions }) => phone && actions.some(itemFieldOf) && hasItemPages(name),
    )!;
    const catalog = registry.catalogs[shop.name]!;
    const available = catalog.items.find((item) => !isSoldOrPast(item))!;
    for (const path of [shop.url, itemPath(catalog, available)!]) {
      await page.goto(urlOf(path));
      const heights = await page
        .locator('.reach-bar .button')
        .evaluateAll((buttons) => buttons.map((button) => button.clientHeight));
      expect(heights.length, path).toBe(2);
      expect(Math.max(...heights), path).toBeLessThan(50);
    }
  });

  it('lets its bottom bar cover at most a fifth of the screen, with large text too', async () => {
    const { url } = registry.subsites.find(({ actions, phone }) => phone && actions.length > 0)!;
    const { width, height } = PHONE_VIEWPORT;
    await page.goto(urlOf(url));
    for (const viewport of [
      PHONE_VIEWPORT,
      { width: height, height: width },
      { width: 667, height: 375 },
    ])
      for (const textSize of ['100%', '200%']) {
        await page.setViewportSize(viewport);
        const coveredShare = await page.locator('.reach-bar').evaluate((bar, fontSize) => {
          document.documentElement.style.fontSize = fontSize;
          bar.classList.remove('is-away');
          const { top, height: barHeight } = bar.getBoundingClientRect();
          return Math.min(barHeight, Math.max(0, innerHeight - top)) / innerHeight;
        }, textSize);
        expect(coveredShare, `${viewport.width}, ${textSize}`).toBeLessThanOrEqual(0.2);
      }
  });

  it('fits its tables on a phone with text of twice the size', async () => {
    const urls = registry.subsites.flatMap(({ intro, url }) =>
      /^\|/m.test(intro ?? '') ? url : [],
    );
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) {
      await page.goto(urlOf(url));
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      const hiddenWidths = await page
        .locator('.wide')
        .evaluateAll((frames) => frames.map((frame) => frame.scrollWidth - frame.clientWidth));
      expect(Math.max(...hiddenWidths), url).toBeLessThanOrEqual(0);
    }
  });

  it('hides its bottom bar while its buttons or a form are in view', async () => {
    const { url } = registry.subsites.find(
      (candidate) => candidate.actions.length > 0 && candidate.guide?.length,
    )!;
    await page.goto(urlOf(url));
    const bar = page.locator('.reach-bar');
    await expect.poll(() => bar.isVisible()).toBe(false);
    for (const [selector, isBarVisible] of [
      ['.action-form', false],
      ['.guide', true],
      ['.subsite-head', false],
    ] as const) {
      await page.locator(selector).evaluate((part) => part.scrollIntoView({ block: 'start' }));
      await expect.poll(() => bar.isVisible(), { message: selector }).toBe(isBarVisible);
    }
    await plainPage.goto(urlOf(url));
    expect((await plainPage.locator('.reach-bar').boundingBox())!.y).toBeGreaterThan(
      PHONE_VIEWPORT.height,
    );
  });

  it('lists each price once: with its item, or in the price table', () => {
    for (const subsite of registry.subsites)
      expect(inspections.get(subsite.name)!.priceRows, subsite.name).toBe(
        createPriceTable(subsite, registry)?.lines.length ?? 0,
      );
  });

  it('shows a table of hours and, with scripts, whether the service is open now', async () => {
    const { url, hours } = registry.subsites.find((candidate) => candidate.hours)!;
    expect(hours).toBeDefined();
    await page.goto(urlOf(url));
    expect(await page.locator('.open-now').textContent()).toMatch(
      /^(?:Open now|Closed now|Closed today( \(.+\))?), /,
    );
    expect(await page.locator('.hours tbody tr').count()).toBeGreaterThan(0);
    await plainPage.goto(urlOf(url));
    expect(await plainPage.locator('.hours tbody').innerText()).toMatch(/\d+\s[ap]m to \d+\s[ap]m/);
    expect(await plainPage.locator('.open-now').isVisible()).toBe(false);
  });

  it('says on the eve and on the day that the service is closed on Thanksgiving', async () => {
    const { url } = registry.subsites.find(({ hours, afterHours }) => hours && !afterHours)!;
    const readPage = async (time: string) => {
      await clockPage.clock.setFixedTime(new Date(time));
      await clockPage.goto(urlOf(url));
      const texts = [
        await clockPage.locator('.open-now').textContent(),
        await clockPage.locator('.closed-soon').innerText(),
      ];
      return texts.map((text) => text!.replaceAll('\u00a0', ' '));
    };
    expect(await readPage('2026-11-25T12:00:00-05:00')).toEqual([
      expect.stringMatching(/^Open now, /),
      'Closed on Thursday, November 26 (Thanksgiving).',
    ]);
    expect(await readPage('2026-11-26T12:00:00-05:00')).toEqual([
      expect.stringMatching(/^Closed today \(Thanksgiving\), opens tomorrow at /),
      'Closed on Thursday, November 26 (Thanksgiving).',
    ]);
    await clockPage.clock.setFixedTime(new Date('2026-11-27T12:00:00-05:00'));
    await clockPage.goto(urlOf(url));
    expect(await clockPage.locator('.closed-soon').isVisible()).toBe(false);
    await plainPage.goto(urlOf(url));
    expect(await plainPage.locator('.hours').innerText()).toContain('(Thanksgiving)');
    expect(await plainPage.locator('.closed-soon').isVisible()).toBe(false);
  });

  it('makes the call primary while only a call is answered, without shifting the page', async () => {
    const { url, phone } = registry.subsites.find(answersEmergencyCalls)!;
    const readButtons = async (time: string) => {
      await clockPage.clock.setFixedTime(new Date(time));
      await clockPage.goto(urlOf(url));
      // The font may arrive after the load event, and changes the widths.
      await clockPage.evaluate(() => document.fonts.ready.then(() => undefined));
      return clockPage.locator('.calls .button, .reach-bar .button').evaluateAll((buttons) =>
        buttons.map((button) => ({
          isCall: button.getAttribute('href')!.startsWith('tel:'),
          isPrimary: !button.classList.contains('quiet'),
          place: JSON.stringify(button.getBoundingClientRect()),
        })),
      );
    };
    const open = await readButtons('2026-11-30T12:00:00-05:00');
    const closed = await readButtons('2026-11-26T12:00:00-05:00');
    expect(phone).toBeDefined();
    expect(open.length).toBe(4);
    expect(open.map(({ isPrimary }) => isPrimary)).toEqual(open.map(({ isCall }) => !isCall));
    expect(closed.map(({ isPrimary }) => isPrimary)).toEqual(closed.map(({ isCall }) => isCall));
    expect(closed.filter(({ isCall }) => !isCall).map(({ place }) => place)).toEqual(
      open.filter(({ isCall }) => !isCall).map(({ place }) => place),
    );
    await plainPage.goto(urlOf(url));
    expect(await plainPage.locator('.calls .button:not(.quiet)').getAttribute('href')).toMatch(
      /^tel:/,
    );
  });

  it('drops the link to its items from the bottom bar while they are in view', async () => {
    const { url } = registry.subsites.find(({ name }) => hasItemPages(name))!;
    await page.goto(urlOf(url));
    const link = page.locator('.reach-bar a[href^="#"]');
    await page
      .locator('.items .card')
      .nth(3)
      .evaluate((card) => card.scrollIntoView({ block: 'start' }));
    // The bar appears after the scroll, and until then neither of its links is visible.
    await expect.poll(() => page.locator('.reach-bar a[href^="tel:"]').isVisible()).toBe(true);
    await expect.poll(() => link.isVisible()).toBe(false);
  });

  it('hides its bottom bar while what its only link leads to is in view', async () => {
    const { url } = registry.subsites.find(
      ({ phone, actions }) => !phone && actions.some(({ effect }) => effect?.kind === 'storefront'),
    )!;
    await page.goto(urlOf(url));
    const bar = page.locator('.reach-bar');
    const link = bar.locator('a');
    expect(await link.count()).toBe(1);
    const id = (await link.getAttribute('href'))!.slice(1);
    /** Scrolls until the section starts this far below the top of the bar. */
    const scrollTo = (distance: number) =>
      page.evaluate(
        ([section, below]) => {
          const { top } = document
            .getElementById(section)!
            .closest('section')!
            .getBoundingClientRect();
          scrollBy(0, top - innerHeight - below);
        },
        [id, distance] as const,
      );
    await scrollTo(20);
    await expect.poll(() => bar.isVisible()).toBe(true);
    await scrollTo(-20);
    await expect.poll(() => link.isHidden()).toBe(true);
    expect(await bar.isVisible()).toBe(false);
  });

  it('lists other prices after the items with the main ones', async () => {
    const { url } = registry.subsites.find((each) => createPriceTable(each, registry)?.isAddition)!;
    await page.goto(urlOf(url));
    const topOf = async (selector: string) => (await page.locator(selector).boundingBox())!.y;
    expect(await topOf('.prices')).toBeGreaterThan(await topOf('.items'));
  });

  it('shows the wear of a used item and whether its shop is closed before its measurements', async () => {
    const { name } = registry.subsites.find((candidate) => hasItemPages(candidate.name))!;
    const catalog = registry.catalogs[name]!;
    const usedItem = catalog.items.find(
      (item) => item.attributes?.['condition'] !== undefined && !isSoldOrPast(item),
    )!;
    await clockPage.clock.setFixedTime(new Date('2026-11-26T12:00:00-05:00'));
    await clockPage.goto(urlOf(itemPath(catalog, usedItem)!));
    const panelText = (await clockPage.locator('.item-body > .panel').innerText()).replaceAll(
      '\u00a0',
      ' ',
    );
    expect(await clockPage.locator('.card-facts .badge').innerText()).toBe('Available');
    expect(await clockPage.locator('.card-facts').getByText('No photo yet').count()).toBe(
      usedItem.image ? 0 : 1,
    );
    expect(panelText).toContain('Closed today (Thanksgiving), opens');
    expect(panelText).toContain(usedItem.body!.split(/[.\n]/)[0]!);
    const labels = await clockPage
      .locator('.item-body > div:not(.panel) .attributes dt')
      .allInnerTexts();
    expect(labels.length).toBeGreaterThan(0);
    expect(labels.filter((label) => panelText.includes(label))).toEqual([]);
    expect(await clockPage.locator('.item-body > div .attributes').isVisible()).toBe(true);
  });

  it('asks about the chosen item on the item’s page', async () => {
    const { name } = registry.subsites.find((candidate) => hasItemPages(candidate.name))!;
    const catalog = registry.catalogs[name]!;
    await page.goto(urlOf(itemPath(catalog, catalog.items[0]!)!));
    await page.click(`.page-head .button`);
    expect(await page.textContent('.page-head .button')).toContain(`this ${catalog.noun}`);
    const form = page.locator('form.lead-form');
    expect(await form.locator('button[type=submit]').innerText()).toBe(
      await page.locator('.page-head .button').first().innerText(),
    );
    expect(await form.locator('select').count()).toBe(0);
    expect(await form.locator(`input[type=hidden][value="${catalog.items[0]!.id}"]`).count()).toBe(
      1,
    );
  });
});
