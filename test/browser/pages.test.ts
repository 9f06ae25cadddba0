import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { problemCodes } from '../../src/operation/problem.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { addAxe, breaches } from './accessibility.ts';
import { madePages, type MadePage } from './made-pages.ts';
import { openFrame, showInPlace, watchedPage } from './open.ts';
import { builtSite, templatePages } from './template-pages.ts';

const PHONE = { width: 390, height: 844 };
const NARROWEST = { width: 320, height: 640 };
const DESKTOP = { width: 1280, height: 900 };
/** Half the width of a desktop, as at a zoom of 200 percent. */
const ZOOMED = { width: 640, height: 450, deviceScaleFactor: 2, mobile: false };

/** What does not fit the width of the window; runs in the page. */
function layoutFaults(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  // An identifier in a table may go to the next line at a hyphen or a slash, and nowhere else.
  const chopped = [...document.querySelectorAll('table code')].filter(
    (code) => !/[\s/-]/.test(code.textContent.trim()) && code.getClientRects().length > 1,
  );
  return [
    ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : []),
    ...chopped.map((code) => `${code.textContent} is chopped`),
  ];
}

/** Sentences that a layout splits into columns; runs in the page. */
const splitSentences = (): string[] =>
  [...document.querySelectorAll('main p, main li, main dd, main h1, main h2, main h3')]
    .filter((element) => /flex|grid/.test(getComputedStyle(element).display))
    .filter(
      (element) =>
        [...element.childNodes].filter(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim(),
        ).length > 1,
    )
    .map((element) => `splits ${element.textContent!.trim().slice(0, 80)}`);

/** Sentences without a space between them; runs in the page. */
const joinedSentences = (): string[] =>
  [...document.querySelectorAll('p')].flatMap(
    ({ textContent }) => /\p{Ll}[.!?]\p{Lu}\p{Ll}+ .*/u.exec(textContent)?.[0].slice(0, 60) ?? [],
  );

/** Controls that a thumb misses, and words that a phone shows too small; runs in the page. */
function phoneFaults(): string[] {
  const shown = (selector: string) =>
    [...document.querySelectorAll(selector)].filter(
      (element) => element.checkVisibility() && !element.closest('.unseen'),
    );
  const low = shown(
    'main :is(button, .button, select, textarea, input:not([type="radio"], [type="checkbox"]))',
  ).filter((control) => control.getBoundingClientRect().height < 43.9);
  const tiny = shown('main :is(p, li, dt, dd, label, legend)').filter(
    (words) =>
      !words.matches('.badge, .tag, .example, .method, .reference-columns *') &&
      [...words.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim(),
      ) &&
      Number.parseFloat(getComputedStyle(words).fontSize) < 16,
  );
  return [
    ...low.map((control) => `${control.outerHTML.slice(0, 90)} is not 44 px high`),
    ...tiny.map((words) => `“${words.textContent!.trim().slice(0, 60)}” is under 16 px`),
  ];
}

/** What stands apart from what it belongs to; runs in the page. */
function tornApart(): string[] {
  const labels = [...document.querySelectorAll<HTMLLabelElement>('.columns .field > label')];
  const apart = labels.filter((label) => {
    const next = label.nextElementSibling!;
    return next.getBoundingClientRect().top - label.getBoundingClientRect().bottom > 12;
  });
  const inWords = [...document.querySelectorAll('p > .button')].filter(
    (button) =>
      getComputedStyle(button).display.startsWith('inline') &&
      getComputedStyle(button.parentElement!).display === 'block' &&
      [...button.parentElement!.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim(),
      ),
  );
  return [
    ...apart.map((label) => `the label ${label.textContent!.trim()} is far from its input`),
    ...inWords.map((button) => `the button ${button.textContent!.trim()} is within a sentence`),
  ];
}

/** Identifiers that more than one element has; runs in the page. */
const repeatedIds = (): string[] =>
  [...Map.groupBy(document.querySelectorAll('[id]'), ({ id }) => id)]
    .filter(([, elements]) => elements.length > 1)
    .map(([id]) => `repeats #${id}`);

describe.runIf(findProgram('chromium')).each(['mainBuild', 'fourBuild'] as const)(
  'the pages of %s in a browser',
  (build) => {
    const outDir = inject(build);
    const pages = pagesOfSite(builtSite(outDir), problemCodes);
    let running: Running;
    let browser: Browser;
    let page: Page;
    let complaints: () => string[];
    let session: CDPSession;
    let made: MadePage[];
    const at = (path: string) => `http://127.0.0.1:${running.port}${path}`;

    beforeAll(async () => {
      running = await serveBuild(outDir);
      made = await madePages(running);
      browser = await launchChromium();
      const context = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' });
      ({ page, complaints } = await watchedPage(context));
      session = await context.newCDPSession(page);
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });

    /** One load shows a page in both schemes and at four widths. */
    async function faultsOf(open: MadePage['open']): Promise<string[]> {
      const faults: string[] = [];
      const note = (on: string, found: readonly string[]) =>
        faults.push(...found.map((fault) => `${on}: ${fault}`));
      await page.setViewportSize(PHONE);
      await page.emulateMedia({ colorScheme: 'light' });
      await open(page);
      note('on a phone', await page.evaluate(layoutFaults));
      note('on a phone', await page.evaluate(phoneFaults));
      await addAxe(page);
      note('on a phone', await breaches(page));
      await page.setViewportSize(NARROWEST);
      note('at 320 px', await page.evaluate(layoutFaults));
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      note('at 320 px with text of twice the size', await page.evaluate(layoutFaults));
      await page.evaluate(() => (document.documentElement.style.fontSize = ''));
      await session.send('Emulation.setDeviceMetricsOverride', ZOOMED);
      note('zoomed', await page.evaluate(layoutFaults));
      await page.setViewportSize(DESKTOP);
      await page.emulateMedia({ colorScheme: 'dark' });
      note('on a desktop', await breaches(page));
      note('on a desktop', await page.evaluate(splitSentences));
      note('on a desktop', await page.evaluate(tornApart));
      note('has no space in', await page.evaluate(joinedSentences));
      note('in its document', await page.evaluate(repeatedIds));
      return faults;
    }

    const FITTING =
      'without a complaint, fits and is accessible: on a phone in light, zoomed, and on a desktop in dark';
    it.each(templatePages(outDir))(`$path opens ${FITTING}`, async ({ path }) => {
      const faults = await faultsOf(async (to) => {
        const status = (await to.goto(at(path)))?.status();
        expect([status, complaints()]).toEqual([200, []]);
      });
      expect(faults).toEqual([]);
    });

    it(`every page that is made on request opens ${FITTING}`, async () => {
      const faults: string[] = [];
      for (const { name, open } of made)
        faults.push(...(await faultsOf(open)).map((fault) => `${name} ${fault}`));
      expect(faults).toEqual([]);
    });

    it('fit a narrow phone and a phone, every one of them', async () => {
      const context = await browser.newContext({ reducedMotion: 'reduce', bypassCSP: true });
      const outer = await context.newPage();
      await outer.goto(at('/'));
      const frame = await openFrame(outer, PHONE);
      const faults: string[] = [];
      for (const { path } of pages) {
        await frame.evaluate(showInPlace, path);
        for (const { width, height } of [NARROWEST, PHONE]) {
          await frame.evaluate((size) => Object.assign(frameElement!, size), {
            width: String(width),
            height: String(height),
          });
          const found = await frame.evaluate(layoutFaults);
          faults.push(...found.map((fault) => `${path} at ${width} px: ${fault}`));
        }
      }
      expect(faults).toEqual([]);
    });
  },
);
