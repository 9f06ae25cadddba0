import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pricesBesideItems } from '../../src/site/prices.ts';
import { itemFieldOf, itemPath } from '../../src/site/registry.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { openFrame, showInPlace } from './open.ts';
import { builtSite } from './template-pages.ts';

const PHONE = { width: 390, height: 844 };
/** Within two screens, give or take a line of another font. */
const SECOND_SCREEN = 2 * PHONE.height + 40;

/** What the page of a service shows in the first place; runs in the page. */
function servicePage() {
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const bottomOf = (element: HTMLElement) => {
    const { height, bottom } = element.getBoundingClientRect();
    return height > 0 ? bottom : null;
  };
  const primary = all('.subsite-head .calls .button:not(.quiet)').map((button) =>
    button.getAttribute('href')!,
  );
  return {
    formTop: all('.action-form')[0]?.getBoundingClientRect().top ?? 0,
    calls: all('.subsite-head a[href^="tel:"]').map(({ textContent }) => textContent),
    primary: primary.map((href) => ({
      inReach: all(`.reach-bar a[href="${href}"]`).map(bottomOf),
      targets: all(href.startsWith('#') ? href : 'main').length,
    })),
    priceRows: all('.prices tbody tr').length,
  };
}

describe.runIf(findProgram('chromium'))('the page of a service on a phone', () => {
  const { registry } = builtSite(inject('mainBuild'));
  let running: Running;
  let browser: Browser;
  let page: Page;
  const at = (path: string) => `http://127.0.0.1:${running.port}${path}`;
  const isBrowsed = (name: string) =>
    registry.catalogs[name]?.route !== undefined &&
    registry.subsites.find((one) => one.name === name)!.actions.some(itemFieldOf);

  const shown = new Map<string, ReturnType<typeof servicePage>>();
  beforeAll(async () => {
    running = await serveBuild(inject('mainBuild'));
    browser = await launchChromium();
    page = await browser.newPage({ viewport: PHONE, reducedMotion: 'reduce', bypassCSP: true });
    await page.goto(at('/'));
    const frame = await openFrame(page, PHONE);
    for (const { name, url } of registry.subsites) {
      await frame.evaluate(showInPlace, url);
      shown.set(name, await frame.evaluate(servicePage));
    }
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  it('begins its first form within two screens, unless its items are what one looks at first', () => {
    const late = [...shown].filter(
      ([name, { formTop }]) => !isBrowsed(name) && formTop > SECOND_SCREEN,
    );
    expect(late).toEqual([]);
  });

  it('has its telephone in the head, and one primary action that stays in reach', () => {
    for (const { name, phone } of registry.subsites) {
      const { calls, primary } = shown.get(name)!;
      expect(calls, name).toEqual(phone ? [expect.stringContaining(phone)] : []);
      expect(primary.length, name).toBeLessThanOrEqual(1);
      for (const { inReach, targets } of primary) {
        expect(inReach, name).toEqual([expect.any(Number)]);
        expect(inReach[0], name).toBeLessThanOrEqual(PHONE.height);
        expect(targets, name).toBe(1);
      }
    }
  });

  it('takes its bar away while its buttons or a form are on the screen', async () => {
    const { url } = registry.subsites.find((one) => one.actions.length > 0 && one.guide?.length)!;
    await page.goto(at(url));
    const bar = page.locator('.reach-bar');
    await expect.poll(() => bar.isVisible()).toBe(false);
    for (const [place, isSeen] of [
      ['.action-form', false],
      ['.guide', true],
      ['.subsite-head', false],
    ] as const) {
      await page.locator(place).evaluate((part) => part.scrollIntoView({ block: 'start' }));
      await expect.poll(() => bar.isVisible(), { message: place }).toBe(isSeen);
    }
    const plain = await (
      await browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
    ).newPage();
    await plain.goto(at(url));
    expect((await plain.locator('.reach-bar').boundingBox())!.y).toBeGreaterThan(PHONE.height);
  });

  it('says each price once in its own list: beside an item, or in the table of prices', () => {
    for (const subsite of registry.subsites)
      expect(shown.get(subsite.name)!.priceRows, subsite.name).toBe(
        pricesBesideItems(subsite, registry.catalogs[subsite.name]?.items ?? []).length,
      );
  });

  it('shows hours as a table, and whether it is open where there is a script', async () => {
    const { url, hours } = registry.subsites.find((one) => one.hours)!;
    expect(hours).toBeDefined();
    await page.goto(at(url));
    expect(await page.locator('.open-now').textContent()).toMatch(/^(?:Open|Closed) now, /);
    expect(await page.locator('.hours tbody tr').count()).toBeGreaterThan(0);
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(at(url));
    expect(await plain.locator('.hours tbody').innerText()).toMatch(/\d+ [ap]m to \d+ [ap]m/);
    expect(await plain.locator('.open-now').isVisible()).toBe(false);
  });

  it('asks about its item on the page of an item', async () => {
    const { name } = registry.subsites.find((one) => isBrowsed(one.name))!;
    const catalog = registry.catalogs[name]!;
    await page.goto(at(itemPath(catalog, catalog.items[0]!)!));
    await page.click(`.panel .button`);
    expect(await page.textContent('.panel .button')).toContain(`this ${catalog.noun}`);
    const form = page.locator('form.lead-form');
    expect(await form.locator('select').count()).toBe(0);
    expect(await form.locator(`input[type=hidden][value="${catalog.items[0]!.id}"]`).count()).toBe(
      1,
    );
  });
});
