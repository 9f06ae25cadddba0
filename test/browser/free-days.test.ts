import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { toDateInTimeZone, addDays } from '../../src/site/calendar/days.ts';
import { isClosedOn } from '../../src/site/calendar/opening-hours.ts';
import { formatPlannedDay } from '../../src/site/words/words.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { computeRentalTotal } from '../../src/site/prices/rental.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { MESSAGE_ANCHOR } from '../../src/components/receipt/anchors.ts';
import { freeDays } from '../../src/text/index.ts';
import { openWatchedPage, type WatchedPage } from './browser-page.ts';
import { readBuiltSite } from './template-pages.ts';

const RECEIPT_PATTERN = /\/receipt\/[A-Za-z0-9_-]{21}$/;

describe.runIf(findProgram('chromium'))('the calendar of available days for a rental', () => {
  const { registry } = readBuiltSite(inject('mainBuild'));
  const { subsite, action } = registry.subsites
    .flatMap((candidate) => candidate.actions.map((verb) => ({ subsite: candidate, action: verb })))
    .find((candidate) => candidate.action.effect?.kind === 'hold')!;
  const effect = action.effect as HoldEffect;
  const item = itemsOf(registry, effect.catalog).at(-1)!;
  const today = toDateInTimeZone(registry.network.timeZone, new Date());
  let running: RunningService;
  let browser: Browser;
  /** Pages with and without scripts that successive tests reuse. */
  let scripted: WatchedPage;
  let plainPage: Page;
  const urlOf = (path: string) => `http://127.0.0.1:${running.port}${path}`;
  const viewport = { width: 320, height: 800 };
  async function openScripted(path: string, size = viewport): Promise<Page> {
    await scripted.page.setViewportSize(size);
    await scripted.page.goto(urlOf(path));
    return scripted.page;
  }
  async function openPlain(path: string): Promise<Page> {
    await plainPage.goto(urlOf(path));
    return plainPage;
  }

  beforeAll(async () => {
    running = await serveBuild(inject('mainBuild'));
    browser = await launchChromium();
    scripted = await openWatchedPage(await browser.newContext({ reducedMotion: 'reduce' }));
    plainPage = await browser.newPage({
      javaScriptEnabled: false,
      reducedMotion: 'reduce',
      viewport,
    });
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  const inputFor = (page: Page, field: string) =>
    page.locator(`#${action.verb}-form [name="fields.${field}"]`);
  const checkItem = (page: Page, { id }: { id: string }) =>
    inputFor(page, effect.itemField)
      .and(page.locator(`[value="${id}"]`))
      .check();
  const textOf = async (page: Page, selector: string) =>
    (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ').replaceAll('\u2060', '');
  const overflowOf = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  /** Chooses days in the calendar, submits the form and compares its total with the receipt. */
  async function chooseDays(page: Page, from: string, to: string): Promise<void> {
    const { price } = computeRentalTotal(effect, item, { from, to })!;
    const phoneInput = page.locator(`#${action.verb}-form [type=tel]`);
    await phoneInput.fill('(727) 555-0142');
    await page.locator(`.free-days [data-day="${from}"]`).click();
    await page.locator(`.free-days [data-day="${from}"][aria-pressed=true]`).waitFor();
    await page.locator(`.free-days [data-day="${to}"]`).click();
    await page.locator(`.free-days [data-day="${to}"][aria-pressed=true]`).waitFor();
    expect(await textOf(page, '.free-days .total')).toContain(price);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect([
      await inputFor(page, effect.fromField).inputValue(),
      await inputFor(page, effect.toField).inputValue(),
    ]).toEqual([from, to]);
    expect(await phoneInput.inputValue()).toBe('(727) 555-0142');
    await page.locator(`#${action.verb}-form button[type=submit]`).click();
    await page.waitForURL(RECEIPT_PATTERN);
    expect(await textOf(page, '.receipt-facts')).toContain(price);
  }

  it('is on the first screens of a phone after the button on the card of an item', async () => {
    const page = await openScripted(subsite.url, { width: 390, height: 844 });
    await page.locator(`.card a[href*="/free-days/${subsite.name}/${item.id}"]`).click();
    const table = page.locator('.free-days table');
    await table.waitFor();
    await expect
      .poll(() => table.evaluate((element) => element.getBoundingClientRect().top / innerHeight))
      .toBeLessThan(0.5);
  });

  it('opens on a separate page without scripts', async () => {
    const page = await openPlain(subsite.url);
    await page.locator('[name="contact.name"]').fill('Dana Reyes');
    const [from, to] = [addDays(today, 7), addDays(today, 8)];
    await inputFor(page, effect.fromField).fill(from);
    await inputFor(page, effect.toField).fill(to);
    await page.locator(`.free-days button[formaction$="/${item.id}#free-days"]`).click();
    expect(await page.locator('[name="contact.name"]').inputValue()).toBe('Dana Reyes');
    expect(await inputFor(page, effect.fromField).inputValue()).toBe(from);
    expect(await inputFor(page, effect.toField).inputValue()).toBe(to);
    await page.locator(`.free-days [data-day="${to}"][aria-pressed=true]`).waitFor();
    await chooseDays(page, addDays(today, 2), addDays(today, 3));
  });

  it('is on the receipt of a hold, without scripts, and drafts a request for other days', async () => {
    const page = await openPlain(`/free-days/${subsite.name}/${item.id}`);
    const [from, to, otherFrom, otherTo] = [17, 18, 20, 21].map((days) => addDays(today, days)) as [
      string,
      string,
      string,
      string,
    ];
    await chooseDays(page, from, to);
    const locateDay = (day: string) => page.locator(`.free-days [data-day="${day}"]`);
    expect(await locateDay(from).isVisible()).toBe(false);
    await page.locator(`details:has(#${MESSAGE_ANCHOR}) > summary`).click();
    expect(await locateDay(from).getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('#text').inputValue()).toBe('');
    const typedText = 'My truck is in the shop.\nSorry about that!';
    await page.locator('#text').fill(typedText);
    await locateDay(from).click();
    await locateDay(otherTo).click();
    // Days chosen again replace the earlier ones.
    await locateDay(otherFrom).click();
    expect(await page.locator('#text').inputValue()).toBe(typedText);
    await page.getByRole('button', { name: freeDays.later }).click();
    await page.getByRole('button', { name: freeDays.earlier }).click();
    await locateDay(otherTo).click();
    expect(new URL(page.url()).search).toBe('');
    const requestText = `Could I have ${formatPlannedDay(otherFrom)} to ${formatPlannedDay(otherTo)} instead?`;
    expect(await page.locator('#text').inputValue()).toBe(`${typedText}\n${requestText}`);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.locator(`#${MESSAGE_ANCHOR} .button`).click();
    expect(await textOf(page, '.receipt-sent')).toContain(requestText);
    expect(await textOf(page, '.receipt-facts')).toContain(formatPlannedDay(from));
  });

  it.each([
    [320, 39],
    [390, 44],
    [820, 44],
    [1440, 44],
  ])(
    'at a width of %i px has days of at least %i px within the form',
    async (width, minimumSize) => {
      const page = await openScripted(`/free-days/${subsite.name}/${item.id}`, {
        width,
        height: 800,
      });
      const sizes = await page.locator('.free-days td > button').evaluateAll((buttons) =>
        buttons.map((button) => {
          const { left, right, width, height } = button.getBoundingClientRect();
          const card = button.closest('.action-form')!.getBoundingClientRect();
          return left > card.left && right < card.right ? Math.min(width, height) : 0;
        }),
      );
      expect(sizes.length).toBeGreaterThan(20);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(minimumSize);
      const margins = await page.locator('.action-form').evaluate((form) => {
        const { left, right } = form.getBoundingClientRect();
        return [left > 0, right < innerWidth];
      });
      expect(margins).toEqual([true, true]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    },
  );

  it('never covers a day with the total, and shows the total when both days are chosen', async () => {
    const page = await openScripted(`/free-days/${subsite.name}/${item.id}`, {
      width: 390,
      height: 520,
    });
    const locateDay = (day: string) => page.locator(`.free-days [data-day="${day}"]`);
    const isCovered = (day: string) =>
      locateDay(day).evaluate((button) => {
        const { left, bottom } = button.getBoundingClientRect();
        return !button.contains(document.elementFromPoint(left + 9, bottom - 9));
      });
    await locateDay(addDays(today, 14)).click();
    await page.locator('.free-days [aria-pressed=true]').waitFor();
    const end = locateDay(addDays(today, 15));
    // The day is directly above the end of the window.
    await end.evaluate((day) => {
      const top = day.getBoundingClientRect().bottom - innerHeight + 2;
      scrollBy({ top, behavior: 'instant' });
    });
    expect(await isCovered(addDays(today, 15))).toBe(false);
    await end.click();
    await page.locator('.free-days [aria-pressed=true]').nth(1).waitFor();
    await expect
      .poll(() =>
        page
          .locator('.free-days .total')
          .evaluate((total) => total.getBoundingClientRect().bottom <= innerHeight),
      )
      .toBe(true);
    expect(await isCovered(addDays(today, 15))).toBe(false);
  });

  it('marks the days on which the provider is closed', async () => {
    const closed = Array.from({ length: effect.furthestDays }, (_, ahead) =>
      addDays(today, ahead + 1),
    ).find((day) => isClosedOn(subsite, day))!;
    const page = await openPlain(`/free-days/${subsite.name}/${item.id}?start=${closed}`);
    const locateDay = (day: string) => page.locator(`.free-days [data-day="${day}"]`);
    const nameOf = (day: string) => page.getByRole('button', { name: formatPlannedDay(day) });
    expect(await nameOf(closed).textContent()).toContain('closed: call');
    expect(await locateDay(closed).innerText()).toContain('closed');
    expect(await nameOf(addDays(closed, 2)).textContent()).not.toContain('closed');
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });

  it('opens inside the form with scripts and shows held days as taken', async () => {
    scripted.takeErrors();
    const page = await openScripted(subsite.url);
    expect(await textOf(page, '.free-days')).toMatch(/^Choose the .*\.$/);
    await checkItem(page, item);
    await page.locator('.free-days table').waitFor();
    const countDayButtons = (day: string) => page.locator(`.free-days [data-day="${day}"]`).count();
    expect(await countDayButtons(addDays(today, 2))).toBe(0);
    await chooseDays(page, addDays(today, 5), addDays(today, 11));
    expect(scripted.takeErrors()).toEqual([]);
  });

  it('removes the messages about missing dates when days are chosen', async () => {
    const page = await openScripted(subsite.url);
    await checkItem(page, item);
    await page.locator('.free-days table').waitFor();
    await page.locator(`#${action.verb}-form button[type=submit]`).click();
    const faults = page.locator(
      [effect.fromField, effect.toField]
        .map((field) => `#${action.verb}-form .field:has([name="fields.${field}"]) .fault`)
        .join(', '),
    );
    await expect.poll(() => faults.count()).toBe(2);
    for (const day of [addDays(today, 24), addDays(today, 25)]) {
      await page.locator(`.free-days [data-day="${day}"]`).click();
      await page.locator(`.free-days [data-day="${day}"][aria-pressed=true]`).waitFor();
    }
    expect(await faults.count()).toBe(0);
  });

  it('names taken days among the errors instead of sending the form', async () => {
    const page = await openScripted(subsite.url);
    await checkItem(page, item);
    await inputFor(page, effect.fromField).fill(addDays(today, 2));
    await inputFor(page, effect.toField).fill(addDays(today, 3));
    await inputFor(page, effect.toField).blur();
    await page.locator('.free-days [data-taken]').waitFor();
    await page.locator(`#${action.verb}-form button[type=submit]`).click();
    const summary = page.locator('.fault-summary');
    await expect.poll(() => summary.innerText()).toContain('some of these days are taken');
    await inputFor(page, effect.fromField).fill(addDays(today, 24));
    await inputFor(page, effect.toField).fill(addDays(today, 25));
    await inputFor(page, effect.toField).blur();
    await page.locator('.free-days .total strong').waitFor();
    expect(await summary.innerText()).not.toContain('taken');
  });

  it('sends the form, not a day, when the person presses Enter', async () => {
    const [from, to] = [addDays(today, 27), addDays(today, 28)];
    const page = await openPlain(`/free-days/${subsite.name}/${item.id}?from=${from}&to=${to}`);
    const phoneInput = page.locator(`#${action.verb}-form [type=tel]`);
    await phoneInput.fill('(727) 555-0142');
    await phoneInput.press('Enter');
    await page.waitForURL(RECEIPT_PATTERN);
  });

  it('names the chosen item on another item’s page', async () => {
    const path = `/free-days/${subsite.name}`;
    const page = await openScripted(`${path}/${item.id}`);
    expect(await textOf(page, 'h1')).toBe(item.title);
    // Only the requirements of the item are listed.
    const conditions = action.bring!.flatMap((entry) => (typeof entry === 'string' ? [] : [entry]));
    const readOwnRequirements = async () => {
      const list = await textOf(page, '.bring');
      return conditions.filter(({ text }) => list.includes(text));
    };
    const ownRequirementsOf = ({ id }: { id: string }) =>
      conditions.filter((entry) => entry.for[effect.itemField]?.includes(id));
    expect(await readOwnRequirements()).toEqual(ownRequirementsOf(item));
    const other = itemsOf(registry, effect.catalog)[0]!;
    await checkItem(page, other);
    await expect.poll(() => textOf(page, 'h1')).toBe(other.title);
    expect(await textOf(page, 'h1 ~ .lede')).toBe(other.summary);
    expect(await readOwnRequirements()).toEqual(ownRequirementsOf(other));
    expect(await page.title()).toContain(other.title);
    expect(new URL(page.url()).pathname).toBe(`${path}/${other.id}`);
  });

  it('says at once that a typed day has passed, or is too late, as the form does', async () => {
    const page = await openScripted(subsite.url);
    await checkItem(page, item);
    const type = async (field: string, day: string) => {
      await inputFor(page, field).fill(day);
      await inputFor(page, field).blur();
    };
    const readTotal = () => textOf(page, '.free-days .total');
    await type(effect.fromField, addDays(today, -3));
    await type(effect.toField, addDays(today, -2));
    await expect
      .poll(readTotal)
      .toMatch(/^That day has passed\. Choose \w+, \w+ \d+, 20\d\d or a later day\.$/);
    await type(effect.fromField, addDays(today, effect.furthestDays + 1));
    await type(effect.toField, '');
    await expect.poll(readTotal).toMatch(/holds can begin at most \d+ days ahead\.$/);
    await type(effect.fromField, addDays(today, 20));
    await type(effect.toField, addDays(today, 20 + effect.longestDays));
    await expect.poll(readTotal).toMatch(/holds can last at most \d+ days\.$/);
    await type(effect.toField, addDays(today, 20));
    await expect.poll(readTotal).toContain('available');
  });

  it('follows the dates typed into the form', async () => {
    const page = await openScripted(subsite.url);
    await checkItem(page, item);
    const [from, to] = [addDays(today, 20), addDays(today, 22)];
    await inputFor(page, effect.fromField).fill(from);
    await inputFor(page, effect.toField).fill(to);
    await inputFor(page, effect.toField).blur();
    await expect
      .poll(() => textOf(page, '.free-days'))
      .toContain(computeRentalTotal(effect, item, { from, to })!.price);
  });
});
