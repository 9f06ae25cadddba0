import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findNeed } from '../../src/search/find-need.ts';
import { serviceDocument, serviceIndex } from '../../src/search/services.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { watchedPage } from './open.ts';
import { builtSite } from './template-pages.ts';

/** Most bytes that the front page transfers beside the font, compressed. */
const MAX_BYTES = 60 * 1024;

/** Notes every shift of the layout; runs in the page before its own scripts. */
function watchShifts(): void {
  const shifts: PerformanceEntry[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
    type: 'layout-shift',
    buffered: true,
  });
}

interface Shift extends PerformanceEntry {
  value: number;
  sources: { node?: Node | null }[];
}

/** What moved since a time of the page’s clock, and how far. Runs in the page. */
function shiftsSince(since: number): string[] {
  const { shifts } = globalThis as unknown as { shifts: Shift[] };
  return shifts
    .filter(({ startTime }) => startTime > since)
    .map(
      ({ startTime, value, sources }) =>
        `${value} at ${startTime} ms of ${sources
          .map(({ node }) => `${node?.nodeName} ${node?.textContent?.trim().slice(0, 30)}`)
          .join(', ')}`,
    );
}

/**
 * The page’s time once it has been drawn whole: a busy machine draws parts of it before. Runs in
 * the page.
 */
const onceDrawn = () =>
  new Promise<number>((resolve) =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))),
    ),
  );

