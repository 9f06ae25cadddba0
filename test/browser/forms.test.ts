import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { controlOf } from '../../src/components/forms/control.ts';
import { kindOf } from '../../src/fields/fields.ts';
import { leadFormNames, idOf } from '../../src/components/forms/names.ts';
import type { Action } from '../../src/registry/action.ts';
import type { Field } from '../../src/fields/fields.ts';
import type { Registry } from '../../src/site/registry.ts';
import type { Subsite } from '../../src/registry/subsite.ts';
import { formAddress } from '../../src/site/form-inputs.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { plannedDayInWords } from '../../src/site/words.ts';
import { findProgram } from '../setup/programs.ts';
import { focusInSight, type Watched, watchedPage } from './open.ts';
import { builtSite } from './template-pages.ts';

const RECEIPT = /\/receipt\/[A-Za-z0-9_-]{21}$/;
/** Pages are filled in as soon as they are there; pictures may come later. */
const READY = { waitUntil: 'domcontentloaded' } as const;

interface Asked {
  subsite: Subsite;
  action: Action;
}

/** Everything that makes the form of an action behave unlike others. */
const traitsOf = (registry: Registry, { subsite, action }: Asked): string[] => [
  `effect ${action.effect?.kind ?? 'none'}`,
  `endpoint ${subsite.leadEndpoint}`,
  ...Object.entries(action.fields).map(
    ([name, field]) =>
      `${field.required ? 'required' : 'optional'} ${field.type} as ${controlOf(name, field, registry).kind}`,
  ),
];

/**
 * Few actions that show every trait: the one that shows most, then each time the one that adds
 * most. That each action is accepted and refused by form is tested over HTTP, without a browser.
 */
function actionsByTrait(registry: Registry): (Asked & { name: string })[] {
  const all = registry.subsites.flatMap((subsite) =>
    subsite.actions.map((action) => ({
      subsite,
      action,
      name: `${subsite.name}.${action.verb}`,
      traits: new Set(traitsOf(registry, { subsite, action })),
    })),
  );
  let unseen = new Set(all.flatMap(({ traits }) => [...traits]));
  const chosen: typeof all = [];
  while (unseen.size) {
    const adds = ({ traits }: (typeof all)[number]) => traits.intersection(unseen).size;
    const next = all.reduce((most, one) => (adds(one) > adds(most) ? one : most));
    chosen.push(next);
    unseen = unseen.difference(next.traits);
  }
  return chosen;
}

const formId = (action: Action) => `${action.verb}-form`;

/** The example of a field; days are moved back, so that what one test holds is free in the next. */
const example = (field: Field, daysBack: number) =>
  field.type === 'date'
    ? new Date(Date.parse(field.example!) - daysBack * 86_400_000).toISOString().slice(0, 10)
    : field.example!;

/** How far each way of sending moves the days back. */
const moved = { plain: 0, scripted: 40, refused: 80 } as const;

/**
 * Fills in a form from the examples of its fields and the contact;
 * `without` leaves a field out, `only` fills nothing else.
 */
async function fill(
  page: Page,
  registry: Registry,
  { subsite, action }: Asked,
  daysBack: number,
  { without, only }: { without?: string; only?: string } = {},
): Promise<void> {
  const names = leadFormNames(subsite, action);
  const form = page.locator(`#${formId(action)}`);
  if (action.effect?.kind === 'import')
    await page
      .locator(`#${action.verb}`)
      .evaluate((details) => ((details as HTMLDetailsElement).open = true));
  for (const [name, field] of Object.entries(action.fields)) {
    if (name === without || (only !== undefined && name !== only)) continue;
    if (field.example === undefined || field.known !== undefined) continue;
    const control = controlOf(name, field, registry);
    const input = form.locator(`[name="${names.field(name)}"]`);
    if (control.kind === 'select') await input.selectOption(example(field, daysBack));
    else if (control.kind === 'radios')
      await form.locator(`[name="${names.field(name)}"][value="${field.example}"]`).check();
    else if (control.kind === 'checks')
      for (const code of field.example.split(','))
        await form.locator(`[name="${names.field(name)}"][value="${code}"]`).check();
    else if (control.kind === 'offerings')
      await form
        .locator(`[name="${names.field(name)}.0.name"]`)
        .fill('Weekly visit')
        .then(() => form.locator(`[name="${names.field(name)}.0.price"]`).fill('45.50'));
    else await input.fill(example(field, daysBack));
  }
  for (const [part, name] of Object.entries(only === undefined ? names.contact : {})) {
    const input = form.locator(`[name="${name}"]`);
    if (await input.count())
      await input.fill(
        { name: 'Dana Reyes', email: 'dana@example.com', phone: '(727) 555-0142' }[part]!,
      );
  }
}

