import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { problemCodes } from '../../src/operation/problem.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { exampleValues, type Field, kindOf } from '../../src/fields/fields.ts';
import { factsOf } from '../../src/search/services.ts';
import { outsideNotice } from '../../src/site/words/service-area.ts';
import { CONTACT_NEEDED } from '../../src/site/forms/contact-rule.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { findSubsite, isOver, itemFieldOf } from '../../src/site/registry.ts';
import { focusedFieldVisibility, openFrame, showInPlace } from '../browser/browser-page.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';

/** A phone, and the same phone with its keyboard up. */
const PHONE = { width: 390, height: 844 };
const WITH_KEYBOARD = { width: 390, height: 400 };
const DESKTOP = { width: 1440, height: 900 };

/** Windows from the narrowest phone to a desktop, one for each of the needs. */
const WIDTHS = [320, 390, 820, 1440];

/** What people come for, and the page that serves it. */
const needs = {
  'find a trailer for Saturday': '/trailer',
  'AC broken at night': '/hvac',
  "sell grandmother's furniture": '/estate',
  'start a storefront': '/sales',
};

const RECEIPT = /\/receipt\/[A-Za-z0-9_-]{21}$/;

/** What a page says of its service, and how even the rows of its forms are; runs in the page. */
function wordsAndRows() {
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const text = (element: HTMLElement) => element.innerText.replaceAll(/\s+/g, ' ').trim();
  const fields = all('.columns > .field').flatMap((field) => {
    const label = field.querySelector(':scope > label')?.getBoundingClientRect();
    const input = field.querySelector(':scope > input, :scope > select')?.getBoundingClientRect();
    return label && input ? [{ grid: field.parentElement, label, input }] : [];
  });
  return {
    above: all('.glance').map(text).join(' '),
    promises: Object.fromEntries(
      all('form').map((form) => [
        form.id,
        [...form.querySelectorAll<HTMLElement>('.small-print')].map(text).join(' '),
      ]),
    ),
    /** How many inputs are in a row with another one and higher or lower than it. */
    uneven: fields.filter((one) =>
      fields.some(
        (other) =>
          other.grid === one.grid &&
          other.label.top < one.input.bottom &&
          one.label.top < other.input.bottom &&
          Math.abs(other.input.top - one.input.top) > 1,
      ),
    ).length,
    values: all('.attributes dd, .card-facts, .tag, .choice, option').map(
      ({ innerText }) => innerText,
    ),
  };
}

