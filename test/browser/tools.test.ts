import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import {
  exampleAnswers,
  computeMissedCallCost,
  missedCallInputs,
  formatResult,
} from '../../src/components/tools/missed-calls.ts';
import { interpretationOf, scoreOf } from '../../src/site/tools/audit.ts';
import { capabilitiesOf } from '../../src/site/capability-record.ts';
import { parseAudit } from '../../src/site/tools/page-audit.ts';
import { guidePath } from '../../src/site/pages-of-site.ts';
import { createSandboxRequests } from '../../src/site/developer/sandbox-requests.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { openWatchedPage } from './browser-page.ts';
import { readBuiltSite } from './template-pages.ts';

describe.runIf(findProgram('chromium'))('tools and the catalog in a browser', () => {
  const site = readBuiltSite(inject('mainBuild'));
  const { registry, base } = site;
  const auditPages = registry.pages
    .filter(({ tool }) => tool === 'audit')
    .map(({ path, body }) => ({ path, audit: parseAudit(body) }));
  const calculator = registry.pages.find(({ tool }) => tool === 'missed-call-calculator')!;
  let running: RunningService;
  let browser: Browser;
  let page: Page;
  let takeErrors: () => string[];
  const urlOf = (path: string) => `http://127.0.0.1:${running.port}${path}`;

  beforeAll(async () => {
    running = await serveBuild(inject('mainBuild'));
    browser = await launchChromium();
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    ({ page, takeErrors } = await openWatchedPage(context));
  });
  // Each test reports only its own errors.
  beforeEach(() => void takeErrors());
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  it('the calculator shows no result without numbers, updates every line and states the range that a number must be in', async () => {
    await page.goto(urlOf(calculator.path));
    const result = page.locator('[data-result]');
    expect(await result.isVisible()).toBe(false);
    const answers = { ...exampleAnswers, calls: 75, missed: 12.5 };
    for (const { name } of missedCallInputs)
      await page.locator(`#number-${name}`).fill(String(answers[name]));
    expect(await result.isVisible()).toBe(true);
    const results = await page.locator('[data-steps] td:last-child').allTextContents();
    expect(results).toEqual(computeMissedCallCost(answers).map(formatResult));
    expect(await page.locator('[data-year]').textContent()).toBe(results.at(-1));
    await page.locator('#number-missed').fill('101');
    expect(await result.isVisible()).toBe(false);
    expect(await page.locator('[data-fault]').textContent()).toContain('from 0 to 100');
    expect(await page.locator('#number-missed').getAttribute('aria-invalid')).toBe('true');
    expect(takeErrors()).toEqual([]);
  });

  it.each(auditPages)(
    '$path scores the answers, interprets the score and lists the questions answered “no”',
    async ({ path, audit }) => {
      await page.goto(urlOf(path));
      expect(await page.locator('[data-score]').isVisible()).toBe(false);
      const negativeAnswers = [1, 4, 8];
      for (const index of audit.questions.keys())
        await page
          .locator(
            `[name="question-${index}"][value="${negativeAnswers.includes(index) ? 'no' : 'yes'}"]`,
          )
          .check();
      const score = scoreOf(audit.questions.length - negativeAnswers.length);
      expect(await page.locator('[data-score]').textContent()).toBe(String(score));
      expect(await page.locator('.reading:visible').allTextContents()).toEqual([
        interpretationOf(audit, score)?.text,
      ]);
      expect(await page.locator('[data-gaps] li').allTextContents()).toEqual(
        negativeAnswers.map((index) => audit.questions[index]),
      );
      await page.locator('button[type=reset]').click();
      await expect.poll(() => page.locator('[data-score]').textContent()).toBe('0');
      expect(takeErrors()).toEqual([]);
    },
  );

  it('the catalog filters to services that match every word', async () => {
    await page.goto(urlOf(registry.network.agentArea));
    const capabilities = capabilitiesOf(registry, base);
    const [, word] = capabilities.find(({ adapter }) => adapter === 'recipe')!.id.split('.');
    await page.locator('#catalog-search').fill(`guide ${word}`);
    const visibleEntries = await page
      .locator('[data-words]:visible')
      .evaluateAll((entries) => entries.map((entry) => (entry as HTMLElement).dataset['words']!));
    expect(visibleEntries.length).toBeGreaterThan(0);
    expect(visibleEntries.every((words) => words.includes('guide') && words.includes(word!))).toBe(
      true,
    );
    expect(await page.locator('[data-count]').textContent()).toContain(
      `${visibleEntries.length} service`,
    );
    await page.locator('#catalog-search').fill('');
    const services = new Set(capabilities.map(({ subsite }) => subsite));
    expect(await page.locator('[data-words]:visible').count()).toBe(services.size);
  });

  it('the sandbox console sends the chosen request in sandbox mode and reports an invalid body', async () => {
    await page.goto(urlOf(guidePath(registry, { slug: 'sandbox' })));
    const [request] = createSandboxRequests(site);
    const body = page.locator('#console-body');
    expect(JSON.parse(await body.inputValue())).toEqual(request!.body);
    await body.fill(JSON.stringify({ ...request!.body, sandbox: false }));
    await page.click('[data-sandbox-console] button');
    await page.waitForSelector('[data-answer]:not([hidden])');
    expect(await page.locator('[data-status]').textContent()).toMatch(/^200 in \d+ ms$/);
    expect(JSON.parse((await page.locator('[data-answer-text]').textContent())!)).toMatchObject({
      receiptToken: 'sandbox',
      sandbox: true,
    });
    await body.fill('{');
    await page.click('[data-sandbox-console] button');
    expect(await page.locator('#console-fault').textContent()).toContain('Enter a JSON object.');
    expect(takeErrors()).toEqual([]);
  });

  it('the API reference shows samples in the chosen language', async () => {
    await page.goto(urlOf(`${registry.network.agentArea}/api`));
    const operation = page.locator('details.operation', { hasText: 'POST' }).first();
    await operation.locator('summary').first().click();
    const readShownLanguages = () =>
      operation
        .locator('.code-sample:visible')
        .evaluateAll((samples) =>
          samples.map((sample) => (sample as HTMLElement).dataset['language']),
        );
    expect(await readShownLanguages()).not.toContain('python');
    await page.locator('.languages').getByLabel('Python').check();
    expect(await readShownLanguages()).toContain('python');
    expect(await readShownLanguages()).not.toContain('sh');
  });
});
