import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { leads } from '../../db/schema.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { exampleValuesOf, type Field, kindOf } from '../../src/fields/fields.ts';
import { serviceDetailsOf } from '../../src/search/services.ts';
import { createOutOfAreaNotice } from '../../src/site/words/service-area.ts';
import { fieldInstructions } from '../../src/text/index.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { findSubsite, isSoldOrPast, itemFieldOf } from '../../src/site/registry.ts';
import { readFocusedFieldVisibility, openFrame, showInPlace } from '../browser/browser-page.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { formatHeadlinePriceLine } from '../../src/site/words/record-words.ts';
import { addDays } from '../../src/site/calendar/days.ts';
import { describePublishing } from '../../src/text/storefront-words.ts';

/** A phone, without and with its on-screen keyboard. */
const PHONE_VIEWPORT = { width: 390, height: 844 };
const KEYBOARD_VIEWPORT = { width: 390, height: 400 };
const DESKTOP_VIEWPORT = { width: 1440, height: 900 };
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

/** Window widths from the narrowest phone to a desktop, one per need. */
const WIDTHS = [320, 390, 820, 1440];

/** What people need, and the page that offers it. */
const needs = {
  'find a trailer for Saturday': '/trailer',
  'AC broken at night': '/hvac',
  "sell grandmother's furniture": '/estate',
  'start a storefront': '/sales',
};

const RECEIPT_PATTERN = /\/receipt\/[A-Za-z0-9_-]{21}$/;

/**
 * What a page shows about its service, and how many form inputs are misaligned; runs in the page.
 */
function inspectServicePage() {
  const selectAll = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const textOfElement = (element: HTMLElement) => element.innerText.replaceAll(/\s+/g, ' ').trim();
  const fields = selectAll('.columns > .field').flatMap((field) => {
    const label = field.querySelector(':scope > label')?.getBoundingClientRect();
    const input = field.querySelector(':scope > input, :scope > select')?.getBoundingClientRect();
    return label && input ? [{ grid: field.parentElement, label, input }] : [];
  });
  return {
    summary: selectAll('.glance').map(textOfElement).join(' '),
    smallPrint: Object.fromEntries(
      selectAll('form').map((form) => [
        form.id,
        [...form.querySelectorAll<HTMLElement>('.small-print')].map(textOfElement).join(' '),
      ]),
    ),
    /** Number of inputs that are higher or lower than another input in their row. */
    misalignedCount: fields.filter((field) =>
      fields.some(
        (other) =>
          other.grid === field.grid &&
          other.label.top < field.input.bottom &&
          field.label.top < other.input.bottom &&
          Math.abs(other.input.top - field.input.top) > 1,
      ),
    ).length,
    values: selectAll('.attributes dd, .card-facts, .tag, .choice, option').map(
      ({ innerText }) => innerText,
    ),
  };
}

/** A day that no other test here holds. */
const DAY = '2031-05-06';