const send = (page: Page, action: Action) =>
  page.locator(`#${formId(action)} button[type=submit]`).click();

describe.runIf(findProgram('chromium')).each(['mainBuild', 'fourBuild'] as const)(
  'the forms of %s in a browser',
  (build) => {
    const { registry } = builtSite(inject(build));
    const actions = actionsByTrait(registry);
    const needing = actions.flatMap(({ subsite, action, name }) => {
      const missing = Object.entries(action.fields).find(
        ([, field]) => field.required && field.known === undefined,
      )?.[0];
      return missing === undefined ? [] : [{ subsite, action, name, missing }];
    });
    let running: Running;
    let browser: Browser;
    let scripted: BrowserContext;
    /** Pages that one test after another loads anew, with scripts and without. */
    let visited: Watched;
    let plain: Page;
    /** What the page with scripts has posted since a test emptied it. */
    const sent: string[] = [];
    const at = (path: string) => `http://127.0.0.1:${running.port}${path}`;

    beforeAll(async () => {
      running = await serveBuild(inject(build));
      browser = await launchChromium();
      plain = await browser.newPage({
        javaScriptEnabled: false,
        viewport: { width: 390, height: 844 },
      });
      scripted = await browser.newContext({ reducedMotion: 'reduce' });
      visited = await watchedPage(scripted);
      visited.page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.postData() ?? '');
      });
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });

    /** Waits for the receipt, which names the action and repeats nothing personal. */
    async function showsReceipt(page: Page, action: Action): Promise<void> {
      await page.waitForURL(RECEIPT, READY);
      expect(await page.locator('h1').textContent()).toBe(action.title);
      const text = await page.locator('main').textContent();
      for (const typed of ['Dana Reyes', 'dana@example.com', '555-0142', '+1727'])
        expect(text).not.toContain(typed);
    }

    it.each(actions)(
      '$name leads to its receipt with a script, and a second click is the same request',
      async ({ subsite, action }) => {
        const { page, complaints } = visited;
        await page.goto(at(subsite.url));
        sent.length = 0;
        await fill(page, registry, { subsite, action }, moved.scripted);
        await page.locator(`#${formId(action)} button[type=submit]`).dblclick();
        await page.waitForURL(RECEIPT);
        expect(sent).toHaveLength(1);
        expect(new URLSearchParams(sent[0]).get('_key')).toMatch(/^[0-9a-f-]{36}$/);
        expect(complaints()).toEqual([]);
      },
    );

    it('whose answer was lost are the same request when they are sent again, and a new one when something was changed', async () => {
      const { subsite, action } = needing.find(
        ({ action: { effect, fields } }) => !effect && !Object.hasOwn(fields, 'name'),
      )!;
      const { contact } = leadFormNames(subsite, action);
      const page = await scripted.newPage();
      const keys: string[] = [];
      let stored: string | null = null;
      await page.route(at(formAddress(subsite, action.verb)), async (route) => {
        const request = route.request();
        keys.push(new URLSearchParams(request.postData()!).get('_key')!);
        if (stored !== null) return route.continue();
        // It reaches the server; the connection ends before the answer.
        const answer = await fetch(request.url(), {
          method: 'POST',
          redirect: 'manual',
          headers: { 'content-type': request.headers()['content-type']! },
          body: request.postData()!,
        });
        stored = answer.headers.get('location');
        await route.abort('connectionreset');
      });
      await page.goto(at(subsite.url));
      await fill(page, registry, { subsite, action }, moved.scripted);
      await send(page, action);
      await page.waitForURL(/^chrome-error:/);
      await page.goBack();
      await send(page, action);
      await page.waitForURL(RECEIPT);
      expect(new URL(page.url()).pathname).toBe(stored);
      expect(keys[1]).toBe(keys[0]);
      await page.goBack();
      await page.locator(`#${formId(action)} [name="${contact.name}"]`).fill('Lee Ito');
      await send(page, action);
      await page.waitForURL(RECEIPT);
      expect(new URL(page.url()).pathname).not.toBe(stored);
      expect(keys[2]).not.toBe(keys[0]);
      await page.close();
    });

    // Playwright's evaluate and fill work without page scripts; the page's own do not run.
    it.each(needing)(
      '$name is shown again without a script, with what was typed and a message at the field',
      async ({ subsite, action, missing }) => {
        const page = plain;
        await page.goto(at(subsite.url), READY);
        await fill(page, registry, { subsite, action }, moved.plain, { without: missing });
        await page
          .locator(`#${formId(action)}`)
          .evaluate((form) => ((form as HTMLFormElement).noValidate = true));
        await send(page, action);
        await page.waitForURL(at(formAddress(subsite, action.verb)));
        const names = leadFormNames(subsite, action);
        const id = idOf(formId(action), names.field(missing));
        const summary = page.locator('[role=alert]');
        expect(await summary.locator(`a[href="#${id}"]`).count()).toBe(1);
        const field = page.locator(`#${id}`);
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        expect(await field.getAttribute('aria-describedby')).toContain(`${id}-fault`);
        expect((await page.locator(`#${id}-fault`).textContent())!.trim()).toBe(
          kindOf(action.fields[missing]!).instruction(action.fields[missing]!),
        );
        await expect
          .poll(() => focusInSight(page))
          .toEqual({ at: id, label: true, fault: true, input: true });
        for (const [name, spec] of Object.entries(action.fields)) {
          const control = controlOf(name, spec, registry);
          if (
            name === missing ||
            spec.example === undefined ||
            spec.known !== undefined ||
            control.kind === 'checks' ||
            control.kind === 'offerings'
          )
            continue;
          const input = page.locator(
            `#${formId(action)} [name="${names.field(name)}"]${control.kind === 'radios' ? ':checked' : ''}`,
          );
          expect(await input.inputValue(), name).toBe(example(spec, moved.plain));
        }
        // Completed, the same page leads to the receipt.
        await fill(page, registry, { subsite, action }, moved.plain, { only: missing });
        await send(page, action);
        await showsReceipt(page, action);
      },
    );

    it.each(actions.filter((asked) => !needing.some(({ name }) => name === asked.name)))(
      '$name, which needs nothing, leads to its receipt without a script',
      async ({ subsite, action }) => {
        const page = plain;
        await page.goto(at(subsite.url), READY);
        await fill(page, registry, { subsite, action }, moved.plain);
        await send(page, action);
        await showsReceipt(page, action);
      },
    );

    it('say at the field and above the form what is wrong before anything is sent, and put the focus at the field', async () => {
      const { subsite, action, missing } = needing[0]!;
      const { page } = await watchedPage(scripted);
      let posts = 0;
      page.on('request', (request) => request.method() === 'POST' && posts++);
      await page.goto(at(subsite.url));
      await fill(page, registry, { subsite, action }, moved.refused, { without: missing });
      await send(page, action);
      const id = idOf(formId(action), leadFormNames(subsite, action).field(missing));
      expect(await page.locator(`#${id}-fault`).textContent()).toBe(
        kindOf(action.fields[missing]!).instruction(action.fields[missing]!),
      );
      await expect
        .poll(() => focusInSight(page))
        .toEqual({ at: id, label: true, fault: true, input: true });
      expect(
        await page
          .locator(`#${id}`)
          .evaluate(
            (field) => field === document.activeElement || field.contains(document.activeElement),
          ),
      ).toBe(true);
      const summary = page.locator(`#${formId(action)} [role=alert]`);
      expect(
        await summary
          .locator('a')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      ).toEqual([`#${id}`]);
      expect(await summary.textContent()).toContain('This has not been sent yet.');
      expect(posts).toBe(0);
      await fill(page, registry, { subsite, action }, moved.refused);
      await page.locator(`#${formId(action)} button[type=submit]`).focus();
      expect([await summary.count(), await page.locator(`#${id}-fault`).count()]).toEqual([0, 0]);
      await page.close();
    });

    const lengthy = actions.flatMap(({ name, subsite, action }) =>
      Object.entries(action.fields).flatMap(([field, definition]) =>
        controlOf(field, definition, registry).kind === 'lines'
          ? [{ name, subsite, action, field }]
          : [],
      ),
    );
    it.each(lengthy.slice(0, 1))(
      '$name takes a long address and a long text whole: the page fits, and says that the text is too long',
      async ({ subsite, action, field }) => {
        const { page } = await watchedPage(scripted);
        await page.setViewportSize({ width: 390, height: 844 });
        await page.goto(at(subsite.url));
        const id = idOf(formId(action), leadFormNames(subsite, action).field(field));
        await page.locator(`#${id}`).fill(`https://photos.example/${'a1'.repeat(200)}`);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0);
        await page.locator(`#${id}`).fill('x'.repeat(4_001));
        await send(page, action);
        expect(await page.locator(`#${id}-fault`).textContent()).toBe(
          'Shorten this to 4,000 characters. It has 4,001 now.',
        );
        await page.close();
      },
    );

    const dated = actions.flatMap(({ name, subsite, action }) =>
      Object.entries(action.fields).flatMap(([field, definition]) =>
        definition.type === 'date' && !definition.past ? [{ name, subsite, action, field }] : [],
      ),
    );
    it.each(dated.slice(0, 1))(
      '$name offers no day that is past, and says so at the field before anything is sent',
      async ({ subsite, action, field }) => {
        const { page } = await watchedPage(scripted);
        let posts = 0;
        page.on('request', (request) => request.method() === 'POST' && posts++);
        await page.goto(at(subsite.url));
        await fill(page, registry, { subsite, action }, moved.refused);
        const input = page.locator(
          `#${idOf(formId(action), leadFormNames(subsite, action).field(field))}`,
        );
        const first = (await input.getAttribute('min'))!;
        expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(2 * 86_400_000);
        await input.fill('2020-02-29');
        await send(page, action);
        expect(await page.locator(`#${await input.getAttribute('id')}-fault`).textContent()).toBe(
          `Choose ${plannedDayInWords(first)} or a later day.`,
        );
        expect(posts).toBe(0);
        await page.close();
      },
    );

    it.each(actions.filter(({ action: { effect } }) => effect?.kind === 'storefront'))(
      '$name says at the price of an offering what is wrong with it, in dollars',
      async ({ subsite, action }) => {
        const { page } = await watchedPage(scripted);
        await page.goto(at(subsite.url));
        await fill(page, registry, { subsite, action }, moved.refused);
        const prices = page.locator(`#${formId(action)} [name$=".price"]`);
        await page
          .locator(`#${formId(action)} details`)
          .first()
          .evaluate((row) => ((row as HTMLDetailsElement).open = true));
        await prices.nth(1).fill('about 45');
        await send(page, action);
        expect(
          await prices
            .nth(1)
            .evaluate((input) => [
              input === document.activeElement,
              input.ariaInvalid,
              document.getElementById(input.getAttribute('aria-describedby')!)?.textContent,
            ]),
        ).toEqual([true, 'true', expect.stringContaining('a price in dollars')]);
        expect(await page.locator(`#${formId(action)} [role=alert] a`).textContent()).toBe(
          'Price in dollars',
        );
        await page.close();
      },
    );

    it('can be sent again when no answer comes, as the same request', async () => {
      const { subsite, action } = needing.find(({ action: { effect } }) => !effect)!;
      const { page } = await watchedPage(scripted);
      await page.clock.install();
      const keys: string[] = [];
      await page.route(at(formAddress(subsite, action.verb)), (route) => {
        keys.push(new URLSearchParams(route.request().postData()!).get('_key')!);
        // What has no content leaves the page as it is.
        return keys.length > 1 ? route.continue() : route.fulfill({ status: 204 });
      });
      await page.goto(at(subsite.url));
      await fill(page, registry, { subsite, action }, moved.scripted);
      const button = page.locator(`#${formId(action)} button[type=submit]`);
      await button.click();
      await expect.poll(() => keys.length).toBe(1);
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await page.clock.fastForward(10_000);
      expect(await page.locator(`#${formId(action)} [role=status]`).textContent()).toContain(
        'send it again',
      );
      await button.click();
      await page.waitForURL(RECEIPT);
      expect(keys[1]).toBe(keys[0]);
      await page.close();
    });
  },
);