describe.runIf(findProgram('chromium')).each(['mainBuild', 'fourBuild'] as const)(
  'the front page of %s',
  (build) => {
    const outDir = inject(build);
    const { registry } = builtSite(outDir);
    const [wanted] = registry.subsites.filter(({ actions }) => actions.length > 0);
    let running: Running;
    let browser: Browser;
    let page: Page;
    let complaints: () => string[];
    const origin = () => `http://127.0.0.1:${running.port}`;

    const results = () => page.locator('#results a');
    const focused = () =>
      page.evaluate(
        () =>
          (document.activeElement as HTMLAnchorElement | null)?.getAttribute('href') ??
          document.activeElement?.id,
      );

    beforeAll(async () => {
      running = await serveBuild(outDir);
      browser = await launchChromium();
      ({ page, complaints } = await watchedPage(await browser.newContext()));
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });

    it('fetches the search index on first use, not before', async () => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(origin(), { waitUntil: 'networkidle' });
      expect(asked).not.toContain('/search-index.json');
      await page.focus('#q');
      await page.waitForResponse(/search-index\.json/);
      expect(asked.filter((path) => path === '/search-index.json')).toHaveLength(1);
    });

    it('finds a service by its purpose and opens it with the keyboard alone', async () => {
      await page.goto(origin());
      for (let stop = 0; stop < 12 && (await focused()) !== 'q'; stop++)
        await page.keyboard.press('Tab');
      expect(await focused()).toBe('q');
      await page.keyboard.type(wanted!.title);
      await results().first().waitFor();
      expect(await page.locator('#search-state').textContent()).toMatch(/result/);
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toBe(wanted!.url);
      await page.keyboard.press('ArrowUp');
      expect(await focused()).toBe('q');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${origin()}${wanted!.url}`);
      expect(complaints()).toEqual([]);
    });

    it('finds the requests and the items of the network, and says when there is nothing', async () => {
      await page.goto(origin());
      const found = async (query: string) => {
        await page.fill('#q', query);
        await page.waitForFunction(
          () => document.querySelector('#search-state')!.textContent !== '',
        );
        return results().evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      };
      for (const action of wanted!.actions.filter(({ effect }) => effect?.kind !== 'import'))
        expect(await found(action.title)).toContain(`${wanted!.url}#${action.verb}`);
      await page.fill('#q', '');
      expect(await found('qqxxqqxx')).toEqual([]);
      await page.press('#q', 'Escape');
      expect(await page.inputValue('#q')).toBe('');
      expect(await page.locator('.service-group').first().isVisible()).toBe(true);
    });

    it('takes the focus from the search of every page’s header', async () => {
      await page.goto(`${origin()}${wanted!.url}`);
      await page.click('.to-search');
      await page.waitForURL(`${origin()}/#q`);
      await page.waitForFunction(() => document.activeElement?.id === 'q');
      await page.keyboard.type(wanted!.title);
      await results().first().waitFor();
    });

    it.each([
      ['a phone with its keyboard', { width: 390, height: 480 }],
      ['a desktop', { width: 1440, height: 900 }],
    ])('shows field and first result on %s without scrolling', async (_, viewport) => {
      await page.setViewportSize(viewport);
      await page.goto(origin());
      await page.fill('#q', wanted!.title);
      await results().first().waitFor();
      const seen = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          });
      expect([await seen('#q'), await seen('#results li')]).toEqual([true, true]);
    });

    it('returns to its results by Back, and keeps them in the address', async () => {
      await page.goto(origin());
      await page.fill('#q', wanted!.title);
      await page.click(`#results a[href="${wanted!.url}"]`);
      await page.waitForURL(`${origin()}${wanted!.url}`);
      await page.goBack();
      await results().first().waitFor();
      expect(new URL(page.url()).searchParams.get('q')).toBe(wanted!.title);
      expect(await page.inputValue('#q')).toBe(wanted!.title);
    });

    it('names price, area, forms and telephone of a service', async () => {
      await page.goto(origin());
      for (const subsite of registry.subsites.filter(({ phone }) => phone).slice(0, 3)) {
        await page.fill('#q', subsite.title);
        const found = page.locator(`#results li:has(a.found[href="${subsite.url}"])`);
        await found.waitFor();
        const text = await found.textContent();
        expect(text).toContain(`Call ${subsite.phone}`);
        expect(text).toContain(subsite.serviceArea?.split(';')[0] ?? '');
        expect(await found.locator('a[href^="tel:"]').count()).toBe(1);
        if (subsite.hours) expect(text).toMatch(/Open now, until|Closed now, opens/);
      }
    });

    it('says what the network does not do, and whom to ask', async () => {
      await page.goto(origin());
      const { notOffered } = registry.network.search;
      const asked = [
        ...notOffered.map(({ what, words }) => [words[0]!, `do ${what}`]),
        ['qqxxqqxx'],
      ];
      for (const [word, said = 'found nobody'] of asked) {
        await page.fill('#q', word!);
        await page.waitForFunction(
          (words) => document.querySelector('#search-state')!.textContent!.includes(words),
          said,
        );
        expect(await page.locator('.ask-person a[href^="tel:"]').isVisible()).toBe(true);
      }
      await page.fill('#q', '');
      expect(await page.locator('.ask-person').isVisible()).toBe(false);
    });

    it('shows every result that it counts', async () => {
      await page.goto(origin());
      for (const query of ['house', 'rent', 'se']) {
        await page.fill('#q', '');
        await page.fill('#q', query);
        await page.waitForFunction(
          () => document.querySelector('#search-state')!.textContent !== '',
        );
        const said = await page.locator('#search-state').textContent();
        const counted = /^(\d+) results?$/.exec(said ?? '')?.[1];
        if (counted === undefined) continue;
        const all = page.locator('.all-results');
        if (await all.isVisible()) await all.click();
        expect(await page.locator('#results li').count(), query).toBe(Number(counted));
        expect(await all.isVisible()).toBe(false);
      }
    });

    it('shows one category alone, with and without a search', async () => {
      await page.goto(origin());
      for (const { category } of registry.subsites.filter(
        (subsite, index, all) =>
          all.findIndex((other) => other.category === subsite.category) === index,
      )) {
        await page.check(`#only-${category}`);
        const shown = await page
          .locator('.service-group:visible')
          .evaluateAll((groups) => groups.map((group) => (group as HTMLElement).dataset.category));
        expect(shown).toEqual([category]);
        await page.fill('#q', 'a');
        await page.fill('#q', '');
      }
    });

    it('lights what it finds on the chart, fades the rest and moves none of it', async () => {
      const chart = await (
        await browser.newContext({
          viewport: { width: 1440, height: 900 },
          reducedMotion: 'reduce',
        })
      ).newPage();
      await chart.goto(origin(), { waitUntil: 'networkidle' });
      const names = () =>
        chart.$$eval('.chart a', (links) =>
          links.map((link) => {
            const { x, y } = link.getBoundingClientRect();
            const { opacity } = getComputedStyle(link);
            return { name: (link as SVGElement).dataset['subsite'], at: [x, y], opacity };
          }),
        );
      const before = await names();
      expect(before.map(({ opacity }) => opacity)).toEqual(before.map(() => '1'));
      await chart.fill('#q', wanted!.title);
      await chart.waitForSelector('.chart.answering');
      const { found } = findNeed(serviceIndex(registry), wanted!.title, { typing: true });
      const lit = new Set(found.map(({ subsite }) => subsite));
      expect(await names()).toEqual(
        before.map((one) => ({ ...one, opacity: lit.has(one.name!) ? '1' : '0.22' })),
      );
      expect(lit.has(wanted!.name) && lit.size < before.length).toBe(true);
      await chart.press('#q', 'Escape');
      expect(await names()).toEqual(before);
      expect(await chart.locator('.chart:not([aria-hidden="true"])').count()).toBe(0);
      await chart.close();
    });

    it('leaves who declined out of a search for somebody else, also where a script searches', async () => {
      const { name, title, url } = wanted!;
      const hrefs = async (without?: string) => {
        const query = new URLSearchParams({ q: title, ...(without && { without }) });
        await page.goto(`${origin()}/find?${query}`, { waitUntil: 'networkidle' });
        return page.$$eval('#results a', (links) => links.map((link) => link.getAttribute('href')));
      };
      const isTheirs = (href: string | null) => href?.split('#')[0] === url;
      expect((await hrefs()).some(isTheirs)).toBe(true);
      expect((await hrefs(name)).filter(isTheirs)).toEqual([]);
    });

    it('searches without a script: the same results as with one, on a page of their own', async () => {
      const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
      const { notOffered } = registry.network.search;
      const asked = [wanted!.title, ...notOffered.slice(0, 1).map(({ words }) => words[0]!)];
      for (const query of [...asked, 'qqxxqqxx']) {
        await plain.goto(origin());
        await plain.fill('#q', query);
        await plain.press('#q', 'Enter');
        await plain.waitForURL((url) => url.pathname === '/find');
        expect(await plain.title()).toContain(query);
        expect(await plain.inputValue('#q')).toBe(query);
        expect(await plain.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex');
        expect(await plain.locator('.ask-person a[href^="tel:"]').isVisible()).toBe(true);
        const shown = (on: Page) =>
          on.$eval('.site-search', (search) =>
            ['.search-state', '#results', '.ask-person'].map(
              (part) => search.querySelector(part)!.outerHTML,
            ),
          );
        const order = (on: Page) =>
          on.$$eval('.search-state, #results, .ask-person', (parts) =>
            parts.map(({ className, id }) => id || className),
          );
        await page.goto(origin());
        await page.fill('#q', query);
        await page.waitForFunction(
          () => document.querySelector('#search-state')!.textContent !== '',
        );
        const all = page.locator('.all-results');
        if (await all.isVisible()) await all.click();
        expect(await shown(plain)).toEqual(await shown(page));
        expect(await order(plain)).toEqual(await order(page));
      }
      await plain.close();
    });

    it('lists every subsite as a plain link where there is no script', async () => {
      const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
      await plain.goto(origin());
      const links = await plain
        .locator('#services a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(links.sort()).toEqual(registry.subsites.map(({ url }) => url).sort());
      expect(await plain.locator('#q').isVisible()).toBe(true);
    });

    it('has no more than seven screens on a phone, whatever it lists, and every link of them', async () => {
      const phone = await (
        await browser.newContext({ viewport: { width: 390, height: 844 } })
      ).newPage();
      await phone.goto(origin());
      const { height, links } = await phone.evaluate(() => ({
        height: document.documentElement.scrollHeight,
        links: [...document.querySelectorAll<HTMLElement>('#services a')].map((link) => ({
          path: link.getAttribute('href'),
          isTall: link.closest('li')!.clientHeight >= 44,
        })),
      }));
      expect(height / 844).toBeLessThanOrEqual(7);
      expect(links.map(({ path }) => path).sort()).toEqual(
        registry.subsites.map(({ url }) => url).sort(),
      );
      expect(links.filter(({ isTall }) => !isTall)).toEqual([]);
      await phone.close();
    });

    it('keeps every name of its chart on the land', async () => {
      await page.goto(origin());
      const outside = await page.$$eval('.chart text', (names) =>
        names.flatMap((name) => {
          const { x, width } = (name as SVGTextElement).getBBox();
          const drawing = (name as SVGTextElement).ownerSVGElement!.viewBox.baseVal.width;
          return x < 8 || x + width > drawing - 8 ? [name.textContent.trim()] : [];
        }),
      );
      expect(outside).toEqual([]);
    });

    it('transfers little', async () => {
      const fresh = await (await browser.newContext()).newPage();
      const session = await fresh.context().newCDPSession(fresh);
      const urls = new Map<string, string>();
      const bytes = new Map<string, number>();
      await session.send('Network.enable');
      session.on('Network.requestWillBeSent', ({ requestId, request }) =>
        urls.set(requestId, request.url),
      );
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
        bytes.set(urls.get(requestId)!, encodedDataLength),
      );
      await fresh.goto(origin(), { waitUntil: 'networkidle' });
      const beside = [...bytes].filter(([url]) => !url.endsWith('.woff2'));
      expect(beside.length).toBeGreaterThan(2);
      expect(beside.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
    });

    it('moves nothing once it is drawn, also when the font comes late on a busy phone', async () => {
      for (const viewport of [
        { width: 390, height: 844 },
        { width: 1440, height: 900 },
      ]) {
        const context = await browser.newContext({ viewport });
        const late = await context.newPage();
        const session = await context.newCDPSession(late);
        await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
        const waited = Promise.withResolvers<void>();
        await late.route('**/*.woff2', (route) => waited.promise.then(() => route.continue()));
        await late.addInitScript(watchShifts);
        await late.goto(origin(), { waitUntil: 'domcontentloaded' });
        await late.waitForFunction(
          () => performance.getEntriesByName('first-contentful-paint').length > 0,
        );
        const drawn = await late.evaluate(onceDrawn);
        // Longer than a browser waits for a font that is optional, by the page’s own clock. A
        // throttled page takes whole cores from the other tests meanwhile.
        await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
        await late.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
        await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
        waited.resolve();
        await late.waitForFunction(() =>
          [...document.fonts].some(({ status }) => status === 'loaded'),
        );
        await late.evaluate(onceDrawn);
        expect(await late.evaluate(shiftsSince, drawn), `${viewport.width} px`).toEqual([]);
        await context.close();
      }
    });

    it('opens its results over the page and moves nothing, however late they come', async () => {
      for (const viewport of [
        { width: 390, height: 480 },
        { width: 1440, height: 900 },
      ]) {
        const context = await browser.newContext({ viewport });
        const still = await context.newPage();
        const waited = Promise.withResolvers<void>();
        await still.route('**/search-index.json', (route) =>
          waited.promise.then(() => route.continue()),
        );
        await still.addInitScript(watchShifts);
        await still.goto(origin(), { waitUntil: 'networkidle' });
        const drawn = await still.evaluate(onceDrawn);
        await still.focus('#q');
        await still.keyboard.type(wanted!.title.slice(0, 3));
        waited.resolve();
        await still.waitForFunction(
          () => document.querySelector('#search-state')!.textContent !== '',
        );
        await still.keyboard.type(wanted!.title.slice(3));
        await still.locator('#results a').first().waitFor();
        await still.waitForURL((url) => url.searchParams.get('q') === wanted!.title);
        await still.press('#q', 'Escape');
        await still.evaluate(onceDrawn);
        expect(await still.evaluate(shiftsSince, drawn), `${viewport.width} px`).toEqual([]);
        await context.close();
      }
    });

    it('has everything in its index that the registry offers', () => {
      const index = JSON.stringify(serviceDocument(builtSite(outDir).registry));
      for (const subsite of registry.subsites) {
        expect(index).toContain(JSON.stringify(subsite.url));
        for (const item of registry.catalogs[subsite.name]?.items ?? [])
          expect(index).toContain(JSON.stringify(item.title));
      }
    });
  },
);
