import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createControl } from '../../src/components/forms/control.ts';
import { exampleValuesOf, kindOf } from '../../src/fields/fields.ts';
import {
  createFormNames,
  idOf,
  listContactMethodInputs,
  listContactParts,
} from '../../src/components/forms/names.ts';
import type { Action } from '../../src/registry/schemas/action.ts';
import type { Field } from '../../src/fields/fields.ts';
import type { Registry } from '../../src/site/registry.ts';
import type { Subsite } from '../../src/registry/schemas/subsite.ts';
import { describeDigitFault } from '../../src/fields/phone-digits.ts';
import { listContactFieldNames } from '../../src/site/forms/contact-rule.ts';
import { fieldInstructions } from '../../src/text/index.ts';
import { formUrlOf } from '../../src/site/forms/form-inputs.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { formatPlannedDay } from '../../src/site/words/words.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import { addDays } from '../../src/site/calendar/days.ts';
import { findProgram } from '../setup/programs.ts';
import { readFocusedFieldVisibility, type WatchedPage, openWatchedPage } from './browser-page.ts';
import { readBuiltSite } from './template-pages.ts';

const RECEIPT_PATTERN = /\/receipt\/[A-Za-z0-9_-]{21}$/;
/** Users can fill in forms before the pictures have loaded. */
const DOM_READY_OPTIONS = { waitUntil: 'domcontentloaded' } as const;

interface FormCase {
  subsite: Subsite;
  action: Action;
}

/** Traits that make an action’s form behave differently from other forms. */
const traitsOf = (registry: Registry, { subsite, action }: FormCase): string[] => [
  `effect ${action.effect?.kind ?? 'none'}`,
  `endpoint ${subsite.leadEndpoint}`,
  ...Object.entries(action.fields).map(
    ([name, field]) =>
      `${field.required ? 'required' : 'optional'} ${field.type} as ${createControl(name, field, registry).kind}`,
  ),
];

/**
 * A small set of actions that covers every trait, chosen greedily. HTTP tests submit the form of
 * every action without a browser.
 */
function selectCoveringActions(registry: Registry): (FormCase & { name: string })[] {
  const formActions = registry.subsites.flatMap((subsite) =>
    subsite.actions.map((action) => ({
      subsite,
      action,
      name: `${subsite.name}.${action.verb}`,
      traits: new Set(traitsOf(registry, { subsite, action })),
    })),
  );
  let uncoveredTraits = new Set(formActions.flatMap(({ traits }) => [...traits]));
  const chosen: typeof formActions = [];
  while (uncoveredTraits.size) {
    const countNewTraits = ({ traits }: (typeof formActions)[number]) =>
      traits.intersection(uncoveredTraits).size;
    const next = formActions.reduce((best, candidate) =>
      countNewTraits(candidate) > countNewTraits(best) ? candidate : best,
    );
    chosen.push(next);
    uncoveredTraits = uncoveredTraits.difference(next.traits);
  }
  return chosen;
}

const formIdOf = (action: Action) => `${action.verb}-form`;

const instructionOf = (name: string, field: Field) =>
  kindOf(field).instruction({ ...field, label: labelOf(name, field) });

/** Names of the inputs of which a person must fill in at least one. */
function listReachInputs({ subsite, action }: FormCase): string[] {
  const names = createFormNames(subsite, action);
  const parts = listContactParts(names, Object.keys(action.fields));
  return listContactMethodInputs(action, names, parts);
}

/**
 * Example value of a field. Dates are moved earlier, so that days held by one test are free in the
 * next test.
 */
const shiftExample = (field: Field, daysBack: number) =>
  field.type === 'date'
    ? new Date(Date.parse(field.example!) - daysBack * 86_400_000).toISOString().slice(0, 10)
    : field.example!;

/** Number of days by which each kind of test moves dates earlier. */
const DAYS_BACK = { plain: 0, scripted: 40, refused: 80 } as const;

/**
 * Fills in a form with the examples of its fields and with contact data. `excludedField` skips a
 * field; `onlyField` fills in a single field.
 */