describe.runIf(findProgram('chromium'))('a person', () => {
  const outDir = inject('mainBuild');
  const site = readBuiltSite(outDir);
  let running: Running;
  let browser: Browser;
  const at = (path: string) => `http://127.0.0.1:${running.port}${path}`;

  beforeAll(async () => {
    running = await serveBuild(outDir);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  /** Does something on a page of its own. */
  async function on<Result>(
    options: BrowserContextOptions,
    act: (page: Page) => Promise<Result>,
  ): Promise<Result> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    try {
      return await act(await context.newPage());
    } finally {
      await context.close();
    }
  }

  const textOf = async (page: Page, selector: string) =>
    (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ').trim();

  it.each([WITH_KEYBOARD, DESKTOP])(
    'sees the first result of a search at %o without scrolling, and again after Back',
    (viewport) =>
      on({ viewport }, async (page) => {
        await page.goto(at('/'));
        await page.fill('#q', 'trailer');
        const first = page.locator('#results a').first();
        const isSeen = async () => {
          const box = (await first.boundingBox())!;
          return box.y >= 0 && box.y + box.height <= viewport.height;
        };
        await first.waitFor();
        await expect.poll(isSeen).toBe(true);
        const title = await first.innerText();
        await first.click();
        await page.waitForURL((url) => url.pathname !== '/');
        await page.goBack();
        expect(new URL(page.url()).searchParams.get('q')).toBe('trailer');
        await first.waitFor();
        expect(await page.inputValue('#q')).toBe('trailer');
        expect(await first.innerText()).toBe(title);
        await expect.poll(isSeen).toBe(true);
      }),
  );

  const walks = Object.entries(needs).map(([need, path], index) => ({
    need,
    path,
    width: WIDTHS[index]!,
  }));
  it.each(walks)(
    'finds $path by “$need” without a script on a window of $width px, and reads it on any window',
    ({ need, path, width }) =>
      on({ viewport: { width, height: 844 }, javaScriptEnabled: false }, async (page) => {
        await page.goto(at('/about'));
        await page.click('.to-search');
        await page.fill('#q', need);
        await page.press('#q', 'Enter');
        await page.waitForURL((url) => url.pathname === '/find');
        const first = page.locator('#results li').first();
        const found = first.locator('.found');
        expect(await found.getAttribute('href')).toBe(path);
        const { phone, price } = factsOf(findSubsite(site.registry, path.slice(1))!);
        for (const other of [...WIDTHS, width]) {
          await page.setViewportSize({ width: other, height: 844 });
          const text = await first.innerText();
          for (const fact of [phone, price]) expect(text, `${other} px`).toContain(fact ?? '');
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth),
            `${other} px`,
          ).toBeLessThanOrEqual(other);
        }
        await found.click();
        await page.waitForURL((url) => url.pathname === path);
      }),
  );

  it('reaches the results of a search by its address', () =>
    on({ viewport: PHONE }, async (page) => {
      await page.goto(at('/?q=trailer'));
      await page.locator('#results a').first().waitFor();
      expect(await page.inputValue('#q')).toBe('trailer');
    }));

  const asking = site.registry.subsites.flatMap((subsite) =>
    subsite.actions.flatMap((action) => {
      const field = itemFieldOf(action);
      const item = site.registry.catalogs[subsite.name]?.items.find((one) => !isOver(one));
      return field && item ? [{ subsite, action, field, item }] : [];
    }),
  );

  it.each(asking)(
    'asks about an item from its page, without being asked which one',
    ({ subsite, action, field, item }) =>
      on({ viewport: PHONE, javaScriptEnabled: false }, async (page) => {
        await page.goto(at(`${subsite.url}/${item.id}`));
        const form = page.locator(`#${action.verb}-form`);
        expect(await form.locator('label, legend').allInnerTexts()).not.toContain('Item');
        await form.locator('textarea').fill('Does it come with its box?');
        await form.locator('[type=email]').fill('dana@example.com');
        await form.locator('button[type=submit]').click();
        await page.waitForURL(RECEIPT);
        const rows = await running.context.database.reader.query.leads.findMany();
        expect(rows.at(-1)!.fields).toMatchObject({ [field]: item.id });
      }),
  );

  it.each(asking)('chooses an item by its name on the page of the subsite', (asked) =>
    on({ viewport: PHONE }, async (page) => {
      await page.goto(at(asked.subsite.url));
      const names = await page.locator(`#${asked.action.verb}-form select option`).allInnerTexts();
      expect(names).toContain(asked.item.title);
    }),
  );

  const places = (fields: Record<string, Field>) =>
    Object.keys(fields).filter((name) => kindOf(fields[name]!).isPlace);
  const local = site.registry.subsites
    .flatMap((subsite) => subsite.actions.map((action) => ({ subsite, action })))
    .find(({ subsite, action }) => subsite.serviceZips && places(action.fields).length === 1)!;

  it.each([true, false])(
    'with a ZIP code from elsewhere is told so and still may ask, with scripts: %s',
    (javaScriptEnabled) =>
      on({ viewport: PHONE, javaScriptEnabled }, async (page) => {
        const { subsite, action } = local;
        const notice = outsideNotice(subsite);
        await page.goto(at(subsite.url));
        const form = page.locator(`#${action.verb}-form`);
        const [place] = places(action.fields);
        for (const [name, value] of Object.entries(exampleValues(action.fields))) {
          const input = form.locator(`[name="fields.${name}"]`).first();
          const type = await input.getAttribute('type');
          if (type === 'hidden') continue;
          if (type === 'radio')
            await form.locator(`[name="fields.${name}"][value="${String(value)}"]`).check();
          else if (await input.evaluate(({ tagName }) => tagName === 'SELECT'))
            await input.selectOption(String(value));
          else await input.fill(name === place ? '90210' : String(value));
        }
        if (javaScriptEnabled) {
          expect(await textOf(page, `#${action.verb}-form .outside`)).toBe(notice);
          const zip = form.locator(`[name="fields.${place}"]`);
          await zip.fill(subsite.serviceZips![0]!.padEnd(5, '0'));
          expect(await form.locator('.outside').innerText()).toBe('');
          await zip.fill('90210');
        }
        await form.locator('[type=tel]').fill('(727) 555-0142');
        await form.locator('button[type=submit]').click();
        await page.waitForURL(RECEIPT);
        const words = await page.locator('main').innerText();
        expect(words).toContain(notice);
        expect(words).not.toContain('90210');
      }),
  );

  const hold = site.registry.subsites
    .flatMap((subsite) => subsite.actions.map((action) => ({ subsite, action })))
    .find(({ action }) => action.effect?.kind === 'hold')!;

  it.each([true, false])(
    'without a phone number and an email address is told at the field, with scripts: %s',
    (javaScriptEnabled) =>
      on({ viewport: WITH_KEYBOARD, javaScriptEnabled }, async (page) => {
        await page.goto(at(hold.subsite.url));
        const form = page.locator(`#${hold.action.verb}-form`);
        expect(await form.innerText()).not.toMatch(/know where it is/);
        await form.locator('[type=radio]').first().check();
        for (const date of await form.locator('[type=date]').all()) await date.fill('2031-05-06');
        await form.locator('button[type=submit]').click();
        const fault = page.locator(`#${hold.action.verb}-form .field .fault`);
        await fault.waitFor();
        expect((await fault.innerText()).trim()).toBe(CONTACT_NEEDED);
        expect(await focusedFieldVisibility(page)).toEqual({
          at: `${hold.action.verb}-form-contact-phone`,
          label: true,
          fault: true,
          input: true,
        });
        await form.locator('[type=tel]').fill('(727) 555-0142');
        await form.locator('button[type=submit]').click();
        await page.waitForURL(RECEIPT);
        if (javaScriptEnabled) return;
        expect(await textOf(page, 'h1')).toMatch(/^Your .* is held until \w+, \w+ \d+ at .*[AP]M/);
        expect(await textOf(page, '.receipt-extra p')).toMatch(
          /^Set aside for you: Tuesday, May 6, 2031\. Others can take it after \w+, \w+ \d+ at .* E[SD]T, unless .* confirms\.$/,
        );
        const token = new URL(page.url()).pathname.split('/').at(-1)!;
        await changeLead({ lead: token, to: 'confirmed', actor: 'operator' }, running.context);
        await page.reload();
        const words = await page.locator('main').innerText();
        expect(words).toMatch(/confirmed this request/);
        expect(words).not.toMatch(/not a confirmed booking|message to you/i);
      }),
  );

  describe('on any page that lists what a service does', () => {
    const listed = pagesOfSite(site, problemCodes).filter(
      ({ kind }) => kind === 'item' || kind === 'subsite',
    );
    const shown = new Map<string, ReturnType<typeof wordsAndRows>>();
    beforeAll(() =>
      on({ bypassCSP: true }, async (page) => {
        await page.goto(at('/'));
        const frame = await openFrame(page, DESKTOP);
        for (const { path } of listed) {
          await frame.evaluate(showInPlace, path);
          shown.set(path, await frame.evaluate(wordsAndRows));
        }
      }),
    );
    const asked = site.registry.subsites.filter(({ actions }) => actions.length > 0);

    it('reads the same promise of an answer above and at the form', () => {
      for (const { url, name, actions } of asked) {
        const { above, promises } = shown.get(url)!;
        for (const { verb, title, effect } of actions) {
          if (effect?.kind === 'import') continue;
          const promise = /We answer (within [\w.]+ \w+)/.exec(promises[`${verb}-form`]!)![1]!;
          const said = above.includes(`${title}: `) ? `${title}: ${promise}` : promise;
          expect(above, name).toContain(said);
        }
      }
    });

    it('finds the inputs of a row on one line', () => {
      expect(asked.filter(({ url }) => shown.get(url)!.uneven > 0)).toEqual([]);
    });

    it('reads no codes where a page shows values', () => {
      const codes = [...shown].flatMap(([path, { values }]) =>
        values
          .filter((text) => /[a-z]_[a-z]|\d{4}-\d{2}-\d{2}|\b\d{2}:\d{2}$/.test(text))
          .map((text) => `${path}: ${text}`),
      );
      expect(codes).toEqual([]);
    });
  });
});
