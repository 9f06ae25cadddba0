import type { Browser, Frame, Page, ViewportSize } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import {
  injectAxe,
  findAccessibilityViolations,
  findViolationsOfAppearance,
  markVisibleElements,
} from './accessibility.ts';
import { openOnRequestPages, type OnRequestPage } from './on-request-pages.ts';
import { openFrame, openWatchedPage, runChecks, showInPlace } from './browser-page.ts';
import { readBuiltSite, selectTemplatePages } from './template-pages.ts';

const PHONE_VIEWPORT = { width: 390, height: 844 };
const NARROWEST_VIEWPORT = { width: 320, height: 640 };
const DESKTOP_VIEWPORT = { width: 1280, height: 900 };
/** Half the size of a desktop window, as at 200% zoom. */
const ZOOMED_VIEWPORT = { width: 640, height: 450 };

/** Elements that overflow the window horizontally; runs in the page. */
function findLayoutFaults(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  // An identifier in a table may wrap only at a hyphen or a slash.
  const brokenIdentifiers = [...document.querySelectorAll('table code')].filter(
    (code) => !/[\s/-]/.test(code.textContent.trim()) && code.getClientRects().length > 1,
  );
  // The head of a page hides what is wider than the page.
  const cutButtons = [...document.querySelectorAll('main .button')].filter(
    (button) => button.getBoundingClientRect().right > clientWidth + 0.5,
  );
  return [
    ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : []),
    ...cutButtons.map((button) => `${button.textContent} is cut off`),
    ...brokenIdentifiers.map((code) => `${code.textContent} is broken across lines`),
  ];
}

/** Sentences that a flex or grid layout splits into columns; runs in the page. */
const findSplitSentences = (): string[] =>
  [...document.querySelectorAll('main p, main li, main dd, main h1, main h2, main h3')]
    .filter((element) => /flex|grid/.test(getComputedStyle(element).display))
    .filter(
      (element) =>
        [...element.childNodes].filter(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim(),
        ).length > 1,
    )
    .map((element) => `splits ${element.textContent!.trim().slice(0, 80)}`);

/** Text whose space before an element disappears in a flex or grid layout; runs in the page. */
const findLostSpaces = (): string[] =>
  [...document.querySelectorAll('body *')]
    .filter((element) => {
      const { display, columnGap } = getComputedStyle(element);
      return /flex|grid/.test(display) && !(Number.parseFloat(columnGap) > 0);
    })
    .filter(({ childNodes }) =>
      [...childNodes].some(
        ({ nodeType, textContent, nextSibling }) =>
          nodeType === Node.TEXT_NODE &&
          /\S\s+$/.test(textContent!) &&
          nextSibling?.nodeType === Node.ELEMENT_NODE,
      ),
    )
    .map((element) => `loses a space in ${element.textContent.trim().slice(0, 60)}`);

/** Sentences without a space between them; runs in the page. */
const findJoinedSentences = (): string[] =>
  [...document.querySelectorAll('p')].flatMap(
    ({ textContent }) => /\p{Ll}[.!?]\p{Lu}\p{Ll}+ .*/u.exec(textContent)?.[0].slice(0, 60) ?? [],
  );

/** Touch targets below 44 px and text below 16 px; runs in the page. */
function findMobileLayoutFaults(): string[] {
  const findVisibleElements = (selector: string) =>
    [...document.querySelectorAll(selector)].filter(
      (element) => element.checkVisibility() && !element.closest('.unseen'),
    );
  const smallControls = findVisibleElements(
    'main :is(button, .button, select, textarea, input:not([type="radio"], [type="checkbox"]))',
  ).filter((control) => control.getBoundingClientRect().height < 43.9);
  const smallTextBlocks = findVisibleElements('main :is(p, li, dt, dd, label, legend)').filter(
    (block) =>
      !block.matches('.badge, .tag, .example, .method, .reference-columns *') &&
      [...block.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim(),
      ) &&
      Number.parseFloat(getComputedStyle(block).fontSize) < 16,
  );
  return [
    ...smallControls.map((control) => `${control.outerHTML.slice(0, 90)} is not 44 px high`),
    ...smallTextBlocks.map((block) => `“${block.textContent!.trim().slice(0, 60)}” is under 16 px`),
  ];
}

/**
 * Labels far from their inputs, labels and inputs that are not aligned in their row, content that
 * does not start below the wordmark, buttons in the middle of a sentence, and sentences that a
 * flexbox or grid layout splits; runs in the page.
 */
