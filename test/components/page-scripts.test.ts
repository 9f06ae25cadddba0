import { build } from 'esbuild';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createServiceHoursAttributes } from '../../src/components/subsite/service-hours.ts';
import { copyButton, receiptCheck } from '../../src/text/index.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';

/** Tests of page scripts on pages of their own, without a build. */
describe.runIf(findProgram('chromium'))('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  /** A page with one script of `src/components`; no request leaves the browser. */
  async function openPage(
    script: string,
    body: string,
    {
      origin = 'http://localhost',
      responses = {},
      time,
    }: {
      origin?: string;
      responses?: Record<string, (route: Route) => Promise<void>>;
      time?: string;
    } = {},
  ): Promise<{ page: Page; errors: string[] }> {
    const { outputFiles } = await build({
      entryPoints: [`src/components/${script}`],
      bundle: true,
      format: 'esm',
      write: false,
    });
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/script.js')
        return route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]!.text });
      if (pathname === '/')
        return route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html>${body}<script type="module" src="/script.js"></script>`,
        });
      return responses[pathname]?.(route) ?? route.fulfill({ status: 404 });
    });
    if (time) await page.clock.install({ time: new Date(time) });
    await page.goto(`${origin}/`);
    return { page, errors };
  }

  describe('a receipt that waits for changes', () => {
    const body = `<div role="status" data-status-url="/api/lead/x" data-status-etag='"1"'><p hidden>News</p></div>
      <form><textarea></textarea></form>`;

    /** Opens a receipt whose status has the given responses, in order; the last one repeats. */
    async function openReceipt(responses: { status: number; headers?: Record<string, string> }[]) {
      const requests: string[] = [];
      const opened = await openPage('receipt/conversation/follow-status.ts', body, {
        time: '2026-11-28T15:00:00Z',
        responses: {
          '/api/lead/x': async (route) => {
            requests.push(
              `${new URL(route.request().url()).search} ${route.request().headers()['if-none-match']}`,
            );
            const response = responses[Math.min(requests.length, responses.length) - 1]!;
            // An unchanged status is returned only after the wait.
            if (response.status === 0) return;
            await route.fulfill(response);
          },
        },
      });
      const setHidden = (hidden: boolean) =>
        opened.page.evaluate((isHidden) => {
          Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
          document.dispatchEvent(new Event('visibilitychange'));
        }, hidden);
      // A request that is canceled before it arrives would leave its response to the next one.
      await expect.poll(() => requests.length).toBeGreaterThan(0);
      return { ...opened, requests, setHidden };
    }
    const unanswered = { status: 0 };

    it('offers to show a change while it is visible', async () => {
      const { page, requests, errors } = await openReceipt([{ status: 200 }]);
      await page.locator('[role=status] > p').waitFor();
      expect(requests).toEqual(['?wait=50 "1"']);
      expect(errors).toEqual([]);
    });

    it('shows a change at once when it becomes visible, unless something was typed', async () => {
      const { page, requests, setHidden } = await openReceipt([unanswered, { status: 200 }]);
      await setHidden(true);
      await page.locator('textarea').fill('Can I come at 8?');
      await setHidden(false);
      await page.locator('[role=status] > p').waitFor();
      expect(await page.locator('textarea').inputValue()).toBe('Can I come at 8?');
      expect(requests).toEqual(['?wait=50 "1"', '?wait=0 "1"']);

      const untouched = await openReceipt([unanswered, { status: 410 }, unanswered]);
      await untouched.setHidden(true);
      const reloaded = untouched.page.waitForEvent('framenavigated');
      await untouched.setHidden(false);
      await reloaded;
    });

    it('pauses if the server cannot let it wait', async () => {
      const { page, requests } = await openReceipt([
        { status: 304, headers: { 'retry-after': '10' } },
        { status: 503 },
        { status: 200 },
      ]);
      await expect.poll(() => requests.length).toBe(1);
      await page.clock.runFor(9_000);
      expect(requests).toHaveLength(1);
      await page.clock.runFor(1_500);
      await expect.poll(() => requests.length).toBe(2);
      await page.clock.runFor(58_000);
      expect(requests).toHaveLength(2);
      await page.clock.runFor(5_000);
      await page.locator('[role=status] > p').waitFor();
    });
  });

  describe('the opening state of a service', () => {
    const attributes = createServiceHoursAttributes(
      {
        hours: [{ days: ['Monday'], opens: '07:00', closes: '19:00' }],
        closedDays: [{ date: '2026-12-14', name: 'Inventory' }],
        afterHours: undefined,
      },
      'America/New_York',
    );
    const body = `<main ${Object.entries(attributes)
      .map(([name, value]) => `${name}='${value}'`)
      .join(' ')}>
      <span data-open-now></span>
      <p data-calls-first><a class="button quiet" href="#form">Ask</a><a class="button" href="tel:1">Call</a></p>
      <p data-closed-soon hidden></p>
    </main>`;
    const readState = (page: Page) =>
      page.evaluate(() => ({
        text: document.querySelector('[data-open-now]')!.textContent.replaceAll(/\s+/g, ' '),
        isOpen: document.querySelector('[data-open-now]')!.classList.contains('is-open'),
        quiet: document.querySelector('.quiet')!.textContent,
        isClosedSoon: document.querySelector('[data-closed-soon]')!.checkVisibility(),
      }));
    const MONDAY_EVENING = '2026-11-30T18:50:00-05:00';
    const OPEN_STATE = {
      text: 'Open now, until 7 pm',
      isOpen: true,
      quiet: 'Call',
      isClosedSoon: true,
    };

    it('changes while the page is open, and back', async () => {
      const { page } = await openPage('subsite/open-now.ts', body, { time: MONDAY_EVENING });
      expect(await readState(page)).toEqual(OPEN_STATE);
      await page.clock.runFor('11:00');
      const closed = { text: expect.stringContaining('Closed now, opens'), isOpen: false };
      expect(await readState(page)).toMatchObject({ ...closed, quiet: 'Ask' });
      await page.clock.runFor('02:00');
      expect(await readState(page)).toMatchObject({ ...closed, quiet: 'Ask' });
      await page.clock.setSystemTime(new Date('2026-12-07T12:00:00-05:00'));
      await page.clock.runFor('01:00');
      expect(await readState(page)).toEqual(OPEN_STATE);
    });

    it.each(['pageshow', 'visibilitychange'])('changes on the event %s', async (event) => {
      const { page } = await openPage('subsite/open-now.ts', body, { time: MONDAY_EVENING });
      await page.clock.pauseAt(new Date('2026-11-30T18:55:00-05:00'));
      await page.clock.setSystemTime(new Date('2026-12-15T12:00:00-05:00'));
      await page.evaluate((name) => {
        (name === 'pageshow' ? window : document).dispatchEvent(new Event(name));
      }, event);
      expect(await readState(page)).toEqual({
        text: 'Closed now, opens Monday at 7 am',
        isOpen: false,
        quiet: 'Ask',
        isClosedSoon: false,
      });
    });
  });

  describe('the receipt check', () => {
    const body = `<section data-receipt-check hidden><form><textarea></textarea>
      <button type="submit">Verify</button><button type="button" data-sample>Sample</button>
      <p data-verdict></p></form></section>`;
    const respond = (status: number, text: string) => (route: Route) =>
      route.fulfill({ status, body: text });
    const failures = {
      'no connection': (route: Route) => route.abort(),
      'status 429': respond(429, '{"code":"rate_limited"}'),
      'text that is not JSON': respond(200, '<p>Sign in to the network</p>'),
    };

    it.each(Object.entries(failures))(
      'reports %s, without blaming the browser or showing the response as a sample',
      async (_, fail) => {
        const { page } = await openPage('agent-area/receipt-check.ts', body, {
          responses: { '/.well-known/jwks.json': fail, '/api/lead/sandbox': fail },
        });
        const verdict = page.locator('[data-verdict]', { hasText: /./ });
        await page.click('[type=submit]');
        expect(await verdict.textContent()).toBe(receiptCheck.noResponse);
        await page.evaluate(() => document.querySelector('[data-verdict]')!.replaceChildren());
        await page.click('[data-sample]');
        expect(await verdict.textContent()).toBe(receiptCheck.noResponse);
        expect(await page.inputValue('textarea')).toBe('');
      },
    );
  });

  describe('a puzzle', () => {
    const boards = [
      { columns: 3, rows: 4 },
      { columns: 4, rows: 3 },
    ].map((size) => ({ ...size, lit: [true, ...Array.from({ length: 11 }, () => false)] }));
    const houseMarkup = '<button type="button" tabindex="-1"><i class="house"></i></button>';
    const body = `<section data-puzzle='${JSON.stringify(boards)}'>
      <select><option value="0">3 by 4</option><option value="1">4 by 3</option></select>
      <div class="block">${`<div class="row">${houseMarkup.repeat(3)}</div>`.repeat(4)}</div>
      <p data-state></p><p class="puzzle-buttons"><button data-do="restart">Restart</button></p></section>`;
    const readRows = (page: Page) =>
      page.locator('.row').evaluateAll((rows) => rows.map(({ children }) => children.length));
    const countTabStops = (page: Page) => page.locator('.block [tabindex="0"]').count();

    it('has the rows of the chosen board, and one tab stop', async () => {
      const { page, errors } = await openPage('puzzle/puzzle.ts', body);
      expect(await readRows(page)).toEqual([3, 3, 3, 3]);
      expect(await countTabStops(page)).toBe(1);
      await page.selectOption('select', '1');
      expect(await readRows(page)).toEqual([4, 4, 4]);
      await page.locator('.block button').nth(5).click();
      await page.click('[data-do=restart]');
      expect(await countTabStops(page)).toBe(1);
      expect(errors).toEqual([]);
    });
  });

  it('fills in what was sent with the form of the same endpoint', async () => {
    const form = (subsite: string) =>
      `<form id="ask-form" data-lead-form method="post" action="/api/lead?form=${subsite}.ask">
        <input type="hidden" name="_key"><input name="fields.text"><button>Send</button></form>`;
    const { page } = await openPage(
      'forms/lead-forms.ts',
      `<main data-service-hours="{}" data-time-zone="UTC">${form('one')}${form('two')}</main>`,
      {
        responses: {
          '/api/lead': (route) => route.fulfill({ contentType: 'text/html', body: '' }),
        },
      },
    );
    await page.locator('[name="fields.text"]').first().fill('Mine');
    await page.locator('button').first().click();
    await page.waitForURL('**/api/lead?*');
    await page.goto('http://localhost/?_again=1');
    expect(
      await page
        .locator('[name="fields.text"]')
        .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
    ).toEqual(['Mine', '']);
  });

  it('lists only the services for the chosen need, and “Not sure”', async () => {
    const { page, errors } = await openPage(
      'forms/lead-forms.ts',
      `<main data-service-hours="{}" data-time-zone="UTC"><form data-lead-form action="/api/lead">
        <input type="hidden" name="_key"><button>Send</button>
        <select name="fields.need"><option value="">Choose</option><option>Home</option><option>Rentals</option></select>
        <select name="fields.product"><option value="circle" selected>Not sure</option>
          <optgroup label="Home"><option value="junk">Junk</option><option value="hvac">HVAC</option></optgroup>
          <optgroup label="Rentals"><option value="junk">Junk</option><option value="wd">WD</option></optgroup>
        </select>
      </form></main>`,
    );
    const need = page.locator('[name="fields.need"]');
    const service = page.locator('[name="fields.product"]');
    const listServices = () =>
      service
        .locator('option')
        .evaluateAll((options: HTMLOptionElement[]) =>
          options
            .filter((option) => !option.matches('optgroup:disabled > option'))
            .map(({ value }) => value),
        );
    expect(await listServices()).toEqual(['circle', 'junk', 'hvac', 'junk', 'wd']);
    await need.selectOption('Home');
    expect(await listServices()).toEqual(['circle', 'junk', 'hvac']);
    await service.selectOption('junk');
    await need.selectOption('Rentals');
    expect([await listServices(), await service.inputValue()]).toEqual([
      ['circle', 'junk', 'wd'],
      'junk',
    ]);
    await service.selectOption('wd');
    await need.selectOption('Home');
    expect(await service.inputValue()).toBe('circle');
    expect(errors).toEqual([]);
  });

  it('opens the part of a form in which a link or an earlier request fills in an answer', async () => {
    const { page, errors } = await openPage(
      'forms/lead-forms.ts',
      `<main data-service-hours="{}" data-time-zone="UTC"><form data-lead-form action="/api/lead">
        <input type="hidden" name="_key"><button>Send</button>
        <details data-part="link"><input name="fields.heard" /></details>
        <details data-part="radio">
          <input type="radio" name="fields.need" value="site" checked />
          <input type="radio" name="fields.need" value="all" />
        </details>
        <details data-part="list">
          <select name="fields.kind"><option selected>one</option><option>two</option></select>
        </details>
        <details data-part="sent"><details><input name="fields.idea" /></details></details>
        <details><input name="fields.note" /></details>
      </form></main>`,
    );
    const listOpenParts = () =>
      page
        .locator('details[open][data-part]')
        .evaluateAll((parts) => parts.map((part) => part.getAttribute('data-part')));
    await page.evaluate(() =>
      sessionStorage.setItem('sent /api/lead', JSON.stringify({ 'fields.idea': 'Lawns' })),
    );
    await page.goto('http://localhost/?fields.heard=A+flyer&fields.need=site&fields.kind=one');
    expect(await listOpenParts()).toEqual(['link']);
    await page.goto('http://localhost/?fields.need=all&fields.kind=two&_again=1');
    expect(await listOpenParts()).toEqual(['radio', 'list', 'sent']);
    expect(await page.locator('[name="fields.idea"]').isVisible()).toBe(true);
    expect(errors).toEqual([]);
  });

  describe('the link to later days', () => {
    const calendar = `<form><div data-free-days="/free-days/sheds"><table></table>
      <a href="/free-days/sheds/a?start=2027-01-01">Later</a></div></form>`;
    const LATER_DAYS_PATH = '/free-days/sheds/a';

    it('is followed if the days cannot be loaded', async () => {
      const { page } = await openPage('forms/free-days.ts', calendar, {
        responses: {
          [LATER_DAYS_PATH]: (route) =>
            route.fulfill({ status: 429, contentType: 'text/html', body: 'Too many requests' }),
        },
      });
      await page.locator('a').click();
      await page.waitForURL(`**${LATER_DAYS_PATH}?start=2027-01-01`);
    });

    it('opens in a new tab with a modifier key', async () => {
      const { page } = await openPage('forms/free-days.ts', calendar);
      const popup = page.context().waitForEvent('page');
      await page.locator('a').click({ modifiers: ['ControlOrMeta'] });
      await (await popup).close();
      expect(new URL(page.url()).pathname).toBe('/');
    });
  });

  it('a copy button without clipboard access selects the text and says so', async () => {
    const { page, errors } = await openPage(
      'agent-area/copy-buttons.ts',
      '<figure data-copy><code>npm start</code></figure>',
      { origin: 'http://plain.example' },
    );
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.click('.copy');
    expect(await page.locator('[role=status]').textContent()).toBe(copyButton.failedStatus);
    expect(await page.evaluate(() => String(getSelection()))).toBe('npm start');
    expect(errors).toEqual([]);
  });
});
