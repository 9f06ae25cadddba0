import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { problemCodes } from '../../src/operation/problem.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { madePages, type MadePage } from './made-pages.ts';
import { watchedPage } from './open.ts';
import { builtSite, templatePages } from './template-pages.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

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

/**
 * Shows another page’s styles and body in the open page; runs in the page. Loading a page anew for
 * its layout alone takes ten times as long.
 */
async function showInPlace(path: string): Promise<void> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const sheets = (of: Document) => [
    ...of.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'),
  ];
  const wanted = sheets(next).map((link) => link.getAttribute('href')!);
  const present = sheets(document).map((link) => link.getAttribute('href')!);
  await Promise.all(
    wanted
      .filter((href) => !present.includes(href))
      .map((href) => {
        const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
        const loaded = new Promise((resolve, reject) => {
          link.onload = resolve;
          link.onerror = () => reject(new Error(`${href} does not load`));
        });
        document.head.append(link);
        return loaded;
      }),
  );
  for (const link of sheets(document))
    if (!wanted.includes(link.getAttribute('href')!)) link.remove();
  document.body.replaceWith(document.adoptNode(next.body));
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
      process.env['RATE_LIMIT_READS'] = process.env['RATE_LIMIT_WRITES'] = '0';
      running = await serveBuild(outDir);
      made = await madePages(running);
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
      delete process.env['RATE_LIMIT_READS'];
      delete process.env['RATE_LIMIT_WRITES'];
    });

    it('open on a phone without a complaint', { timeout: 300_000 }, async () => {
      const { page, complaints } = await watchedPage(
        await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' }),
      );
      const faults: string[] = [];
      for (const { path } of templatePages(outDir)) {
        const response = await page.goto(at(path));
        if (response?.status() !== 200) faults.push(`${path}: ${response?.status()}`);
        faults.push(...(await page.evaluate(layoutFaults)).map((fault) => `${path}: ${fault}`));
        faults.push(...complaints().map((complaint) => `${path}: ${complaint}`));
      }
      expect(faults).toEqual([]);
    });

    it.each([320, 390])('fit %i px, every one of them', { timeout: 300_000 }, async (width) => {
      const context = await browser.newContext({
        viewport: { width, height: 844 },
        reducedMotion: 'reduce',
        bypassCSP: true,
      });
      const page = await context.newPage();
      await page.goto(at('/'));
      const faults: string[] = [];
      for (const { path } of pages) {
        await page.evaluate(showInPlace, path);
        faults.push(...(await page.evaluate(layoutFaults)).map((fault) => `${path}: ${fault}`));
      }
      expect(faults).toEqual([]);
    });

    it(
      'that are made on request open on a phone without scrolling sideways',
      { timeout: 300_000 },
      async () => {
        const page = await (
          await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' })
        ).newPage();
        const faults: string[] = [];
        for (const { name, open } of made) {
          await open(page);
          const excess = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          if (excess > 0) faults.push(`${name}: ${excess} px too wide`);
        }
        expect(faults).toEqual([]);
      },
    );

    // Colours differ by scheme and layouts by width: two runs see each of them once.
    it.each([
      ['light', PHONE],
      ['dark', DESKTOP],
    ] as const)(
      'are accessible in %s at %o',
      { timeout: 300_000 },
      async (colorScheme, viewport) => {
        const page = await (
          await browser.newContext({
            viewport,
            colorScheme,
            reducedMotion: 'reduce',
            bypassCSP: true,
          })
        ).newPage();
        const faults: string[] = [];
        const prerendered = templatePages(outDir).map(({ path }): MadePage => ({
          name: path,
          open: (to) => to.goto(at(path)),
        }));
        for (const { name, open } of [...prerendered, ...made]) {
          await open(page);
          await page.addScriptTag({ content: axe.source });
          const { violations } = await page.evaluate(
            (tags) => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: tags }),
            RULES,
          );
          faults.push(
            ...violations.flatMap(({ id, nodes }) =>
              nodes.map(({ html }) => `${name}: ${id} at ${html}`),
            ),
          );
        }
        expect(faults).toEqual([]);
      },
    );

    it('stand in half the width, as at a zoom of 200 percent', { timeout: 120_000 }, async () => {
      const { page } = await watchedPage(
        await browser.newContext({ viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }),
      );
      const faults: string[] = [];
      for (const { path } of templatePages(outDir)) {
        await page.goto(at(path));
        const excess = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (excess > 0) faults.push(`${path}: ${excess} px too wide`);
      }
      expect(faults).toEqual([]);
    });
  },
);