function findMisplacedElements(): string[] {
  const labels = [...document.querySelectorAll<HTMLLabelElement>('.columns .field > label')].filter(
    (label) => label.checkVisibility(),
  );
  const boxOf = (element: Element) => element.getBoundingClientRect();
  const distantLabels = labels.filter((label) => {
    const { top, bottom } = boxOf(label);
    const partsBelow = [...label.parentElement!.children].filter((part) => boxOf(part).top > top);
    return Math.min(...partsBelow.map((part) => boxOf(part).top)) - bottom > 12;
  });
  const rows = labels.map((label) => ({ label: boxOf(label), input: boxOf(label.control!) }));
  const unalignedLabels = labels.filter((_, index) => {
    const { label, input } = rows[index]!;
    return rows.some(
      (other) =>
        other.input.left !== input.left &&
        other.input.top < input.bottom &&
        input.top < other.input.bottom &&
        (other.input.top !== input.top || other.label.bottom !== label.bottom),
    );
  });
  // A storefront has a different header.
  const wordmark = document.querySelector('.wordmark');
  const shiftedFrames = [...document.querySelectorAll('main .frame')].filter(
    (frame) =>
      wordmark &&
      Math.abs(
        boxOf(frame).left +
          Number.parseFloat(getComputedStyle(frame).paddingInlineStart) -
          boxOf(wordmark).left,
      ) > 1,
  );
  const buttonsInText = [...document.querySelectorAll('p > .button')].filter(
    (button) =>
      getComputedStyle(button).display.startsWith('inline') &&
      getComputedStyle(button.parentElement!).display === 'block' &&
      [...button.parentElement!.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim(),
      ),
  );
  const hasWords = (node: Node) =>
    node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '';
  const splitSentences = [
    ...document.querySelectorAll('main :is(p, li, dd, td, h1, h2, h3)'),
  ].filter(
    (block) =>
      /flex|grid/.test(getComputedStyle(block).display) &&
      [...block.childNodes].some(hasWords) &&
      [...block.children].some((child) => !child.matches('svg, .badge')),
  );
  return [
    ...splitSentences.map((block) => `“${block.textContent!.trim().slice(0, 60)}” is split`),
    ...distantLabels.map((label) => `the label ${label.textContent!.trim()} is far from its input`),
    ...shiftedFrames.map(
      (frame) => `.${frame.className} starts at a different edge than the header`,
    ),
    ...unalignedLabels.map(
      (label) => `${label.textContent!.trim()} is not aligned with the field beside it`,
    ),
    ...buttonsInText.map(
      (button) => `the button ${button.textContent!.trim()} is within a sentence`,
    ),
  ];
}

/** Introductions that end far above the prices or hours beside them; runs in the page. */
const findEmptyColumns = (): string[] =>
  [...document.querySelectorAll('.opening > .intro + *')]
    .map((beside) => {
      const text = beside.previousElementSibling!.getBoundingClientRect();
      const { left, bottom } = beside.getBoundingClientRect();
      return left < text.right ? 0 : bottom - text.bottom;
    })
    .filter((gap) => gap > 200)
    .map((gap) => `${Math.round(gap)} px beside the introduction are empty`);

/** IDs that more than one element has; runs in the page. */
const findRepeatedIds = (): string[] =>
  [...Map.groupBy(document.querySelectorAll('[id]'), ({ id }) => id)]
    .filter(([, elements]) => elements.length > 1)
    .map(([id]) => `repeats #${id}`);