async function fill(
  page: Page,
  registry: Registry,
  { subsite, action }: FormCase,
  daysBack: number,
  { excludedField, onlyField }: { excludedField?: string; onlyField?: string } = {},
): Promise<void> {
  const names = createFormNames(subsite, action);
  const form = page.locator(`#${formIdOf(action)}`);
  await page
    .locator(`details#${action.verb}, #${formIdOf(action)} > details`)
    .evaluateAll((parts) => parts.forEach((part) => part.setAttribute('open', '')));
  for (const [name, field] of Object.entries(action.fields)) {
    if (name === excludedField || (onlyField !== undefined && name !== onlyField)) continue;
    if (field.example === undefined || field.known !== undefined) continue;
    const control = createControl(name, field, registry);
    const input = form.locator(`[name="${names.field(name)}"]`);
    if (control.kind === 'select') await input.selectOption(shiftExample(field, daysBack));
    else if (control.kind === 'radios')
      await form.locator(`[name="${names.field(name)}"][value="${field.example}"]`).check();
    else if (control.kind === 'checkboxes')
      for (const code of field.example.split(','))
        await form.locator(`[name="${names.field(name)}"][value="${code}"]`).check();
    else if (control.kind === 'offerings')
      await form
        .locator(`[name="${names.field(name)}.0.name"]`)
        .fill('Weekly visit')
        .then(() => form.locator(`[name="${names.field(name)}.0.price"]`).fill('45.50'));
    else await input.fill(shiftExample(field, daysBack));
  }
  for (const [part, name] of Object.entries(onlyField === undefined ? names.contact : {})) {
    const input = form.locator(`[name="${name}"]`);
    if (await input.count())
      await input.fill(
        { name: 'Dana Reyes', email: 'dana@example.com', phone: '(727) 555-0142' }[part]!,
      );
  }
}

const submitForm = (page: Page, action: Action) =>
  page.locator(`#${formIdOf(action)} button[type=submit]`).click();

/** The text of an element, without the spaces that prevent line breaks. */
const readText = async (locator: Locator): Promise<string> =>
  (await locator.textContent())!.replaceAll('\u00a0', ' ');

