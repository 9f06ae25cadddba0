import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { openWatchedPage } from './browser-page.ts';

const LEAD_COUNT = 3;

describe.runIf(findProgram('chromium'))('the inbox with a keyboard', () => {
  let running: RunningService;
  let browser: Browser;
  const urlOf = (path: string) => `http://127.0.0.1:${running.port}${path}`;

  beforeAll(async () => {
    running = await serveBuild(inject('fourBuild'));
    browser = await launchChromium();
    const source = running.context.site.registry.subsites[0]!.leadSource;
    for (let number = 1; number <= LEAD_COUNT; number++)
      await running.ask('/api/email-capture', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `p${number}@example.com`, source }),
      });
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  async function signIn(context: BrowserContext) {
    const { key } = await createKey(
      { name: 'Front desk', scopes: ['inbox'], expiresAt: null },
      running.context,
    );
    const { page, takeErrors } = await openWatchedPage(context);
    await page.goto(urlOf('/inbox'));
    // The sign-in form is served with status 401, which the browser logs as an error.
    expect(takeErrors()).toEqual([expect.stringContaining('401')]);
    await page.fill('#key', key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.inbox-head');
    return { page, takeErrors };
  }
  const readLeadHrefs = (page: Page) =>
    page.locator('.inbox-leads a').evaluateAll((links) => links.map((a) => a.getAttribute('href')));
  /** URL of the focused link, or ID of the focused field. */
  const readFocusTarget = (page: Page) =>
    page.evaluate(() => document.activeElement!.getAttribute('href') ?? document.activeElement!.id);

  it('moves, opens, searches and lists its shortcuts by key, and ignores keys typed into a field', async () => {
    const context = await browser.newContext();
    const { page, takeErrors } = await signIn(context);
    const { keyboard } = page;
    const leads = await readLeadHrefs(page);
    expect(leads.length).toBeGreaterThanOrEqual(LEAD_COUNT);
    const focusedElements: string[] = [];
    for (const key of ['j', 'j', 'k', 'k', 'j']) {
      await keyboard.press(key);
      focusedElements.push(await readFocusTarget(page));
    }
    expect(focusedElements).toEqual([0, 1, 0, 0, 1].map((index) => leads[index]));
    // Combinations with a modifier belong to the browser.
    await keyboard.press('Control+j');
    expect(await readFocusTarget(page)).toBe(leads[1]);

    await keyboard.press('/');
    expect(await readFocusTarget(page)).toBe('find');
    await keyboard.type('j/k?u');
    expect(await page.inputValue('#find')).toBe('j/k?u');
    expect(await readFocusTarget(page)).toBe('find');
    await page.locator('#find').blur();

    const shortcuts = page.locator('.inbox-keys dl');
    expect(await page.locator('.inbox-keys summary').isVisible()).toBe(true);
    expect(await shortcuts.isVisible()).toBe(false);
    await keyboard.press('?');
    expect(await shortcuts.isVisible()).toBe(true);
    expect(await shortcuts.locator('kbd').allTextContents()).toEqual(['j', 'k', 'Enter', '/', '?']);

    await keyboard.press('j');
    await keyboard.press('Enter');
    await page.waitForURL(urlOf(leads[0]!));
    await keyboard.press('u');
    await page.waitForURL(urlOf('/inbox'));

    // Shortcuts stay off on every page until they are turned on again.
    await page.locator('.inbox-keys summary').click();
    await page.locator('.inbox-keys input').uncheck();
    await page.reload();
    await keyboard.press('j');
    expect(leads).not.toContain(await readFocusTarget(page));
    await page.locator('.inbox-keys summary').click();
    await page.locator('.inbox-keys input').check();
    await page.reload();
    await keyboard.press('j');
    expect(await readFocusTarget(page)).toBe(leads[0]);
    expect(takeErrors()).toEqual([]);
    await context.close();
  });

  it('focuses the reason for a refused key, and the search field after a search without results', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 400 } });
    const page = await context.newPage();
    await page.goto(urlOf('/inbox'));
    await page.fill('#key', 'fk_unknown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.fault-summary:focus');
    await page.close();
    const inbox = await signIn(context);
    await inbox.page.fill('#find', 'nobody@example.com');
    await inbox.page.keyboard.press('Enter');
    await inbox.page.waitForSelector('#find-fault');
    expect(await readFocusTarget(inbox.page)).toBe('find');
    await context.close();
  });

  it('shows the answer beside the request on a wide screen, and keeps its text while the provider is notified again', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const { page } = await signIn(context);
    await page.locator('.inbox-leads a').first().click();
    const [facts, form] = await Promise.all(
      ['.inbox-facts', '.answer-form'].map((part) => page.locator(part).boundingBox()),
    );
    expect(form!.x).toBeGreaterThan(facts!.x + facts!.width);
    expect(form!.y).toBe(facts!.y);
    await page.fill('#note', 'Not sent yet.');
    await page.locator('[name=task][value=redeliver]').click();
    await page.waitForLoadState();
    expect(await page.locator('#note').inputValue()).toBe('Not sent yet.');
    await context.close();
  });

  it('prints its requests without controls', async () => {
    const context = await browser.newContext();
    const { page } = await signIn(context);
    const [lead] = await readLeadHrefs(page);
    for (const path of ['/inbox', lead!]) {
      await page.goto(urlOf(path));
      const controls = page.locator('main :is(input, select, textarea, button, .button, summary)');
      expect(await controls.count()).toBeGreaterThan(0);
      await page.emulateMedia({ media: 'print' });
      expect([path, await controls.filter({ visible: true }).count()]).toEqual([path, 0]);
      expect(await page.locator('main h1').isVisible()).toBe(true);
      await page.emulateMedia({ media: 'screen' });
    }
    await context.close();
  });

  it('works without scripts, and then does not mention shortcuts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await signIn(context);
    expect(await page.locator('.inbox-keys').isVisible()).toBe(false);
    const [first] = await readLeadHrefs(page);
    await page.locator('.inbox-leads a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(urlOf(first!));
    await context.close();
  });
});