describe.runIf(findProgram('chromium'))('a person', () => {
  const outDir = inject('mainBuild');
  const site = readBuiltSite(outDir);
  let running: RunningService;
  let browser: Browser;
  const urlOf = (path: string) => `http://127.0.0.1:${running.port}${path}`;

  beforeAll(async () => {
    running = await serveBuild(outDir);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  /** Pages by their options, which visits share: opening a page costs more than most visits. */
  const pages = new Map<string, Promise<Page>>();

  /** Runs an action on the page with these options. */
  async function withPage<Result>(
    { viewport = DEFAULT_VIEWPORT, ...options }: BrowserContextOptions,
    interact: (page: Page) => Promise<Result>,
  ): Promise<Result> {
    const key = JSON.stringify(options);
    if (!pages.has(key))
      pages.set(key, browser.newPage({ reducedMotion: 'reduce', viewport, ...options }));
    const page = await pages.get(key)!;
    await page.setViewportSize(viewport!);
    return interact(page);
  }

  const textOf = async (page: Page, selector: string) =>
    (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ').trim();

  it.each([KEYBOARD_VIEWPORT, DESKTOP_VIEWPORT])(
    'sees the first search result at %o without scrolling, and again after Back',
    (viewport) =>
      withPage({ viewport }, async (page) => {
        await page.goto(urlOf('/'));
        await page.fill('#q', 'trailer');
        const first = page.locator('#results a').first();
        const isFirstResultInView = async () => {
          const box = (await first.boundingBox())!;
          return box.y >= 0 && box.y + box.height <= viewport.height;
        };
        await first.waitFor();
        await expect.poll(isFirstResultInView).toBe(true);
        const title = await first.innerText();
        await first.click();
        await page.waitForURL((url) => url.pathname !== '/');
        await page.goBack();
        expect(new URL(page.url()).searchParams.get('q')).toBe('trailer');
        await first.waitFor();
        expect(await page.inputValue('#q')).toBe('trailer');
        expect(await first.innerText()).toBe(title);
        await expect.poll(isFirstResultInView).toBe(true);
      }),
  );

  const searches = Object.entries(needs).map(([need, path], index) => ({
    need,
    path,
    width: WIDTHS[index]!,
  }));
  it.each(searches)(
    'finds $path by “$need” without scripts in a window $width px wide, and can read it at every width',
    ({ need, path, width }) =>
      withPage({ viewport: { width, height: 844 }, javaScriptEnabled: false }, async (page) => {
        await page.goto(urlOf('/about'));
        await page.click('.to-search');
        await page.fill('#q', need);
        await page.press('#q', 'Enter');
        await page.waitForURL((url) => url.pathname === '/find');
        const first = page.locator('#results li').first();
        const firstLink = first.locator('.found');
        expect(await firstLink.getAttribute('href')).toBe(path);
        const { phone, price } = serviceDetailsOf(findSubsite(site.registry, path.slice(1))!);
        for (const other of [...WIDTHS, width]) {
          await page.setViewportSize({ width: other, height: 844 });
          const text = (await first.innerText()).replaceAll('\u00a0', ' ');
          for (const fact of [phone, price]) expect(text, `${other} px`).toContain(fact ?? '');
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth),
            `${other} px`,
          ).toBeLessThanOrEqual(other);
        }
        await firstLink.click();
        await page.waitForURL((url) => url.pathname === path);
      }),
  );

  it('opens the results of a search by URL', () =>
    withPage({ viewport: PHONE_VIEWPORT }, async (page) => {
      await page.goto(urlOf('/?q=trailer'));
      await page.locator('#results a').first().waitFor();
      expect(await page.inputValue('#q')).toBe('trailer');
    }));

  const inquiries = site.registry.subsites.flatMap((subsite) =>
    subsite.actions.flatMap((action) => {
      const field = itemFieldOf(action);
      const item = site.registry.catalogs[subsite.name]?.items.find(
        (candidate) => !isSoldOrPast(candidate),
      );
      return field && item ? [{ subsite, action, field, item }] : [];
    }),
  );

  it.each(inquiries)(
    'asks about an item on its page without choosing it again',
    ({ subsite, action, field, item }) =>
      withPage({ viewport: PHONE_VIEWPORT, javaScriptEnabled: false }, async (page) => {
        await page.goto(urlOf(`${subsite.url}/${item.id}`));
        const form = page.locator(`#${action.verb}-form`);
        expect(await form.locator('label, legend').allInnerTexts()).not.toContain('Item');
        await form.locator('textarea').fill('Does it come with its box?');
        await form.locator('[type=email]').fill('dana@example.com');
        await form.locator('button[type=submit]').click();
        await page.waitForURL(RECEIPT_PATTERN);
        const rows = await running.context.database.reader.select().from(leads);
        expect(rows.at(-1)!.fields).toMatchObject({ [field]: item.id });
      }),
  );

  it.each(inquiries)('chooses an item by name on the service page', (inquiry) =>
    withPage({ viewport: PHONE_VIEWPORT }, async (page) => {
      await page.goto(urlOf(inquiry.subsite.url));
      const names = await page
        .locator(`#${inquiry.action.verb}-form select option`)
        .allInnerTexts();
      expect(names).toContain(inquiry.item.title);
    }),
  );

  const findZipFields = (fields: Record<string, Field>) =>
    Object.keys(fields).filter((name) => kindOf(fields[name]!).isZipCode);
  const localAction = site.registry.subsites
    .flatMap((subsite) => subsite.actions.map((action) => ({ subsite, action })))
    .find(
      ({ subsite, action }) => subsite.serviceZips && findZipFields(action.fields).length === 1,
    )!;

  it.each([true, false])(
    'outside the service area sees a notice and can still send a request, with scripts: %s',
    (javaScriptEnabled) =>
      withPage({ viewport: PHONE_VIEWPORT, javaScriptEnabled }, async (page) => {
        const { subsite, action } = localAction;
        const notice = createOutOfAreaNotice(subsite);
        await page.goto(urlOf(subsite.url));
        const form = page.locator(`#${action.verb}-form`);
        const [zipField] = findZipFields(action.fields);
        for (const [name, value] of Object.entries(exampleValuesOf(action.fields))) {
          const input = form.locator(`[name="fields.${name}"]`).first();
          const type = await input.getAttribute('type');
          if (type === 'hidden') continue;
          if (type === 'radio')
            await form.locator(`[name="fields.${name}"][value="${String(value)}"]`).check();
          else if (await input.evaluate(({ tagName }) => tagName === 'SELECT'))
            await input.selectOption(String(value));
          else await input.fill(name === zipField ? '90210' : String(value));
        }
        if (javaScriptEnabled) {
          expect(await textOf(page, `#${action.verb}-form .outside`)).toBe(notice);
          const zip = form.locator(`[name="fields.${zipField}"]`);
          await zip.fill(subsite.serviceZips![0]!.padEnd(5, '0'));
          expect(await form.locator('.outside').innerText()).toBe('');
          await zip.fill('90210');
        }
        await form.locator('[type=tel]').fill('(727) 555-0142');
        await form.locator('button[type=submit]').click();
        await page.waitForURL(RECEIPT_PATTERN);
        const receipt = await page.locator('main').innerText();
        expect(receipt.replaceAll('\u00a0', ' ')).toContain(notice);
        // Only the tab that sent the ZIP code shows it.
        expect(await (await page.request.get(page.url())).text()).not.toContain('90210');
      }),
  );

  it('who made a preview page reads on the receipt who publishes it, and what it then costs', () =>
    withPage({ viewport: PHONE_VIEWPORT }, async (page) => {
      const { subsite, action } = site.registry.subsites
        .flatMap((owner) => owner.actions.map((one) => ({ subsite: owner, action: one })))
        .find((one) => one.action.effect?.kind === 'storefront')!;
      const data = {
        subsite: subsite.name,
        action: action.verb,
        fields: exampleValuesOf(action.fields),
      };
      const answer = await page.request.post(urlOf('/api/lead/action'), { data });
      const { receiptToken } = (await answer.json()) as { receiptToken: string };
      await page.goto(urlOf(`/receipt/${receiptToken}`));
      const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
      const { name } = site.registry.network.organization;
      for (const step of describePublishing(name, formatHeadlinePriceLine(subsite)))
        expect(text).toContain(step);
      // Only its owner, who comes from the receipt, is linked back there.
      await page.getByRole('link', { name: 'Open the preview' }).click();
      await page.getByRole('link', { name: 'Back to your request' }).click();
      await page.waitForURL(urlOf(`/receipt/${receiptToken}`));
      await page.goBack();
      const previewUrl = page.url();
      await page.goto('about:blank');
      await page.goto(previewUrl);
      expect(await page.getByRole('link', { name: 'Back to your request' }).isVisible()).toBe(
        false,
      );
      await page.request.post(urlOf(`/api/lead/${receiptToken}/messages`), {
        data: { withdraw: true },
      });
      await page.goto(urlOf(`/receipt/${receiptToken}`));
      expect(await page.locator('.lede').innerText()).toContain('Your web page was taken down.');
    }));

  const holdAction = site.registry.subsites
    .flatMap((subsite) => subsite.actions.map((action) => ({ subsite, action })))
    .find(({ action }) => action.effect?.kind === 'hold')!;

  it.each([true, false])(
    'without a phone number or email address gets an error at the field, with scripts: %s',
    (javaScriptEnabled) =>
      withPage({ viewport: KEYBOARD_VIEWPORT, javaScriptEnabled }, async (page) => {
        await page.goto(urlOf(holdAction.subsite.url));
        const form = page.locator(`#${holdAction.action.verb}-form`);
        expect(await form.innerText()).not.toMatch(/know where it is/);
        await form.locator('[type=radio]').first().check();
        // The script rejects a day beyond the limit of the hold, which the server does not have here.
        const day = javaScriptEnabled ? addDays(new Date().toISOString().slice(0, 10), 60) : DAY;
        for (const date of await form.locator('[type=date]').all()) await date.fill(day);
        await form.locator('button[type=submit]').click();
        const fault = page.locator(`#${holdAction.action.verb}-form .field .fault`);
        await fault.waitFor();
        expect((await fault.innerText()).trim()).toBe(fieldInstructions.contact);
        // Autofocus is applied when the page is rendered, which can be after it was loaded.
        await expect
          .poll(() => readFocusedFieldVisibility(page))
          .toEqual({
            at: `${holdAction.action.verb}-form-contact-phone`,
            label: true,
            fault: true,
            input: true,
          });
        await form.locator('[type=tel]').fill('(727) 555-0142');
        await form.locator('button[type=submit]').click();
        await page.waitForURL(RECEIPT_PATTERN);
        if (javaScriptEnabled) return;
        expect(await textOf(page, 'h1')).toMatch(/^Your .* is held, but not booked yet$/);
        expect(await textOf(page, '.receipt-extra p')).toMatch(
          /^We are holding this for you until \w+, \w+ \d+ at .* E[SD]T: .*Tuesday, May 6, 2031\. It is booked once .* confirms\. If that has not happened by then, the hold ends and nothing is booked\.$/,
        );
        const token = new URL(page.url()).pathname.split('/').at(-1)!;
        await changeLead(
          { receiptToken: token, to: 'confirmed', actor: 'operator' },
          running.context,
        );
        await page.reload();
        const text = await page.locator('main').innerText();
        expect(text).toMatch(/confirmed this request/);
        expect(text).not.toMatch(/not a confirmed booking|message to you/i);
      }),
  );

  describe('on any service or item page', () => {
    const listedPages = pagesOfSite(site).filter(
      ({ kind }) => kind === 'item' || kind === 'subsite',
    );
    const inspections = new Map<string, ReturnType<typeof inspectServicePage>>();
    beforeAll(() =>
      withPage({ bypassCSP: true }, async (page) => {
        await page.goto(urlOf('/'));
        const frame = await openFrame(page, DESKTOP_VIEWPORT);
        for (const { path } of listedPages) {
          await frame.evaluate(showInPlace, path);
          inspections.set(path, await frame.evaluate(inspectServicePage));
        }
      }),
    );
    const subsitesWithActions = site.registry.subsites.filter(({ actions }) => actions.length > 0);

    it('reads the same response time at the top and at the form', () => {
      for (const { url, name, actions } of subsitesWithActions) {
        const { summary, smallPrint } = inspections.get(url)!;
        for (const { verb, title, effect, purpose } of actions) {
          if (effect?.kind === 'import') continue;
          if (purpose === 'subscription') {
            // Nobody has to answer a subscription.
            expect(summary + smallPrint[`${verb}-form`]).not.toMatch(/within \d/);
            continue;
          }
          const promise = /We answer (within [\w.]+ \w+)/.exec(smallPrint[`${verb}-form`]!)![1]!;
          const expected = summary.includes(`${title}: `) ? `${title}: ${promise}` : promise;
          // A style sheet capitalizes the beginning of an entry.
          expect(summary.toLowerCase(), name).toContain(expected.toLowerCase());
        }
      }
    });

    it('sees the inputs of each row aligned', () => {
      expect(
        subsitesWithActions.filter(({ url }) => inspections.get(url)!.misalignedCount > 0),
      ).toEqual([]);
    });

    it('sees no codes among displayed values', () => {
      const codes = [...inspections].flatMap(([path, { values }]) =>
        values
          .filter((text) => /[a-z]_[a-z]|\d{4}-\d{2}-\d{2}|\b\d{2}:\d{2}$/.test(text))
          .map((text) => `${path}: ${text}`),
      );
      expect(codes).toEqual([]);
    });
  });
});