describe.runIf(findProgram('chromium')).each(['mainBuild', 'fourBuild'] as const)(
  'lead forms of %s in a browser',
  (build) => {
    const { registry } = readBuiltSite(inject(build));
    const actions = selectCoveringActions(registry);
    const casesWithRequiredField = actions.flatMap(({ subsite, action, name }) => {
      const missing = Object.entries(action.fields).find(
        ([, field]) => field.required && field.known === undefined,
      )?.[0];
      return missing === undefined ? [] : [{ subsite, action, name, missing }];
    });
    let running: RunningService;
    let browser: Browser;
    let scriptedContext: BrowserContext;
    /** Pages with and without scripts that successive tests reuse. */
    let scriptedPage: WatchedPage;
    let plainPage: Page;
    /** Request bodies that the page with scripts has posted. Tests clear the list. */
    const postedBodies: string[] = [];
    const urlOf = (path: string) => `http://127.0.0.1:${running.port}${path}`;

    beforeAll(async () => {
      running = await serveBuild(inject(build));
      browser = await launchChromium();
      plainPage = await browser.newPage({
        javaScriptEnabled: false,
        reducedMotion: 'reduce',
        viewport: { width: 390, height: 844 },
      });
      scriptedContext = await browser.newContext({ reducedMotion: 'reduce' });
      scriptedPage = await openWatchedPage(scriptedContext);
      scriptedPage.page.on('request', (request) => {
        if (request.method() === 'POST') postedBodies.push(request.postData() ?? '');
      });
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });

    /** Opens a page in the page with scripts, and forgets what an earlier test posted there. */
    async function openScripted(path: string): Promise<Page> {
      await scriptedPage.page.goto(urlOf(path));
      postedBodies.length = 0;
      return scriptedPage.page;
    }

    /** Waits for the receipt, which shows the title of the action and no personal data. */
    async function expectReceipt(page: Page, action: Action): Promise<void> {
      await page.waitForURL(RECEIPT_PATTERN, DOM_READY_OPTIONS);
      const headline = await page.locator('h1').textContent();
      expect(headline).toMatch(
        /^Your .* (was sent|is online|is held, but not booked yet)$| does not have your request yet$/,
      );
      expect(headline).not.toContain(action.title);
      const text = await page.locator('main').textContent();
      for (const enteredValue of ['Dana Reyes', 'dana@example.com', '555-0142', '+1727'])
        expect(text).not.toContain(enteredValue);
    }

    it.each(actions)(
      '$name leads to its receipt with scripts, and a double click sends one request',
      async ({ subsite, action }) => {
        const { takeErrors } = scriptedPage;
        takeErrors();
        const page = await openScripted(subsite.url);
        await fill(page, registry, { subsite, action }, DAYS_BACK.scripted);
        await page.locator(`#${formIdOf(action)} button[type=submit]`).dblclick();
        await page.waitForURL(RECEIPT_PATTERN);
        for (const link of await page.locator('.receipt-ways a').all()) {
          await link.click();
          const id = (await link.getAttribute('href'))!.slice(1);
          // What the form is for is above it, and is the first thing to read.
          const top = () =>
            page
              .locator(`details:has(> #${id}) > summary, details:has(> * > #${id}) > summary`)
              .first()
              .evaluate((summary) => summary.getBoundingClientRect().top);
          await expect.poll(top, { message: id }).toBeGreaterThanOrEqual(0);
          await page.evaluate(() => scrollTo(0, 0));
        }
        expect(postedBodies).toHaveLength(1);
        expect(new URLSearchParams(postedBodies[0]).get('_key')).toMatch(/^[0-9a-f-]{36}$/);
        expect(takeErrors()).toEqual([]);
      },
    );

    it('resend the same request after a lost response, and send a new request after an edit', async () => {
      const { subsite, action } = casesWithRequiredField.find(
        ({ action: { effect, fields } }) => !effect && !Object.hasOwn(fields, 'name'),
      )!;
      const { contact } = createFormNames(subsite, action);
      const page = await scriptedContext.newPage();
      const keys: string[] = [];
      let receiptPath: string | null = null;
      await page.route(urlOf(formUrlOf(subsite, action.verb)), async (route) => {
        const request = route.request();
        keys.push(new URLSearchParams(request.postData()!).get('_key')!);
        if (receiptPath !== null) return route.continue();
        // The server handles the request, and the connection closes before the response.
        const response = await fetch(request.url(), {
          method: 'POST',
          redirect: 'manual',
          headers: { 'content-type': request.headers()['content-type']! },
          body: request.postData()!,
        });
        receiptPath = response.headers.get('location');
        await route.abort('connectionreset');
      });
      await page.goto(urlOf(subsite.url));
      await fill(page, registry, { subsite, action }, DAYS_BACK.scripted);
      await submitForm(page, action);
      await page.waitForURL(/^chrome-error:/);
      await page.goBack();
      await submitForm(page, action);
      await page.waitForURL(RECEIPT_PATTERN);
      expect(new URL(page.url()).pathname).toBe(receiptPath);
      expect(await page.locator('[data-sent-before]').isVisible()).toBe(true);
      expect(keys[1]).toBe(keys[0]);
      await page.goBack();
      await page.locator(`#${formIdOf(action)} [name="${contact.name}"]`).fill('Lee Ito');
      await submitForm(page, action);
      await page.waitForURL(RECEIPT_PATTERN);
      expect(new URL(page.url()).pathname).not.toBe(receiptPath);
      expect(await page.locator('[data-sent-before]').isVisible()).toBe(false);
      expect(keys[2]).not.toBe(keys[0]);
      await page.close();
    });

    // The page’s own scripts are off, but Playwright’s evaluate and fill still work.
    it.each(casesWithRequiredField)(
      '$name without scripts shows the form again with its values and an error at the field',
      async ({ subsite, action, missing }) => {
        const page = plainPage;
        await page.goto(urlOf(subsite.url), DOM_READY_OPTIONS);
        await fill(page, registry, { subsite, action }, DAYS_BACK.plain, {
          excludedField: missing,
        });
        await page
          .locator(`#${formIdOf(action)}`)
          .evaluate((form) => ((form as HTMLFormElement).noValidate = true));
        await submitForm(page, action);
        await page.waitForURL(urlOf(formUrlOf(subsite, action.verb)));
        const names = createFormNames(subsite, action);
        const id = idOf(formIdOf(action), names.field(missing));
        const summary = page.locator('[role=alert]');
        expect(await summary.locator(`a[href="#${id}"]`).count()).toBe(1);
        const field = page.locator(`#${id}`);
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        expect(await field.getAttribute('aria-describedby')).toContain(`${id}-fault`);
        expect((await readText(page.locator(`#${id}-fault`))).trim()).toBe(
          instructionOf(missing, action.fields[missing]!),
        );
        await expect
          .poll(() => readFocusedFieldVisibility(page))
          .toEqual({ at: id, label: true, fault: true, input: true });
        for (const [name, spec] of Object.entries(action.fields)) {
          const control = createControl(name, spec, registry);
          if (
            name === missing ||
            spec.example === undefined ||
            spec.known !== undefined ||
            control.kind === 'checkboxes' ||
            control.kind === 'offerings'
          )
            continue;
          const input = page.locator(
            `#${formIdOf(action)} [name="${names.field(name)}"]${control.kind === 'radios' ? ':checked' : ''}`,
          );
          expect(await input.inputValue(), name).toBe(shiftExample(spec, DAYS_BACK.plain));
        }
        // With the missing field filled in, the same page leads to the receipt.
        await fill(page, registry, { subsite, action }, DAYS_BACK.plain, { onlyField: missing });
        await submitForm(page, action);
        await expectReceipt(page, action);
      },
    );

    it.each(
      casesWithRequiredField.filter(({ action }) =>
        Object.values(action.fields).some(({ more }) => more),
      ),
    )(
      '$name keeps the questions below the contact closed until one of them is answered',
      async ({ subsite, action, missing }) => {
        const page = plainPage;
        const names = createFormNames(subsite, action);
        const more = page.locator(`#${formIdOf(action)} details.more`);
        const answerFieldAndSend = async (field: string) => {
          await page.goto(urlOf(subsite.url), DOM_READY_OPTIONS);
          expect(await more.getAttribute('open')).toBeNull();
          await fill(page, registry, { subsite, action }, DAYS_BACK.refused, { onlyField: field });
          await page
            .locator(`#${formIdOf(action)}`)
            .evaluate((form) => ((form as HTMLFormElement).noValidate = true));
          await submitForm(page, action);
          await page.waitForURL(urlOf(formUrlOf(subsite, action.verb)));
        };
        await answerFieldAndSend(missing);
        expect(await more.getAttribute('open')).toBeNull();
        const [answered] = Object.entries(action.fields).findLast(([, field]) => field.more)!;
        await answerFieldAndSend(answered);
        expect(await more.getAttribute('open')).not.toBeNull();
        expect(
          await more
            .locator(`[name^="${names.field(answered)}"]`)
            .first()
            .isVisible(),
        ).toBe(true);
      },
    );

    it.each(
      actions.filter(
        (formCase) => !casesWithRequiredField.some(({ name }) => name === formCase.name),
      ),
    )(
      '$name, which has no required fields, leads to its receipt without scripts',
      async ({ subsite, action }) => {
        const page = plainPage;
        await page.goto(urlOf(subsite.url), DOM_READY_OPTIONS);
        await fill(page, registry, { subsite, action }, DAYS_BACK.plain);
        await submitForm(page, action);
        await expectReceipt(page, action);
      },
    );

    it('report an error at the field and above the form before sending, and focus the field', async () => {
      const { subsite, action, missing } = casesWithRequiredField[0]!;
      const page = await openScripted(subsite.url);
      await fill(page, registry, { subsite, action }, DAYS_BACK.refused, {
        excludedField: missing,
      });
      await submitForm(page, action);
      const id = idOf(formIdOf(action), createFormNames(subsite, action).field(missing));
      expect(await readText(page.locator(`#${id}-fault`))).toBe(
        instructionOf(missing, action.fields[missing]!),
      );
      await expect
        .poll(() => readFocusedFieldVisibility(page))
        .toEqual({ at: id, label: true, fault: true, input: true });
      expect(
        await page
          .locator(`#${id}`)
          .evaluate(
            (field) => field === document.activeElement || field.contains(document.activeElement),
          ),
      ).toBe(true);
      const summary = page.locator(`#${formIdOf(action)} [role=alert]`);
      expect(
        await summary
          .locator('a')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      ).toEqual([`#${id}`]);
      expect(await summary.textContent()).toContain('This has not been sent yet.');
      expect(postedBodies).toEqual([]);
      await fill(page, registry, { subsite, action }, DAYS_BACK.refused);
      await page.locator(`#${formIdOf(action)} button[type=submit]`).focus();
      expect([await summary.count(), await page.locator(`#${id}-fault`).count()]).toEqual([0, 0]);
    });

    it('name an error in the summary only while it is one, even if another field causes it', async () => {
      const { subsite, action, missing } = casesWithRequiredField.find(
        (formCase) =>
          listReachInputs(formCase).length === 2 &&
          !listContactFieldNames(formCase.action).includes(formCase.missing),
      )!;
      const names = createFormNames(subsite, action);
      const form = `#${formIdOf(action)}`;
      const page = await openScripted(subsite.url);
      await fill(page, registry, { subsite, action }, DAYS_BACK.refused, {
        excludedField: missing,
      });
      const [phone, email] = ['tel', 'email'].map((type) =>
        page.locator(`${form} [type=${type}]`),
      ) as [Locator, Locator];
      await phone.fill('');
      await email.fill('dana@');
      await submitForm(page, action);
      const readNamedInputs = () =>
        page
          .locator(`${form} > .fault-summary a`)
          .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.slice(1)));
      const emailId = await email.getAttribute('id');
      expect(await readNamedInputs()).toEqual([
        idOf(formIdOf(action), names.field(missing)),
        emailId,
      ]);
      await fill(page, registry, { subsite, action }, DAYS_BACK.refused, { onlyField: missing });
      expect(await readNamedInputs()).toEqual([emailId]);
      await phone.fill('727-555-01');
      expect(await readText(page.locator(`#${await phone.getAttribute('id')}-fault`))).toBe(
        describeDigitFault('727-555-01'),
      );
      await phone.fill('');
      await email.fill('');
      const [reachId, ...otherIds] = await readNamedInputs();
      expect(otherIds).toEqual([]);
      expect(await readText(page.locator(`#${reachId}-fault`))).toBe(fieldInstructions.contact);
      await email.fill('dana@example.com');
      expect(await readNamedInputs()).toEqual([]);
      expect(await page.locator(`${form} .fault`).count()).toBe(0);
      expect(postedBodies).toEqual([]);
    });

    /** One action that asks for an email address in its contact, and one with a field for it. */
    const casesWithEmail = [false, true].flatMap((hasField) =>
      actions
        .filter(({ subsite, action }) =>
          hasField
            ? Object.values(action.fields).some(({ type }) => type === 'email')
            : createFormNames(subsite, action).contact.email !== undefined &&
              Object.values(action.fields).every(({ type }) => type !== 'email'),
        )
        .slice(0, 1),
    );
    it.each(casesWithEmail)(
      '$name can be filled in by a link, but not with another person’s contact',
      async ({ subsite, action }) => {
        const { page } = scriptedPage;
        const form = page.locator(`#${formIdOf(action)}`);
        const names = createFormNames(subsite, action);
        const fieldOf = (accepts: (field: Field) => boolean) =>
          Object.entries(action.fields).find(([, field]) => accepts(field))?.[0];
        const fieldName = fieldOf(
          (one) => createControl('', one, registry).kind === 'input' && one.type !== 'email',
        )!;
        const field = names.field(fieldName);
        const value = String(exampleValuesOf(action.fields)[fieldName]);
        const emailField = fieldOf(({ type }) => type === 'email');
        const email = emailField === undefined ? names.contact.email! : names.field(emailField);
        const query = new URLSearchParams({ [field]: value, [email]: 'e@evil.example' });
        await openScripted(`${subsite.url}?${query.toString()}`);
        const inputOf = (name: string) => form.locator(`[name="${name}"]`).first();
        await expect.poll(() => inputOf(field).inputValue()).toBe(value);
        expect(await inputOf(email).inputValue()).toBe('');
      },
    );

    const casesWithLongText = actions.flatMap(({ name, subsite, action }) =>
      Object.entries(action.fields).flatMap(([field, definition]) =>
        createControl(field, definition, registry).kind === 'textarea'
          ? [{ name, subsite, action, field }]
          : [],
      ),
    );
    it.each(casesWithLongText.slice(0, 1))(
      '$name wraps a long URL and reports that a text is too long',
      async ({ subsite, action, field }) => {
        const page = await openScripted(subsite.url);
        const desktopViewport = page.viewportSize()!;
        await page.setViewportSize({ width: 390, height: 844 });
        const id = idOf(formIdOf(action), createFormNames(subsite, action).field(field));
        await page.locator(`#${id}`).fill(`https://photos.example/${'a1'.repeat(200)}`);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0);
        await page.locator(`#${id}`).fill('x'.repeat(4_001));
        await submitForm(page, action);
        expect(await readText(page.locator(`#${id}-fault`))).toBe(
          'Shorten this to 4,000 characters. It has 4,001 now.',
        );
        await page.setViewportSize(desktopViewport);
      },
    );

    async function openFilledForm(formCase: FormCase): Promise<Page> {
      const page = await openScripted(formCase.subsite.url);
      await fill(page, registry, formCase, DAYS_BACK.refused);
      return page;
    }

    const casesWithDate = actions.flatMap(({ name, subsite, action }) =>
      Object.entries(action.fields).flatMap(([field, definition]) =>
        definition.type === 'date' && !definition.past ? [{ name, subsite, action, field }] : [],
      ),
    );
    it.each(casesWithDate.slice(0, 1))(
      '$name offers no past day, and reports a past day at the field before sending',
      async ({ subsite, action, field }) => {
        const page = await openFilledForm({ subsite, action });
        const input = page.locator(
          `#${idOf(formIdOf(action), createFormNames(subsite, action).field(field))}`,
        );
        const earliestDay = (await input.getAttribute('min'))!;
        expect(Math.abs(Date.parse(earliestDay) - Date.now())).toBeLessThan(2 * 86_400_000);
        await input.fill('2020-02-29');
        await submitForm(page, action);
        expect(await readText(page.locator(`#${await input.getAttribute('id')}-fault`))).toBe(
          `That day has passed. Choose ${formatPlannedDay(earliestDay)} or a later day.`,
        );
        expect(postedBodies).toEqual([]);
      },
    );

    it.each(casesWithDate.filter(({ action }) => action.effect?.kind !== 'hold').slice(0, 1))(
      '$name reports a day that is years ahead at the field before sending',
      async ({ subsite, action, field }) => {
        const page = await openFilledForm({ subsite, action });
        const id = idOf(formIdOf(action), createFormNames(subsite, action).field(field));
        await page.locator(`#${id}`).fill('2062-11-28');
        await submitForm(page, action);
        expect(await readText(page.locator(`#${id}-fault`))).toMatch(
          /^Choose \w+, \w+ \d+, 20\d\d or an earlier day: dates can be at most 3 years ahead\.$/,
        );
        expect(postedBodies).toEqual([]);
      },
    );

    const holds = actions.flatMap(({ name, subsite, action }) =>
      action.effect?.kind === 'hold' ? [{ name, subsite, action, effect: action.effect }] : [],
    );
    it.each(holds.slice(0, 1))(
      '$name reports a hold that begins too late or lasts too long before sending',
      async ({ subsite, action, effect }) => {
        const page = await openFilledForm({ subsite, action });
        const names = createFormNames(subsite, action);
        const [from, to] = [effect.fromField, effect.toField].map((field) =>
          page.locator(`#${idOf(formIdOf(action), names.field(field))}`),
        );
        const faultOf = async (input: Locator) =>
          readText(page.locator(`#${await input.getAttribute('id')}-fault`));
        const furthest = (await from!.getAttribute('max'))!;
        await from!.fill(addDays(furthest, 1));
        await to!.fill(addDays(furthest, 1));
        await submitForm(page, action);
        expect(await faultOf(from!)).toBe(
          `Choose ${formatPlannedDay(furthest)} or an earlier day: holds can begin at most ${effect.furthestDays} days ahead.`,
        );
        await from!.fill(furthest);
        await to!.fill(addDays(furthest, effect.longestDays));
        await submitForm(page, action);
        expect(await faultOf(to!)).toBe(
          `Choose ${formatPlannedDay(addDays(furthest, effect.longestDays - 1))} or an earlier day: holds can last at most ${effect.longestDays} days.`,
        );
        expect(postedBodies).toEqual([]);
      },
    );

    it.each(actions.filter(({ action: { effect } }) => effect?.kind === 'storefront'))(
      '$name reports a malformed price at its input, in dollars',
      async ({ subsite, action }) => {
        const page = await openFilledForm({ subsite, action });
        const prices = page.locator(`#${formIdOf(action)} [name$=".price"]`);
        const parts = page.locator(`#${formIdOf(action)} details`);
        const setPartsOpen = (isOpen: boolean) =>
          parts.evaluateAll(
            (all, open) => all.forEach((part) => part.toggleAttribute('open', open)),
            isOpen,
          );
        await setPartsOpen(true);
        await prices.nth(1).fill('about 45');
        await setPartsOpen(false);
        await submitForm(page, action);
        expect(
          await prices
            .nth(1)
            .evaluate((input) => [
              input === document.activeElement,
              input.ariaInvalid,
              document.getElementById(input.getAttribute('aria-describedby')!)?.textContent,
            ]),
        ).toEqual([true, 'true', expect.stringContaining('a price in dollars')]);
        expect(await page.locator(`#${formIdOf(action)} [role=alert] a`).textContent()).toBe(
          'Price in dollars:',
        );
      },
    );

    const casesWithArea = registry.subsites.flatMap((subsite) =>
      subsite.actions.flatMap((action) =>
        Object.entries(action.fields).flatMap(([field, definition]) =>
          subsite.serviceZips && definition.type === 'zip' && definition.known === undefined
            ? [{ name: `${subsite.name}.${action.verb}`, subsite, action, field }]
            : [],
        ),
      ),
    );
    it.each(casesWithArea.slice(0, 1))(
      '$name is filled in again, except for the ZIP code, after it is sent with a wrong ZIP code',
      async ({ subsite, action, field }) => {
        const page = await openScripted(subsite.url);
        await fill(page, registry, { subsite, action }, DAYS_BACK.scripted);
        const names = createFormNames(subsite, action);
        const locateInput = (name: string) => page.locator(`#${formIdOf(action)} [name="${name}"]`);
        await locateInput(names.field(field)).fill('90210');
        await submitForm(page, action);
        await page.waitForURL(RECEIPT_PATTERN);
        await page.locator('a[href*="_again"]').click();
        await page.waitForURL(/_again/);
        expect(page.url()).not.toMatch(/dana|0142|90210/i);
        for (const [part, value] of [
          ['name', 'Dana Reyes'],
          ['phone', '(727) 555-0142'],
          ['email', 'dana@example.com'],
        ] as const)
          if (names.contact[part])
            expect(await locateInput(names.contact[part]).inputValue()).toBe(value);
        expect(await locateInput(names.field(field)).inputValue()).toBe('');
      },
    );

    it('stay where they are when a choice near the top of the screen is tapped', async () => {
      const formCase = actions.find(({ action }) =>
        Object.entries(action.fields).some(
          ([name, field]) => createControl(name, field, registry).kind === 'radios',
        ),
      )!;
      const { page } = await openWatchedPage(scriptedContext);
      await page.goto(urlOf(formCase.subsite.url), DOM_READY_OPTIONS);
      const choice = page.locator(`#${formIdOf(formCase.action)} .choice:visible`).first();
      await choice.evaluate((label) => {
        scrollBy({ top: label.getBoundingClientRect().top - 20, behavior: 'instant' });
      });
      const before = await page.evaluate(() => scrollY);
      const { x, y, width, height } = (await choice.boundingBox())!;
      // Unlike the mouse, `click()` would scroll to the choice first.
      await page.mouse.click(x + width / 2, y + height / 2);
      expect(await choice.locator('input').isChecked()).toBe(true);
      expect(await page.evaluate(() => scrollY)).toBe(before);
      await page.close();
    });

    it('can be resent as the same request when no response arrives', async () => {
      const { subsite, action } = casesWithRequiredField.find(({ action: { effect } }) => !effect)!;
      const { page } = await openWatchedPage(scriptedContext);
      await page.clock.install();
      const keys: string[] = [];
      await page.route(urlOf(formUrlOf(subsite, action.verb)), (route) => {
        keys.push(new URLSearchParams(route.request().postData()!).get('_key')!);
        // A browser stays on the page when the response is 204.
        return keys.length > 1 ? route.continue() : route.fulfill({ status: 204 });
      });
      await page.goto(urlOf(subsite.url));
      await fill(page, registry, { subsite, action }, DAYS_BACK.scripted);
      const button = page.locator(`#${formIdOf(action)} button[type=submit]`);
      await button.click();
      await expect.poll(() => keys.length).toBe(1);
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await page.clock.fastForward(10_000);
      expect(await page.locator(`#${formIdOf(action)} [role=status]`).textContent()).toContain(
        'send it again',
      );
      await button.click();
      await page.waitForURL(RECEIPT_PATTERN);
      expect(keys[1]).toBe(keys[0]);
      await page.close();
    });
  },
);
