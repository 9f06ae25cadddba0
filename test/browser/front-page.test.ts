import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { findNeed } from '../../src/search/find-need.ts';
import { createServiceDocument, createServiceIndex } from '../../src/search/services.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { openWatchedPage } from './browser-page.ts';
import { readBuiltSite } from './template-pages.ts';

/** Maximum compressed bytes that the front page transfers, fonts excluded. */
const MAX_BYTES = 60 * 1024;

/** Records every layout shift; runs in the page before its own scripts. */
function recordShifts(): void {
  const shifts: PerformanceEntry[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
    type: 'layout-shift',
    buffered: true,
  });
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node?: Node | null }[];
}

/** Layout shifts since a time on the page’s clock; runs in the page. */
function listShiftsSince(since: number): string[] {
  const { shifts } = globalThis as unknown as { shifts: LayoutShift[] };
  return shifts
    .filter(({ startTime }) => startTime > since)
    .map(
      ({ startTime, value, sources }) =>
        `${value} at ${startTime} ms of ${sources
          .map(({ node }) => `${node?.nodeName} ${node?.textContent?.trim().slice(0, 30)}`)
          .join(', ')}`,
    );
}

type Recording = typeof globalThis & { positions: [typed: string, top: number][] };

/** Records where the search field is after each update of the results; runs in the page. */
function recordFieldPositions(): void {
  const field = document.querySelector<HTMLInputElement>('#q')!;
  (globalThis as Recording).positions = [];
  new MutationObserver(() =>
    (globalThis as Recording).positions.push([
      field.value,
      Math.round(field.getBoundingClientRect().top),
    ]),
  ).observe(document.querySelector('#search-state')!, { childList: true });
}

/** Recorded positions since the last call; runs in the page. */
const takeFieldPositions = () => (globalThis as Recording).positions.splice(0);

/**
 * Time on the page’s clock when the page is fully painted, which takes several frames on a busy
 * machine; runs in the page.
 */
const waitForPaint = () =>
  new Promise<number>((resolve) =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))),
    ),
  );

