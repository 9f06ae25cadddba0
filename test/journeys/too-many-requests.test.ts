import { sql } from 'drizzle-orm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { listSiteActions } from '../../src/leads/submit/submit-action.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { submitExample } from '../server/submit-example.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';

const NOTE = 'Please call after 5 p.m.\nThe gate is open.';
const RETRY_TIME_PATTERN = /again after \w+, \w+\s\d+,\s\d{4} at (?:\d+(?::\d\d)?\s[ap]m|noon)/;

describe.runIf(findProgram('chromium'))('a person over the rate limit', () => {
  const outDir = inject('mainBuild');
  const site = readBuiltSite(outDir);
  /** Field types that this test can fill in. */
  const supportedTypes = ['string', 'zip', 'date'];
  const { subsite, action } = listSiteActions(site.registry).find(
    ({ action: { effect, fields } }) =>
      !effect &&
      fields['notes'] &&
      !fields['phone'] &&
      Object.values(fields).every(
        ({ required, type, item, content }) =>
          !required || (supportedTypes.includes(type) && !item && !content),
      ),
  )!;
  let running: RunningService;
  let browser: Browser;
  const urlOf = (path: string) => `http://127.0.0.1:${running.port}${path}`;
  let visitorCount = 0;

  beforeAll(async () => {
    running = await serveBuild(outDir, 1, undefined, { rateLimitReads: 0, rateLimitWrites: 1 });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  const createForwardedHeaders = (address: string) => ({ 'x-forwarded-for': address });
  const addressOf = (visitor: number) => `192.0.2.${visitor}`;

  /** Submits a lead from an address, which uses up its write limit. Returns the receipt token. */
  async function submitLead(address: string): Promise<string> {
    const headers = createForwardedHeaders(address);
    return (await submitExample(running, { subsite, action }, { headers })).receiptToken;
  }

  async function readAnswerPath(lead: string): Promise<string> {
    const [{ id }] = (await running.context.database.writer.all(
      sql`select id from outbox where lead = ${lead} and kind = 'lead.created'`,
    )) as [{ id: string }];
    const links = (await readLeadEvent(id, running.context))!.links as Record<string, string>;
    return new URL(Object.values(links)[0]!).pathname;
  }

  /**
   * Submits the form of the page twice, first over the limit and then from another address. Returns
   * the resulting path.
   */
  async function sendTwice(page: Page, form: string, noteSelector: string): Promise<string> {
    const send = async () => {
      const pendingResponse = page.waitForResponse(
        (response) => response.request().method() === 'POST',
      );
      await page.locator(`${form} button[type=submit]`).click();
      const response = await pendingResponse;
      await page.waitForLoadState();
      return response;
    };
    const refused = await send();
    expect(refused.status()).toBe(429);
    expect(Number(refused.headers()['retry-after'])).toBeGreaterThan(0);
    expect(await page.locator('.fault-summary').first().innerText()).toMatch(RETRY_TIME_PATTERN);
    expect(await page.locator(noteSelector).inputValue()).toBe(NOTE);
    await page.context().setExtraHTTPHeaders(createForwardedHeaders(addressOf(++visitorCount)));
    expect((await send()).status()).toBe(303);
    return new URL(page.url()).pathname;
  }

  describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
    async function openPage(path: string): Promise<Page> {
      const context = await browser.newContext({
        javaScriptEnabled,
        extraHTTPHeaders: createForwardedHeaders(addressOf(visitorCount)),
      });
      const page = await context.newPage();
      await page.goto(urlOf(path));
      return page;
    }

    it('sees when to resend a request, and keeps the entered values', async () => {
      await submitLead(addressOf(++visitorCount));
      const page = await openPage(subsite.url);
      const form = `#${action.verb}-form`;
      for (const [name, { required, example }] of Object.entries(action.fields))
        if (required) await page.locator(`${form} [name="fields.${name}"]`).fill(example!);
      await page.locator(`${form} [name="fields.notes"]`).fill(NOTE);
      await page.locator(`${form} [name="contact.phone"]`).fill('(727) 555-0142');
      expect(await sendTwice(page, form, `${form} [name="fields.notes"]`)).toMatch(
        /^\/receipt\/[A-Za-z0-9_-]{21}$/,
      );
      await page.context().close();
    });

    it('sees when to resend an answer, and keeps the note', async () => {
      const link = await readAnswerPath(await submitLead(addressOf(++visitorCount)));
      const page = await openPage(link);
      await page.locator('#note').fill(NOTE);
      expect(await sendTwice(page, '.answer-form', '#note')).toBe(link);
      expect(await page.locator('main').innerText()).toContain('was saved');
      await page.context().close();
    });
  });
});
