import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { watchedPage } from './open.ts';

const LEADS = 3;

describe.runIf(findProgram('chromium'))('the inbox by keyboard', () => {
  let running: Running;
  let browser: Browser;
  const at = (path: string) => `http://127.0.0.1:${running.port}${path}`;

  beforeAll(async () => {
    running = await serveBuild(inject('fourBuild'));
    browser = await launchChromium();
    const source = running.context.site.registry.subsites[0]!.leadSource;
    for (let number = 1; number <= LEADS; number++)
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
    const { page, complaints } = await watchedPage(context);
    await page.goto(at('/inbox'));
    // The sign-in form comes with 401, of which a browser complains.
    expect(complaints()).toEqual([expect.stringContaining('401')]);
    await page.fill('#key', key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.inbox-head');
    return { page, complaints };
  }
  const leadsOf = (page: Page) =>
    page.locator('.inbox-leads a').evaluateAll((links) => links.map((a) => a.getAttribute('href')));
  /** Address of the link, or id of the field, that has the focus. */
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement!.getAttribute('href') ?? document.activeElement!.id);

  it('moves, opens, finds and says how, and leaves typing alone', async () => {
    const context = await browser.newContext();
    const { page, complaints } = await signIn(context);
    const { keyboard } = page;
    const leads = await leadsOf(page);
    expect(leads.length).toBeGreaterThanOrEqual(LEADS);
    const after: string[] = [];
    for (const key of ['j', 'j', 'k', 'k', 'j']) {
      await keyboard.press(key);
      after.push(await focused(page));
    }
    expect(after).toEqual([0, 1, 0, 0, 1].map((index) => leads[index]));
    // With another key held down they are the browser’s.
    await keyboard.press('Control+j');
    expect(await focused(page)).toBe(leads[1]);

    await keyboard.press('/');
    expect(await focused(page)).toBe('find');
    await keyboard.type('j/k?u');
    expect(await page.inputValue('#find')).toBe('j/k?u');
    expect(await focused(page)).toBe('find');
    await page.locator('#find').blur();

    const list = page.locator('.inbox-keys dl');
    expect(await page.locator('.inbox-keys summary').isVisible()).toBe(true);
    expect(await list.isVisible()).toBe(false);
    await keyboard.press('?');
    expect(await list.isVisible()).toBe(true);
    expect(await list.locator('kbd').allTextContents()).toEqual(['j', 'k', 'Enter', '/', '?']);

    await keyboard.press('j');
    await keyboard.press('Enter');
    await page.waitForURL(at(leads[0]!));
    await keyboard.press('u');
    await page.waitForURL(at('/inbox'));

    // Off, they stay off on every page until they are turned on again.
    await page.locator('.inbox-keys summary').click();
    await page.locator('.inbox-keys input').uncheck();
    await page.reload();
    await keyboard.press('j');
    expect(leads).not.toContain(await focused(page));
    await page.locator('.inbox-keys summary').click();
    await page.locator('.inbox-keys input').check();
    await page.reload();
    await keyboard.press('j');
    expect(await focused(page)).toBe(leads[0]);
    expect(complaints()).toEqual([]);
    await context.close();
  });

  it('needs no script, and then promises no keys', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await signIn(context);
    expect(await page.locator('.inbox-keys').isVisible()).toBe(false);
    const [first] = await leadsOf(page);
    await page.locator('.inbox-leads a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(at(first!));
    await context.close();
  });
});