describe.runIf(findProgram('chromium')).each(['mainBuild', 'fourBuild'] as const)(
  'the front page of %s',
  (build) => {
    const outDir = inject(build);
    const { registry } = readBuiltSite(outDir);
    const [sample] = registry.subsites.filter(({ actions }) => actions.length > 0);
    let running: RunningService;
    let browser: Browser;
    let page: Page;
    let takeErrors: () => string[];
    let plainPage: Page;
    const origin = () => `http://127.0.0.1:${running.port}`;

    const locateResultLinks = () => page.locator('#results a');
    const readFocusTarget = () =>
      page.evaluate(
        () =>
          (document.activeElement as HTMLAnchorElement | null)?.getAttribute('href') ??
          document.activeElement?.id,
      );

    beforeAll(async () => {
      running = await serveBuild(outDir);
      browser = await launchChromium();
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      ({ page, takeErrors } = await openWatchedPage(context));
      plainPage = await browser.newPage({ javaScriptEnabled: false });
    });
    beforeEach(() => page.setViewportSize({ width: 1280, height: 720 }));
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });

    it('fetches the search index on first use, not before', async () => {
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      await page.goto(origin(), { waitUntil: 'networkidle' });
      expect(requested).not.toContain('/search-index.json');
      await page.focus('#q');
      await page.waitForResponse(/search-index\.json/);
      expect(requested.filter((path) => path === '/search-index.json')).toHaveLength(1);
    });

    it('finds a service by its purpose and opens it with the keyboard alone', async () => {
      await page.goto(origin());
      for (let tabs = 0; tabs < 12 && (await readFocusTarget()) !== 'q'; tabs++)
        await page.keyboard.press('Tab');
      expect(await readFocusTarget()).toBe('q');
      await page.keyboard.type(sample!.title);
      await locateResultLinks().first().waitFor();
      expect(await page.locator('#search-state').textContent()).toMatch(/result/);
      await page.keyboard.press('ArrowDown');
      expect(await readFocusTarget()).toBe(sample!.url);
      await page.keyboard.press('ArrowUp');
      expect(await readFocusTarget()).toBe('q');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${origin()}${sample!.url}`);
      expect(takeErrors()).toEqual([]);
    });

    it('finds actions and items, and reports when nothing matches', async () => {
      await page.goto(origin());
      const findHrefs = async (query: string) => {
        await page.fill('#q', query);
        await page.waitForFunction(
          () => document.querySelector('#search-state')!.textContent !== '',
        );
        return locateResultLinks().evaluateAll((links) =>
          links.map((link) => link.getAttribute('href')),
        );
      };
      for (const action of sample!.actions.filter(({ effect }) => effect?.kind !== 'import'))
        expect(await findHrefs(action.title)).toContain(`${sample!.url}#${action.verb}`);
      await page.fill('#q', '');
      expect(await findHrefs('qqxxqqxx')).toEqual([]);
      await page.press('#q', 'Escape');
      expect(await page.inputValue('#q')).toBe('');
      expect(await page.locator('.service-group').first().isVisible()).toBe(true);
    });

    it('receives focus from the search link in the header of every page', async () => {
      await page.goto(`${origin()}${sample!.url}`);
      await page.click('.to-search');
      await page.waitForURL(`${origin()}/#q`);
      await page.waitForFunction(() => document.activeElement?.id === 'q');
      await page.keyboard.type(sample!.title);
      await locateResultLinks().first().waitFor();
    });

    it.each([
      ['a phone with its keyboard open', { width: 390, height: 480 }],
      ['a desktop', { width: 1440, height: 900 }],
    ])(
      'shows the search field and the first result on %s without scrolling',
      async (_, viewport) => {
        await page.setViewportSize(viewport);
        await page.goto(origin());
        await page.fill('#q', sample!.title);
        await locateResultLinks().first().waitFor();
        const isVisible = (selector: string) =>
          page
            .locator(selector)
            .first()
            .evaluate((element) => {
              const { top, bottom } = element.getBoundingClientRect();
              return top >= 0 && bottom <= innerHeight;
            });
        expect([await isVisible('#q'), await isVisible('#results li')]).toEqual([true, true]);
      },
    );

    it.each([
      ['a phone', { width: 390, height: 844 }],
      ['a small phone', { width: 320, height: 640 }],
      ['a phone on its side', { width: 844, height: 390 }],
      ['a laptop', { width: 1280, height: 720 }],
    ])('keeps the search field in place on %s while someone types', async (_, viewport) => {
      await page.setViewportSize(viewport);
      await page.goto(origin());
      const readTop = () =>
        page.locator('#q').evaluate((field) => Math.round(field.getBoundingClientRect().top));
      await page.evaluate(recordFieldPositions);
      for (const text of [sample!.title, 'ac stopped', 'sell my grandmother', 'qqxx']) {
        await page.press('#q', 'Escape');
        await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
        await page.click('#q');
        const top = await readTop();
        await page.evaluate(takeFieldPositions);
        const [firstLetter, ...letters] = text;
        await page.keyboard.type(firstLetter!);
        await page.waitForFunction(
          () => document.querySelector('#search-state')!.textContent !== '',
        );
        await page.keyboard.type(letters.join(''));
        await page.evaluate(waitForPaint);
        expect([...(await page.evaluate(takeFieldPositions)), [text, await readTop()]]).toEqual([
          ...[...text].map((_, index) => [text.slice(0, index + 1), top]),
          [text, top],
        ]);
      }
    });

    it('keeps the query in the URL and returns to the results with Back', async () => {
      await page.goto(origin());
      await page.fill('#q', sample!.title);
      await page.click(`#results a[href="${sample!.url}"]`);
      await page.waitForURL(`${origin()}${sample!.url}`);
      await page.goBack();
      await locateResultLinks().first().waitFor();
      expect(new URL(page.url()).searchParams.get('q')).toBe(sample!.title);
      expect(await page.inputValue('#q')).toBe(sample!.title);
    });

    it('opens the page with the results on Enter, and returns to the results with Back', async () => {
      await page.goto(origin());
      await page.fill('#q', sample!.title);
      await page.press('#q', 'Enter');
      await page.waitForURL(
        (url) => url.pathname === '/find' && url.searchParams.get('q') === sample!.title,
      );
      await page.locator(`#results a[href="${sample!.url}"]`).first().waitFor();
      await page.goBack();
      await locateResultLinks().first().waitFor();
      expect(await page.inputValue('#q')).toBe(sample!.title);
    });

    it('loads the index on the page with the results only when it is used', async () => {
      const requests: string[] = [];
      const listen = (request: { url(): string }) => requests.push(new URL(request.url()).pathname);
      page.on('request', listen);
      await page.goto(`${origin()}/find?q=${encodeURIComponent(sample!.title)}`, {
        waitUntil: 'networkidle',
      });
      expect(requests).toContain('/find');
      expect(requests).not.toContain('/search-index.json');
      const found = await locateResultLinks().first().getAttribute('href');
      await page.fill('#q', 'qqxxqqxx');
      await page.waitForFunction(() => !document.querySelector('#results a'));
      await page.fill('#q', sample!.title);
      await locateResultLinks().first().waitFor();
      expect(await locateResultLinks().first().getAttribute('href')).toBe(found);
      expect(requests).toContain('/search-index.json');
      page.off('request', listen);
    });

    it('shows the price, area, forms and phone number of a service in its result', async () => {
      await page.goto(origin());
      for (const subsite of registry.subsites.filter(({ phone }) => phone).slice(0, 3)) {
        await page.fill('#q', subsite.title);
        const result = page.locator(`#results li:has(a.found[href="${subsite.url}"])`);
        await result.waitFor();
        const text = (await result.textContent())!.replaceAll('\u00a0', ' ');
        expect(text).toContain(`Call ${subsite.phone}`);
        expect(text).toContain(subsite.serviceArea?.split(';')[0] ?? '');
        expect(await result.locator('a[href^="tel:"]').count()).toBe(1);
        if (subsite.hours) expect(text).toMatch(/Open now, until|Closed (?:now|today.*), opens/);
      }
    });

    it('explains what the network does not offer, and whom to ask', async () => {
      await page.goto(origin());
      const { notOffered } = registry.network.search;
      const queries = [
        ...notOffered.map(({ what, words, answer }) => [words[0]!, answer ?? `do ${what}`]),
        ['qqxxqqxx'],
      ];
      await page.fill('#q', 'qqxxqqxx');
      await page.locator('.ask-person').waitFor();
      // All queries in one call, so that the page is not painted after each.
      const answers = await page.evaluate(
        async (words) => {
          const field = document.querySelector<HTMLInputElement>('#q')!;
          const state = document.querySelector('#search-state')!;
          const shown: { text: string; isPhoneVisible: boolean }[] = [];
          for (const word of words) {
            const updated = new Promise((resolve) =>
              new MutationObserver(resolve).observe(state, { childList: true }),
            );
            field.value = word;
            field.dispatchEvent(new Event('input'));
            await updated;
            const phone = document.querySelector('.ask-person a[href^="tel:"]');
            shown.push({ text: state.textContent!, isPhoneVisible: !!phone?.checkVisibility() });
          }
          return shown;
        },
        queries.map(([word]) => word!),
      );
      expect(answers).toEqual(
        queries.map(([, expected = 'found nobody']) => ({
          text: expect.stringContaining(expected) as string,
          isPhoneVisible: true,
        })),
      );
      await page.fill('#q', '');
      expect(await page.locator('.ask-person').isVisible()).toBe(false);
    });

    it('shows exactly as many results as it reports', async () => {
      await page.goto(origin());
      let checkedQueryCount = 0;
      for (const query of ['house', 'rent', 'se']) {
        await page.fill('#q', '');
        await page.fill('#q', query);
        await page.waitForFunction(
          () => document.querySelector('#search-state')!.textContent !== '',
        );
        const stateText = await page.locator('#search-state').textContent();
        const expectedCount = /^(\d+) results?$/.exec(stateText ?? '')?.[1];
        if (expectedCount === undefined) continue;
        checkedQueryCount++;
        const showAllLink = page.locator('.all-results');
        if (await showAllLink.isVisible()) await showAllLink.click();
        expect(await page.locator('#results li').count(), query).toBe(Number(expectedCount));
        expect(await showAllLink.isVisible()).toBe(false);
      }
      expect(checkedQueryCount).toBeGreaterThan(0);
    });

    it('filters by category, with and without a query', async () => {
      await page.goto(origin());
      for (const { category } of registry.subsites.filter(
        (subsite, index, subsites) =>
          subsites.findIndex((other) => other.category === subsite.category) === index,
      )) {
        await page.check(`#only-${category}`);
        const visibleCategories = await page
          .locator('.service-group:visible')
          .evaluateAll((groups) => groups.map((group) => (group as HTMLElement).dataset.category));
        expect(visibleCategories).toEqual([category]);
        await page.fill('#q', 'a');
        await page.fill('#q', '');
      }
    });

    it('highlights matches on the chart and fades the rest without moving anything', async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(origin(), { waitUntil: 'networkidle' });
      const readLabels = () =>
        page.$$eval('.chart a', (links) =>
          links.map((link) => {
            const { x, y } = link.getBoundingClientRect();
            const { opacity } = getComputedStyle(link);
            return { name: (link as SVGElement).dataset['subsite'], at: [x, y], opacity };
          }),
        );
      const labelsBefore = await readLabels();
      expect(labelsBefore.map(({ opacity }) => opacity)).toEqual(labelsBefore.map(() => '1'));
      await page.fill('#q', sample!.title);
      await page.waitForSelector('.chart.answering');
      const { found } = findNeed(createServiceIndex(registry), sample!.title, { isTyping: true });
      const highlightedSubsites = new Set(found.map(({ subsite }) => subsite));
      expect(await readLabels()).toEqual(
        labelsBefore.map((label) => ({
          ...label,
          opacity: highlightedSubsites.has(label.name!) ? '1' : '0.22',
        })),
      );
      expect(
        highlightedSubsites.has(sample!.name) && highlightedSubsites.size < labelsBefore.length,
      ).toBe(true);
      await page.press('#q', 'Escape');
      expect(await readLabels()).toEqual(labelsBefore);
      expect(await page.locator('.chart:not([aria-hidden="true"])').count()).toBe(0);
    });

    it('searches without scripts, with the same results on a separate page', async () => {
      const { notOffered } = registry.network.search;
      const queries = [sample!.title, ...notOffered.slice(0, 1).map(({ words }) => words[0]!)];
      for (const query of [...queries, 'qqxxqqxx']) {
        await plainPage.goto(origin());
        await plainPage.fill('#q', query);
        await plainPage.press('#q', 'Enter');
        await plainPage.waitForURL((url) => url.pathname === '/find');
        expect(await plainPage.title()).toContain(query);
        expect(await plainPage.inputValue('#q')).toBe(query);
        expect(await plainPage.locator('meta[name="robots"]').getAttribute('content')).toBe(
          'noindex',
        );
        expect(await plainPage.locator('.ask-person a[href^="tel:"]').isVisible()).toBe(true);
        const readSearchMarkup = (targetPage: Page) =>
          targetPage.$eval('.site-search', (search) =>
            ['.search-state', '#results', '.ask-person'].map(
              (part) => search.querySelector(part)!.outerHTML,
            ),
          );
        const readPartOrder = (targetPage: Page) =>
          targetPage.$$eval('.search-state, #results, .ask-person', (parts) =>
            parts.map(({ className, id }) => id || className),
          );
        await page.goto(origin());
        await page.fill('#q', query);
        await page.waitForFunction(
          () => document.querySelector('#search-state')!.textContent !== '',
        );
        const showAllLink = page.locator('.all-results');
        if (await showAllLink.isVisible()) await showAllLink.click();
        expect(await readSearchMarkup(plainPage)).toEqual(await readSearchMarkup(page));
        expect(await readPartOrder(plainPage)).toEqual(await readPartOrder(page));
      }
    });

    it('lists every subsite as a plain link without scripts', async () => {
      await plainPage.goto(origin());
      const links = await plainPage
        .locator('#services a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(links.sort()).toEqual(registry.subsites.map(({ url }) => url).sort());
      expect(await plainPage.locator('#q').isVisible()).toBe(true);
    });

    it('fills three columns with its introduction and two lists on a wide screen', async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(origin());
      const parts = page.locator('.front-prose .prose > :is(:first-child, h2)');
      const places = await parts.evaluateAll((elements) =>
        elements.map((element) => element.getBoundingClientRect().x),
      );
      if (places.length === 3) expect(new Set(places).size).toBe(3);
    });

    it('fits in seven screens on a phone, with all of its links', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(origin());
      const { height, links } = await page.evaluate(() => ({
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
    });

    it('keeps every label of its chart inside the drawing', async () => {
      await page.goto(origin());
      const overflowingLabels = await page.$$eval('.chart text', (labels) =>
        labels.flatMap((name) => {
          const { x, width } = (name as SVGTextElement).getBBox();
          const drawing = (name as SVGTextElement).ownerSVGElement!.viewBox.baseVal.width;
          return x < 8 || x + width > drawing - 8 ? [name.textContent.trim()] : [];
        }),
      );
      expect(overflowingLabels).toEqual([]);
    });

    it('transfers at most 60 KiB', async () => {
      const freshPage = await (await browser.newContext()).newPage();
      const session = await freshPage.context().newCDPSession(freshPage);
      const urls = new Map<string, string>();
      const bytes = new Map<string, number>();
      await session.send('Network.enable');
      session.on('Network.requestWillBeSent', ({ requestId, request }) =>
        urls.set(requestId, request.url),
      );
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
        bytes.set(urls.get(requestId)!, encodedDataLength),
      );
      await freshPage.goto(origin(), { waitUntil: 'networkidle' });
      const otherFiles = [...bytes].filter(([url]) => !url.endsWith('.woff2'));
      expect(otherFiles.length).toBeGreaterThan(2);
      expect(otherFiles.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
    });

    it('does not shift after the first paint, even when the font loads late on a slow phone', async () => {
      for (const viewport of [
        { width: 390, height: 844 },
        { width: 1440, height: 900 },
      ]) {
        const context = await browser.newContext({ viewport });
        const slowPage = await context.newPage();
        const session = await context.newCDPSession(slowPage);
        await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
        const release = Promise.withResolvers<void>();
        await slowPage.route('**/*.woff2', (route) => release.promise.then(() => route.continue()));
        await slowPage.addInitScript(recordShifts);
        await slowPage.goto(origin(), { waitUntil: 'domcontentloaded' });
        await slowPage.waitForFunction(
          () => performance.getEntriesByName('first-contentful-paint').length > 0,
        );
        const paintTime = await slowPage.evaluate(waitForPaint);
        // A throttled page uses whole cores that other tests need.
        await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
        // Longer than browsers wait for an optional font.
        await slowPage.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
        release.resolve();
        await slowPage.waitForFunction(() =>
          [...document.fonts].some(({ status }) => status === 'loaded'),
        );
        await slowPage.evaluate(waitForPaint);
        expect(await slowPage.evaluate(listShiftsSince, paintTime), `${viewport.width} px`).toEqual(
          [],
        );
        await context.close();
      }
    });

    it('shows its results over the page without shifting it, however late they load', async () => {
      for (const viewport of [
        { width: 390, height: 480 },
        { width: 1440, height: 900 },
      ]) {
        const context = await browser.newContext({ viewport });
        const slowSearchPage = await context.newPage();
        const release = Promise.withResolvers<void>();
        await slowSearchPage.route('**/search-index.json', (route) =>
          release.promise.then(() => route.continue()),
        );
        await slowSearchPage.addInitScript(recordShifts);
        await slowSearchPage.goto(origin(), { waitUntil: 'networkidle' });
        const paintTime = await slowSearchPage.evaluate(waitForPaint);
        await slowSearchPage.focus('#q');
        await slowSearchPage.keyboard.type(sample!.title.slice(0, 3));
        release.resolve();
        await slowSearchPage.waitForFunction(
          () => document.querySelector('#search-state')!.textContent !== '',
        );
        await slowSearchPage.keyboard.type(sample!.title.slice(3));
        await slowSearchPage.locator('#results a').first().waitFor();
        await slowSearchPage.waitForURL((url) => url.searchParams.get('q') === sample!.title);
        await slowSearchPage.press('#q', 'Escape');
        await slowSearchPage.evaluate(waitForPaint);
        expect(
          await slowSearchPage.evaluate(listShiftsSince, paintTime),
          `${viewport.width} px`,
        ).toEqual([]);
        await context.close();
      }
    });

    it.each([390, 1440])('ends the page right after its results at %i px', async (width) => {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${origin()}/?q=${encodeURIComponent(sample!.title)}`);
      await page.locator('#results a').first().waitFor();
      await expect
        .poll(() =>
          page.evaluate(() => {
            const bottomOf = (part: string) =>
              document.querySelector(part)!.getBoundingClientRect().bottom;
            return bottomOf('#services') - Math.max(bottomOf('.search-panel'), innerHeight);
          }),
        )
        .toBeCloseTo(0, 0);
    });

    it('indexes every subsite and item of the registry', () => {
      const index = JSON.stringify(createServiceDocument(readBuiltSite(outDir).registry));
      for (const subsite of registry.subsites) {
        expect(index).toContain(JSON.stringify(subsite.url));
        for (const item of registry.catalogs[subsite.name]?.items ?? [])
          expect(index).toContain(JSON.stringify(item.title));
      }
    });
  },
);