describe.runIf(findProgram('chromium')).each(['mainBuild', 'fourBuild'] as const)(
  'pages of %s in a browser',
  (build) => {
    const outDir = inject(build);
    const pages = pagesOfSite(readBuiltSite(outDir));
    let running: RunningService;
    let browser: Browser;
    let page: Page;
    let takeErrors: () => string[];
    /** A frame with axe, which shows one page after another without their scripts. */
    let frame: Frame;
    let onRequestPages: OnRequestPage[];
    const urlOf = (path: string) => `http://127.0.0.1:${running.port}${path}`;

    beforeAll(async () => {
      running = await serveBuild(outDir);
      onRequestPages = await openOnRequestPages(running);
      browser = await launchChromium();
      const context = await browser.newContext({
        viewport: PHONE_VIEWPORT,
        reducedMotion: 'reduce',
      });
      ({ page, takeErrors } = await openWatchedPage(context, { recordsStatus: false }));
      const framePage = await browser.newPage({ reducedMotion: 'reduce', bypassCSP: true });
      await framePage.goto(urlOf('/'));
      frame = await openFrame(framePage, PHONE_VIEWPORT);
      await injectAxe(frame);
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });

    /**
     * Checks an open page in both color schemes and at four widths. Its document is moved to the
     * frame, which neither paints it nor loads axe for each page.
     */
    async function findFaults(): Promise<string[]> {
      const faults: string[] = [];
      const record = (place: string, found: readonly string[]) =>
        faults.push(...found.map((fault) => `${place}: ${fault}`));
      const check = async (viewport: ViewportSize, checks: [string, () => string[], string?][]) => {
        const results = await runChecks(
          frame,
          checks.map(([, find, textSize = '']) => ({ viewport, textSize, find })),
        );
        for (const [index, found] of results.entries()) record(checks[index]![0], found);
      };
      await frame.page().emulateMedia({ colorScheme: 'light' });
      await frame.evaluate(showInPlace, await page.content());
      await check(PHONE_VIEWPORT, [
        ['on a phone', findLayoutFaults],
        ['on a phone', findMobileLayoutFaults],
      ]);
      record('on a phone', await findAccessibilityViolations(frame));
      await markVisibleElements(frame);
      await check(NARROWEST_VIEWPORT, [
        ['at 320 px', findLayoutFaults],
        ['at 320 px with text of twice the size', findLayoutFaults, '200%'],
      ]);
      await check(ZOOMED_VIEWPORT, [['zoomed', findLayoutFaults]]);
      await frame.page().emulateMedia({ colorScheme: 'dark' });
      await check(DESKTOP_VIEWPORT, [
        ['on a desktop', findSplitSentences],
        ['on a desktop', findLostSpaces],
        ['on a desktop', findMisplacedElements],
        ['has no space in', findJoinedSentences],
        ['in its document', findRepeatedIds],
      ]);
      record('on a desktop', await findViolationsOfAppearance(frame));
      return faults;
    }

    const FAULTLESS_DESCRIPTION =
      'without errors, fits the window, and is accessible: on a phone in light mode, zoomed, and on a desktop in dark mode';
    it.each(selectTemplatePages(outDir))(
      `$path opens ${FAULTLESS_DESCRIPTION}`,
      async ({ path }) => {
        const status = (await page.goto(urlOf(path)))?.status();
        expect([status, takeErrors()]).toEqual([200, []]);
        expect(await findFaults()).toEqual([]);
      },
    );

    it(`each page rendered on request opens ${FAULTLESS_DESCRIPTION}`, async () => {
      const faults: string[] = [];
      for (const { name, open } of onRequestPages) {
        await open(page);
        const found = [...takeErrors(), ...(await findFaults())];
        faults.push(...found.map((fault) => `${name} ${fault}`));
      }
      expect(faults).toEqual([]);
    });

    it('the API reference has equal gaps between headings, texts and entries', async () => {
      await page.setViewportSize(DESKTOP_VIEWPORT);
      const path = pages.find(({ kind }) => kind === 'apiReference')!.path;
      await page.goto(urlOf(path));
      await page
        .locator('details.operation')
        .first()
        .evaluate((entry) => entry.setAttribute('open', ''));
      const gaps = await page.evaluate(() => {
        const gapsOf = (pairs: string) =>
          [...document.querySelectorAll(pairs)]
            .filter((element) => element.checkVisibility())
            .map((element) =>
              Math.round(
                element.getBoundingClientRect().top -
                  element.previousElementSibling!.getBoundingClientRect().bottom,
              ),
            );
        return {
          sections: gapsOf('.reference-body > section + section'),
          parts: gapsOf('.reference-body > section > :not(.component) + *'),
          body: gapsOf('.operation[open] > div > :not(h4) + *:not(h4)'),
          tables: gapsOf('.operation[open] > div > h4 + *'),
        };
      });
      for (const [part, found] of Object.entries(gaps))
        expect([part, [...new Set(found)]]).toEqual([part, [expect.any(Number)]]);
    });

    it('all fit the width of a phone and of a narrow phone, and fill that of a desktop', async () => {
      const faults: string[] = [];
      const checks = [
        { viewport: NARROWEST_VIEWPORT, find: findLayoutFaults },
        { viewport: PHONE_VIEWPORT, find: findLayoutFaults },
        { viewport: DESKTOP_VIEWPORT, find: findEmptyColumns },
      ];
      for (const { path } of pages) {
        await frame.evaluate(showInPlace, path);
        const results = await runChecks(frame, checks);
        for (const [index, found] of results.entries())
          faults.push(
            ...found.map((fault) => `${path} at ${checks[index]!.viewport.width} px: ${fault}`),
          );
      }
      expect(faults).toEqual([]);
    });
  },
);
