import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { HoldEffect } from '../../src/registry/action.ts';
import { dayIn, daysAfter } from '../../src/site/days.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { rentalTotal } from '../../src/site/rental.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { watchedPage } from './open.ts';
import { builtSite } from './template-pages.ts';

const RECEIPT = /\/receipt\/[A-Za-z0-9_-]{21}$/;

describe.runIf(findProgram('chromium'))('the free days of a rental', () => {
  const { registry } = builtSite(inject('mainBuild'));
  const { subsite, action } = registry.subsites
    .flatMap((one) => one.actions.map((verb) => ({ subsite: one, action: verb })))
    .find((one) => one.action.effect?.kind === 'hold')!;
  const effect = action.effect as HoldEffect;
  const item = itemsOf(registry, effect.catalog).at(-1)!;
  const today = dayIn(registry.network.timeZone, new Date());
  let running: Running;
  let browser: Browser;
  const at = (path: string) => `http://127.0.0.1:${running.port}${path}`;
  const viewport = { width: 320, height: 800 };

  beforeAll(async () => {
    running = await serveBuild(inject('mainBuild'));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  const input = (page: Page, field: string) =>
    page.locator(`#${action.verb}-form [name="fields.${field}"]`);
  const text = async (page: Page, selector: string) =>
    (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ');
  const overflow = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  /**
   * Chooses days of the calendar, sends the form, and compares the total with that of the receipt.
   */
  async function choose(page: Page, from: string, to: string): Promise<void> {
    const { price } = rentalTotal(effect, item, { from, to })!;
    await page.locator(`.free-days [data-day="${from}"]`).click();
    await page.locator(`.free-days [data-day="${from}"][aria-pressed=true]`).waitFor();
    await page.locator(`.free-days [data-day="${to}"]`).click();
    await page.locator(`.free-days [data-day="${to}"][aria-pressed=true]`).waitFor();
    expect(await text(page, '.free-days .total')).toContain(price);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect([
      await input(page, effect.fromField).inputValue(),
      await input(page, effect.toField).inputValue(),
    ]).toEqual([from, to]);
    await page.locator(`#${action.verb}-form [type=tel]`).fill('(727) 555-0142');
    await page.locator(`#${action.verb}-form button[type=submit]`).click();
    await page.waitForURL(RECEIPT);
    expect(await text(page, '.receipt-facts')).toContain(price);
  }

  it('are chosen on a page of their own without a script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport });
    const page = await context.newPage();
    await page.goto(at(subsite.url));
    await page.locator(`.free-days a[href$="/${item.id}"]`).click();
    await choose(page, daysAfter(today, 2), daysAfter(today, 3));
    await context.close();
  });

  it('are chosen in the form with a script, which shows the days that somebody holds as taken', async () => {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    const { page, complaints } = await watchedPage(context);
    await page.goto(at(subsite.url));
    await input(page, effect.itemField)
      .and(page.locator(`[value="${item.id}"]`))
      .check();
    await page.locator('.free-days table').waitFor();
    const isTaken = (day: string) => page.locator(`.free-days [data-day="${day}"]`).count();
    expect(await isTaken(daysAfter(today, 2))).toBe(0);
    await choose(page, daysAfter(today, 5), daysAfter(today, 11));
    expect(complaints()).toEqual([]);
    await context.close();
  });

  it('follow what is typed into the form', async () => {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(at(subsite.url));
    await input(page, effect.itemField)
      .and(page.locator(`[value="${item.id}"]`))
      .check();
    const [from, to] = [daysAfter(today, 20), daysAfter(today, 22)];
    await input(page, effect.fromField).fill(from);
    await input(page, effect.toField).fill(to);
    await input(page, effect.toField).blur();
    await expect
      .poll(() => text(page, '.free-days'))
      .toContain(rentalTotal(effect, item, { from, to })!.price);
    await context.close();
  });
});
