import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { houseName, lightBoard, solve } from '../../src/site/light-board.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { type Watched, watchedPage } from './open.ts';
import { builtSite } from './template-pages.ts';

describe.runIf(findProgram('chromium'))('boards of lights in a browser', () => {
  const { registry } = builtSite(inject('mainBuild'));
  const [name, { items }] = Object.entries(registry.catalogs).find(([, catalog]) =>
    catalog.items.some(lightBoard),
  )!;
  const { url } = registry.subsites.find((subsite) => subsite.name === name)!;
  let running: Running;
  let browser: Browser;
  let context: BrowserContext;
  let played: Watched;
  const at = (path: string) => `http://127.0.0.1:${running.port}${path}`;
  const house = (page: Page, label: string) => page.locator(`.block [aria-label^="${label},"]`);
  const state = (page: Page) => page.locator('[data-state]').textContent();

  beforeAll(async () => {
    running = await serveBuild(inject('mainBuild'));
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 320, height: 700 }, hasTouch: true });
    played = await watchedPage(context);
    await played.page.goto(at(url));
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  it.each(items.map((item, index) => ({ title: item.title, item, index })))(
    '$title goes dark by the presses that solve it',
    async ({ item, index }) => {
      const { page, complaints } = played;
      await page.locator('#puzzle-board').selectOption(String(index));
      const board = lightBoard(item)!;
      const presses = solve(board)!;
      for (const press of presses) await house(page, houseName(board, press)).tap();
      expect(await state(page)).toContain('the fewest possible');
      expect(await page.locator('.block .is-lit').count()).toBe(0);
      await page.click('[data-do=undo]');
      expect(await state(page)).toMatch(/on after /);
      expect(complaints()).toEqual([]);
    },
  );

  it('is played with the keyboard alone, hints included', async () => {
    const { page } = await watchedPage(context);
    await page.goto(at(url));
    await page.locator('#puzzle-board').focus();
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate(() => document.activeElement!.getAttribute('aria-label'));
    expect(await focused()).toMatch(/^A1, light o/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^B2, /);
    const before = await focused();
    await page.keyboard.press('Space');
    expect(await focused()).not.toBe(before);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^E2, /);
    for (let left = 20; left > 0 && !(await state(page))!.startsWith('All dark'); left--) {
      await page.click('[data-do=hint]');
      await page.locator('.block .is-hint').press('Enter');
    }
    expect(await state(page)).toContain('All dark');
  });

  it('makes boards that can be solved, and fits a phone of 320 pixels', async () => {
    const { page } = await watchedPage(context);
    await page.goto(at(url));
    for (let next = 0; next < items.length + 2; next++) await page.click('[data-do=next]');
    expect(await state(page)).toMatch(/solved in [1-9]\d* press/);
    const { width, height } = (await house(page, 'A1').boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThan(32);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  it('says what to do without a script, and shows the boards', async () => {
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(at(url));
    expect(await plain.locator('.without-script').isVisible()).toBe(true);
    expect(await plain.locator('.block').isVisible()).toBe(false);
    expect(await plain.locator('.board-drawing').count()).toBe(items.length);
  });
});
