import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { problemCodes } from '../../src/operation/problem.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { madePages, type MadePage } from './made-pages.ts';
import { showInPlace, watchedPage } from './open.ts';
import { builtSite, templatePages } from './template-pages.ts';

const PHONE = { width: 390, height: 844 };
const NARROWEST = { width: 320, height: 640 };
const DESKTOP = { width: 1280, height: 900 };
/** Half the width of a desktop, as at a zoom of 200 percent. */
const ZOOMED = { width: 640, height: 450, deviceScaleFactor: 2, mobile: false };

/** The rules of WCAG 2.2 AA and axe’s best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

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

/** Whether axe leaves a text to a person because it has the very color of what is behind it. */
const isInvisible = ({ any }: axe.NodeResult): boolean =>
  any.some(({ data }) => (data as { messageKey?: string } | null)?.messageKey === 'equalRatio');

/**
 * Breaches of the rules in the open page, which has axe. Text of the color behind it is one: axe
 * counts it as incomplete, as it may be hidden on purpose.
 */
async function breaches(page: Page): Promise<string[]> {
  const { violations, incomplete } = await page.evaluate(
    (tags) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        runOnly: tags,
        resultTypes: ['violations', 'incomplete'],
      }),
    RULES,
  );
  return [
    ...violations,
    ...incomplete.map((rule) => ({ ...rule, nodes: rule.nodes.filter(isInvisible) })),
  ].flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} at ${html}`));
}

describe.runIf(findProgram('chromium')).each(['mainBuild', 'fourBuild'] as const)(
  'the pages of %s in a browser',
  (build) => {
    const outDir = inject(build);
    const pages = pagesOfSite(builtSite(outDir), problemCodes);
    let running: Running;
    let browser: Browser;
    let made: MadePage[];
    const at = (path: string) => `http://127.0.0.1:${running.port}${path}`;

    beforeAll(async () => {
      running = await serveBuild(outDir);
      made = await madePages(running);
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });

    // One load of each page shows it in both schemes and at four widths.
    it('open without a complaint, fit and are accessible: on a phone in light, zoomed, and on a desktop in dark', async () => {
      const context = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' });
      const { page, complaints } = await watchedPage(context);
      const session = await context.newCDPSession(page);
      const prerendered = templatePages(outDir).map(({ path }): MadePage => ({
        name: path,
        async open(to) {
          const status = (await to.goto(at(path)))?.status();
          if (status !== 200) throw new Error(`${path}: ${status}`);
          expect([path, complaints()]).toEqual([path, []]);
        },
      }));
      const faults: string[] = [];
      for (const { name, open } of [...prerendered, ...made]) {
        const note = (on: string, found: readonly string[]) =>
          faults.push(...found.map((fault) => `${name} ${on}: ${fault}`));
        await page.setViewportSize(PHONE);
        await page.emulateMedia({ colorScheme: 'light' });
        await open(page);
        note('on a phone', await page.evaluate(layoutFaults));
        await page.evaluate(axe.source);
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
        note('has no space in', await page.evaluate(joinedSentences));
      }
      expect(faults).toEqual([]);
    });

    it('fit a narrow phone and a phone, every one of them', async () => {
      const context = await browser.newContext({ reducedMotion: 'reduce', bypassCSP: true });
      const page = await context.newPage();
      await page.goto(at('/'));
      const faults: string[] = [];
      for (const { path } of pages) {
        await page.evaluate(showInPlace, path);
        for (const viewport of [NARROWEST, PHONE]) {
          await page.setViewportSize(viewport);
          const found = await page.evaluate(layoutFaults);
          faults.push(...found.map((fault) => `${path} at ${viewport.width} px: ${fault}`));
        }
      }
      expect(faults).toEqual([]);
    });
  },
);
