import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readLightBoard, solveLightBoard } from '../../src/site/light-board.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { type WatchedPage, openWatchedPage } from './browser-page.ts';
import { readBuiltSite } from './template-pages.ts';

describe.runIf(findProgram('chromium'))('light puzzles in a browser', () => {
  const { registry } = readBuiltSite(inject('mainBuild'));
  const [name, { items }] = Object.entries(registry.catalogs).find(([, catalog]) =>
    catalog.items.some(readLightBoard),
  )!;
  const { url } = registry.subsites.find((subsite) => subsite.name === name)!;
  let running: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let sharedPage: WatchedPage;
  const urlOf = (path: string) => `http://127.0.0.1:${running.port}${path}`;
  const locateHouse = (page: Page, label: string) =>
    page.locator(`.block [aria-label^="${label},"]`);
  const readStateText = (page: Page) => page.locator('[data-state]').textContent();

  beforeAll(async () => {
    running = await serveBuild(inject('mainBuild'));
    browser = await launchChromium();
    context = await browser.newContext({
      viewport: { width: 320, height: 700 },
      hasTouch: true,
      reducedMotion: 'reduce',
    });
    sharedPage = await openWatchedPage(context);
    await sharedPage.page.goto(urlOf(url));
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  it.each(items.map((item, index) => ({ title: item.title, item, index })))(
    '$title can be solved by tapping the computed solution',
    async ({ item, index }) => {
      const { page, takeErrors } = sharedPage;
      await page.locator('#puzzle-board').selectOption(String(index));
      const board = readLightBoard(item)!;
      const presses = solveLightBoard(board)!;
      await page.locator('.block').scrollIntoViewIfNeeded();
      // Taps by position skip the checks before a tap on an element, which take most of the time.
      const centers = await page.locator('.block button').evaluateAll((buttons) =>
        buttons.map((button) => {
          const { x, y, width, height } = button.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }),
      );
      for (const press of presses) await page.touchscreen.tap(centers[press]!.x, centers[press]!.y);
      await expect.poll(() => readStateText(page)).toContain('the fewest possible');
      expect(await page.locator('.block .is-lit').count()).toBe(0);
      await page.click('[data-do=undo]');
      expect(await readStateText(page)).toMatch(/on after /);
      expect(takeErrors()).toEqual([]);
    },
  );

  it('can be played with the keyboard alone, including hints', async () => {
    const { page } = await openWatchedPage(context);
    await page.goto(urlOf(url));
    await page.locator('#puzzle-board').focus();
    await page.keyboard.press('Tab');
    const readFocusedLabel = () =>
      page.evaluate(() => document.activeElement!.getAttribute('aria-label'));
    expect(await readFocusedLabel()).toMatch(/^A1, light o/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await readFocusedLabel()).toMatch(/^B2, /);
    const focusedBefore = await readFocusedLabel();
    await page.keyboard.press('Space');
    expect(await readFocusedLabel()).not.toBe(focusedBefore);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    expect(await readFocusedLabel()).toMatch(/^E2, /);
    for (
      let attempts = 20;
      attempts > 0 && !(await readStateText(page))!.startsWith('All dark');
      attempts--
    ) {
      await page.click('[data-do=hint]');
      await page.locator('.block .is-hint').press('Enter');
    }
    expect(await readStateText(page)).toContain('All dark');
  });

  it('generate solvable boards that fit a phone 320 px wide', async () => {
    const { page } = await openWatchedPage(context);
    await page.goto(urlOf(url));
    for (let clickCount = 0; clickCount < items.length + 2; clickCount++)
      await page.click('[data-do=next]');
    expect(await readStateText(page)).toMatch(/solved in [1-9]\d* press/);
    const { width, height } = (await locateHouse(page, 'A1').boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThan(32);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  it('show the boards and instructions without scripts', async () => {
    const plainPage = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plainPage.goto(urlOf(url));
    expect(await plainPage.locator('.without-script').isVisible()).toBe(true);
    expect(await plainPage.locator('.block').isVisible()).toBe(false);
    expect(await plainPage.locator('.board-drawing').count()).toBe(items.length);
  });
});
