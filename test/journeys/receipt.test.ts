import ICAL from 'ical.js';
import type { Browser, Page } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readLog } from '../../src/leads/lead-log.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { addDays } from '../../src/site/calendar/days.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import { findAnswerDeadline } from '../../src/site/calendar/answer-deadline.ts';
import { formatHours } from '../../src/site/calendar/opening-hours.ts';
import { formatAddress } from '../../src/site/words/street-address.ts';
import { createTelUrl, phoneOf } from '../../src/site/phone.ts';
import { formatFieldValue, listFutureDateFields } from '../../src/fields/fields.ts';
import { MESSAGE_ANCHOR, WITHDRAWAL_ANCHOR } from '../../src/components/receipt/anchors.ts';
import { formIdOf } from '../../src/components/forms/names.ts';
import { computeAnswerDeadline } from '../../src/leads/status/promised-answer.ts';
import { listUrgentChoices, listActions } from '../operations/setup/actions.ts';
import {
  listAlternatives,
  findSubsite,
  isSoldOrPast,
  itemFieldOf,
  itemsOf,
} from '../../src/site/registry.ts';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { computeRequestTotal } from '../../src/site/prices/rental.ts';
import { addNonBreakingSpaces } from '../../src/site/words/non-breaking-spaces.ts';
import {
  formatMoney,
  formatPlannedDay,
  formatPlannedDays,
  formatPromisedTime,
  formatReference,
} from '../../src/site/words/words.ts';
import { listRequirements } from '../../src/site/forms/requirements.ts';
import { receipt as receiptTexts } from '../../src/text/index.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { submitExample } from '../server/submit-example.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';

const DAYS = { from: '2031-05-06', to: '2031-05-08' };

describe.runIf(findProgram('chromium'))('a person with a receipt', () => {
  const outDir = inject('mainBuild');
  const site = readBuiltSite(outDir);
  let running: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    running = await serveBuild(outDir);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  const { subsite, action } = site.registry.subsites
    .flatMap((candidate) => candidate.actions.map((verb) => ({ subsite: candidate, action: verb })))
    .find((candidate) => candidate.action.effect?.kind === 'hold')!;
  const effect = action.effect as HoldEffect;

  const textsOf = async (page: Page, selector: string) =>
    (await page.locator(selector).allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' ').replaceAll('\u2060', ''),
    );

  it('reads who has a request for another service', async () => {
    const [verb] = site.registry.subsites.flatMap((subsite) =>
      subsite.actions.flatMap((one) =>
        one.effect?.kind === 'route' ? [{ subsite, action: one, effect: one.effect }] : [],
      ),
    );
    const chosenName = verb!.action.fields[verb!.effect.serviceField]!.example;
    const { receiptUrl } = await submitExample(running, verb!);
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${running.port}${new URL(receiptUrl!).pathname}`);
    const [text] = await textsOf(page, '.receipt-extra');
    expect(text).toContain(`${verb!.subsite.title} has this request and will answer it.`);
    expect(text).toContain(
      `${site.registry.subsites.find(({ name }) => name === chosenName)!.title} does not have it`,
    );
    await page.close();
  });

  it('sees on an open page that the provider has answered, and loses no text', async () => {
    const question = listActions(site).find((verb) => verb.action.purpose === 'question')!;
    const { receiptToken, receiptUrl } = await submitExample(running, question);
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${running.port}${new URL(receiptUrl!).pathname}`);
    const notice = page.locator('.receipt-update > p');
    const box = page.locator('textarea').first();
    await page.locator('details:has(textarea) > summary').first().click();
    await box.fill('Can I pick it up at 8?');
    expect(await notice.isVisible()).toBe(false);
    await sendAsProvider(
      { receiptToken, action: 'ask', actor: 'provider' },
      { text: 'When do you need it?' },
      running.context,
    );
    await notice.waitFor();
    expect(await box.inputValue()).toBe('Can I pick it up at 8?');
    await notice.getByRole('button', { name: receiptTexts.showUpdate }).click();
    await page.getByText('When do you need it?').first().waitFor();
    expect(await box.inputValue()).toBe('Can I pick it up at 8?');
    expect(await notice.isVisible()).toBe(false);
    await page.close();
  });

  it('reads before sending when the answer is due, on a holiday too', async () => {
    // Thanksgiving, on which the service is closed.
    const now = new Date('2026-11-26T15:07:00Z');
    const { timeZone } = site.registry.network;
    const page = await browser.newPage();
    await page.clock.setFixedTime(now);
    await page.goto(`http://127.0.0.1:${running.port}${subsite.url}`);
    const deadline = findAnswerDeadline(subsite, timeZone, { ...action, days: [] }, now);
    expect(deadline.toISOString()).toMatch(/^2026-11-2[7-9]T/);
    expect(await textsOf(page, `#${action.verb}-form [data-respond-hours]`)).toEqual([
      `If you send this now, we will answer by ${formatPromisedTime(deadline.toISOString(), timeZone)}.`,
    ]);
    await page.close();
  });

  it('reads before sending the deadline that its receipt has for the chosen day', async () => {
    const now = new Date('2026-11-27T02:40:00Z');
    const { timeZone } = site.registry.network;
    const dated = listActions(site).find(
      (verb) => verb.subsite.hours && verb.action.effect?.kind === 'hold',
    )!;
    const field = listFutureDateFields(dated.action.fields)[0]!;
    const page = await browser.newPage();
    await page.clock.setFixedTime(now);
    await page.goto(`http://127.0.0.1:${running.port}${dated.subsite.url}`);
    await page.locator(`[name="fields.${field}"]`).fill('2026-11-27');
    const request = { subsite: dated.subsite.name, fields: { [field]: '2026-11-27' } };
    const due = computeAnswerDeadline(
      site.registry,
      { ...request, action: dated.action.verb },
      now,
    );
    const deadline = formatPromisedTime(due, timeZone);
    const form = page.locator(`#${formIdOf(dated.action.verb)}`);
    expect(await textsOf(page, `#${formIdOf(dated.action.verb)} [data-respond-hours]`)).toEqual([
      `If you send this now, we will answer by ${deadline}.`,
    ]);
    const phone = phoneOf(dated.subsite, site.registry);
    const warning = form.locator('.day-warnings p');
    expect((await warning.textContent())!.replaceAll('\u00a0', ' ')).toBe(
      `We will answer by ${deadline}, but we open at 7 am that day. If you need an answer sooner, call ${phone} as well.`,
    );
    expect(await warning.getByRole('link').getAttribute('href')).toBe(createTelUrl(phone));
    await page.locator(`[name="fields.${field}"]`).fill('2026-12-10');
    expect(await warning.count()).toBe(0);
    await page.close();
  });

  it('reads the link to keep and its title side by side if copying fails', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 800 } });
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: () => Promise.reject(new Error('denied')) },
      }),
    );
    await page.goto(`http://127.0.0.1:${running.port}/receipt/sandbox`);
    const caption = page.locator('.receipt-address figcaption');
    const height = (await caption.boundingBox())!.height;
    await caption.getByRole('button').click();
    await page.locator('.receipt-address [role=status]', { hasText: 'Could not copy' }).waitFor();
    expect((await caption.boundingBox())!.height).toBe(height);
    await page.close();
  });

  it('opens the forms that its links lead to without scripts', async () => {
    const { receiptToken } = await submitExample(running, { subsite, action });
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${running.port}/receipt/${receiptToken}`);
    for (const anchor of [MESSAGE_ANCHOR, WITHDRAWAL_ANCHOR]) {
      expect(await page.locator(`#${anchor}`).isVisible()).toBe(false);
      await page.locator(`.receipt-ways a[href="#${anchor}"]`).click();
      expect(await page.locator(`#${anchor} button[type=submit]`).last().isVisible()).toBe(true);
    }
    // The hold must not take a unit from the other tests.
    await page.locator(`#${WITHDRAWAL_ANCHOR} button`).click();
    await page.locator('.receipt-state[data-state=withdrawn]').waitFor();
    await context.close();
  });

  it('finds an empty message box after going back from a sent message', async () => {
    const { receiptToken } = await submitExample(running, { subsite, action });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${running.port}/receipt/${receiptToken}`);
    const box = page.locator('#text');
    await page.locator(`details:has(#${MESSAGE_ANCHOR}) > summary`).click();
    await box.fill('The gate is six feet wide.');
    await box.locator('xpath=ancestor::form').locator('button:not([name])').click();
    await page.locator('.receipt-sent').waitFor();
    await page.goBack();
    expect(await box.inputValue()).toBe('');
    await page.close();
  });

  it('reads for which days the published price is beside an offer for other days', async () => {
    const [from, to] = ['2031-06-02', '2031-06-03'];
    const fields = { [effect.fromField]: from, [effect.toField]: to };
    const { receiptToken } = await submitExample(running, { subsite, action }, { fields });
    const { item } = (await readLog(receiptToken, running.context)).hold!;
    const days = { from: addDays(from, 7), to: addDays(to, 8) };
    await sendAsProvider(
      { receiptToken, actor: 'provider', action: 'offer' },
      { amount: '110', currency: 'USD', expires: '48h', ...days },
      running.context,
    );
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${running.port}/receipt/${receiptToken}`);
    const facts = await textsOf(page, '.receipt-facts > div');
    const { title } = itemsOf(site.registry, effect.catalog).find(({ id }) => id === item)!;
    const formatDayLabel = (name: string) => labelOf(name, action.fields[name]!);
    expect(facts).toEqual(
      expect.arrayContaining([
        `${formatDayLabel(effect.fromField)}, as you requested ${formatFieldValue(from, action.fields[effect.fromField])}`,
        `${formatDayLabel(effect.toField)}, as you requested ${formatFieldValue(to, action.fields[effect.toField])}`,
        expect.stringMatching(
          RegExp.escape(`Published price For: ${title}, ${formatPlannedDays(days)} `) +
            String.raw`\d+ days? × `,
        ),
      ]),
    );
    await page.close();
  });

  it('answers, accepts, adds the days to a calendar and prints one page, without scripts', async () => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      javaScriptEnabled: false,
      timezoneId: 'Asia/Tokyo',
    });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${running.port}${subsite.url}`);
    const form = page.locator(`#${action.verb}-form`);
    await form.locator('[type=radio]').first().check();
    const [from, to] = await form.locator('[type=date]').all();
    await from!.fill(DAYS.from);
    await to!.fill(DAYS.to);
    await form.locator('[type=tel]').fill('(727) 555-0142');
    await form.locator('button[type=submit]').click();
    await page.waitForURL(/\/receipt\/[\w-]{21}$/);
    const path = new URL(page.url()).pathname;
    const lead = path.split('/').at(-1)!;
    const { reference } = await readLead(lead, 'all', running.context);
    const provider = { receiptToken: lead, actor: 'provider' } as const;

    // The request appears as submitted, in the network’s time zone, not the visitor’s.
    const facts = await textsOf(page, '.receipt-facts dd');
    expect(facts).toContain(formatReference(reference));
    expect((await page.locator('.lede').innerText()).replaceAll('\u00a0', ' ')).toContain(
      `If you hear nothing by then, call ${phoneOf(subsite, site.registry)}.`,
    );
    expect(await page.locator('.receipt-address').innerText()).toContain(
      'We are not emailing it to you, so save it now.',
    );
    expect(facts).not.toContain(subsite.serviceArea);
    expect(facts).toContain(formatFieldValue(DAYS.from, action.fields[effect.fromField]));
    const total = computeRequestTotal(site.registry, action, {
      [effect.itemField]: action.fields[effect.itemField]!.enum![0]!,
      [effect.fromField]: DAYS.from,
      [effect.toField]: DAYS.to,
    })!;
    expect(facts).toContain(`${total.price} With sales tax: ${total.withTax}`);
    expect(facts).toContain(`${total.deposit}, refundable`);
    expect(facts).toContain(phoneOf(subsite, site.registry));
    expect(await textsOf(page, '.lede time')).toEqual([expect.stringMatching(/ E[SD]T$/)]);
    expect((await page.request.get(`${page.url()}/calendar`)).status()).toBe(404);

    await sendAsProvider({ ...provider, action: 'ask' }, { text: 'Which hitch?' }, running.context);
    await page.reload();
    // The open question comes first, on the first screen of a phone.
    expect((await textsOf(page, '.receipt-ways a'))[0]).toBe('Answer the question');
    expect(await page.locator(`#${MESSAGE_ANCHOR}`).boundingBox()).toMatchObject({
      y: expect.toSatisfy((y: number) => y < 650) as number,
    });
    expect(await textsOf(page, '.receipt h2')).toEqual([
      `${subsite.title} asks`,
      'Keep the link to this page',
      'Your request',
      'Messages',
      'So far',
      'Cancel or erase',
    ]);
    await page.getByLabel('Your answer').fill('A two inch ball.');
    await page.getByRole('button', { name: 'Send your answer' }).click();
    await page.waitForURL((url) => url.pathname === path);
    expect(await textsOf(page, '.conversation .provider-note')).toEqual([
      'Which hitch?',
      'A two inch ball.',
    ]);

    const price = { amount: '110', currency: 'USD', expires: '48h' };
    await sendAsProvider({ ...provider, action: 'offer' }, price, running.context);
    await page.reload();
    expect(await textsOf(page, '.offer-line')).toEqual([
      expect.stringMatching(
        /^Offer: you pay \$110 plus \$7\.70 sales tax = \$117\.70, open until /,
      ),
    ]);
    // The offer is the first thing on a phone’s screen, before the published terms.
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.locator('#offer').boundingBox()).toMatchObject({
      y: expect.toSatisfy((y: number) => y < 600) as number,
    });
    expect((await textsOf(page, '.receipt-ways a'))[0]).toBe('See the offer');
    expect((await textsOf(page, '.answer-form')).join()).toMatch(
      /Decline the offer.*Published terms/s,
    );
    await page.getByRole('button', { name: 'Accept: you pay $110' }).click();
    await page.waitForURL((url) => url.pathname === path);
    await sendAsProvider({ ...provider, action: 'confirm' }, {}, running.context);
    await page.reload();
    expect(await textsOf(page, '.timeline h3')).toEqual([
      'Received',
      'A question for you',
      'You answered',
      'Offer for you',
      'You accepted the offer',
      'Confirmed',
    ]);
    expect(await page.getByText('to ask what else you can do').count()).toBe(0);
    const agreedFacts = await textsOf(page, '.receipt-facts dd');
    expect(agreedFacts).toContain(
      `You pay $110 plus $7.70 sales tax = $117.70, and a refundable deposit of ${total.deposit} Published terms: ${total.notes} Deposit: ${total.deposit}, refundable.`,
    );
    expect(await textsOf(page, '.offer-line')).toEqual([
      'Offer: you pay $110 plus $7.70 sales tax = $117.70, accepted',
    ]);
    expect(agreedFacts).not.toContain(`${total.deposit}, refundable`);
    // Where and when to come, next to the days, and what to bring.
    expect(await textsOf(page, '.receipt-extra dd')).toContain(formatAddress(subsite.address!));
    expect(agreedFacts).toEqual(
      expect.arrayContaining([
        `${formatPlannedDay(DAYS.from)}, from 7 am`,
        `${formatPlannedDay(DAYS.to)}, by 7 pm`,
        formatAddress(subsite.address!),
        // The provider has written a message, which may name other times.
        expect.stringContaining(formatHours(subsite.hours!, subsite.afterHours)),
        listRequirements(action, {
          [effect.itemField]: action.fields[effect.itemField]!.enum![0]!,
        }).join(' '),
      ]),
    );
    expect(await textsOf(page, '.receipt-days strong')).toEqual([
      `${formatPlannedDay(DAYS.from)} to ${formatPlannedDay(DAYS.to)}`,
    ]);

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Add to your calendar' }).click();
    const calendar = new ICAL.Component(
      ICAL.parse(readFileSync(await (await download).path(), 'utf8')) as object[],
    );
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
    expect([event.startDate.toString(), event.startDate.isDate]).toEqual([DAYS.from, true]);
    // The end date of an event is exclusive.
    expect(event.endDate.toString()).toBe('2031-05-09');
    expect(event.summary.startsWith(`${subsite.title}: `)).toBe(true);
    expect(event.description.split('\n').slice(1, 6)).toEqual([
      `Price: $110 plus $7.70 sales tax = $117.70, and a refundable deposit of ${total.deposit}`,
      expect.stringMatching(/^Published terms: /),
      `Reference: ${formatReference(reference)}`,
      `Phone: ${phoneOf(subsite, site.registry)}`,
      `Receipt: ${site.base}${path}`,
    ]);

    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.receipt :is(button, .button, textarea):visible').count()).toBe(0);
    const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await context.close();
  });

  it('sees immediately, on a phone, why a replaced offer cannot be accepted', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 600 } });
    const origin = `http://127.0.0.1:${running.port}`;
    const { receiptToken: lead } = await submitExample(running, { subsite, action });
    const offer = { receiptToken: lead, action: 'offer', actor: 'provider' } as const;
    const price = { amount: '110', currency: 'USD', expires: '48h' };
    await sendAsProvider(offer, price, running.context);
    await page.goto(`${origin}/receipt/${lead}`);
    // Where to come, and what to bring, before the confirmation.
    expect(await textsOf(page, '.receipt-facts dt')).toContain('What you need (if you accept)');
    await sendAsProvider(offer, { ...price, amount: '120' }, running.context);
    await page.getByRole('button', { name: 'Accept: you pay $110' }).click();
    const fault = page.locator('.fault-summary:focus');
    expect(await fault.innerText()).toContain('A newer offer has replaced this one.');
    const isInView = async () => {
      const { y, height } = (await fault.boundingBox())!;
      return y >= 0 && y + height <= 600;
    };
    await expect.poll(isInView).toBe(true);

    await changeLead({ receiptToken: lead, to: 'withdrawn', actor: 'operator' }, running.context);
    await page.getByRole('button', { name: 'Accept: you pay $120' }).click();
    expect(await fault.innerText()).toContain('This offer is no longer open');
    await expect.poll(isInView).toBe(true);
    await page.close();
  });

  it.each(listUrgentChoices(site.registry))(
    'is asked to call as soon as they choose $value, without scripts: $subsite $verb',
    async ({ subsite: name, verb, field, value, kind }) => {
      const page = await browser.newPage({ javaScriptEnabled: false });
      const service = findSubsite(site.registry, name)!;
      await page.goto(`http://127.0.0.1:${running.port}${service.url}`);
      const call = page.locator(`#${verb}-form .${kind}-call`);
      expect(await call.isVisible()).toBe(false);
      const input = page.locator(`#${verb}-form [name="fields.${field}"]`);
      if (await input.first().evaluate((element) => element.tagName === 'SELECT'))
        await input.selectOption(value);
      else await input.and(page.locator(`[value="${value}"]`)).check();
      expect(await call.isVisible()).toBe(true);
      expect(await call.locator('a').getAttribute('href')).toBe(
        createTelUrl(phoneOf(service, site.registry)),
      );
      await page.close();
    },
  );

  it.each(listUrgentChoices(site.registry))(
    'sees whom to call at once after choosing $value at the bottom of a phone: $subsite $verb',
    async ({ subsite: name, verb, field, value, kind }) => {
      const page = await browser.newPage({ viewport: { width: 390, height: 700 } });
      const service = findSubsite(site.registry, name)!;
      await page.goto(`http://127.0.0.1:${running.port}${service.url}`);
      const inputs = page.locator(`#${verb}-form [name="fields.${field}"]`);
      const isSelect = await inputs.first().evaluate(({ tagName }) => tagName === 'SELECT');
      const choice = isSelect ? inputs : inputs.and(page.locator(`[value="${value}"]`));
      await choice.evaluate((element) => element.scrollIntoView({ block: 'end' }));
      await (isSelect ? choice.selectOption(value) : choice.check());
      const call = page.locator(`#${verb}-form .${kind}-call a`);
      await expect
        .poll(() =>
          call.evaluate((link) => {
            const { left, top, width, height } = link.getBoundingClientRect();
            return link.contains(document.elementFromPoint(left + width / 2, top + height - 2));
          }),
        )
        .toBe(true);
      await page.close();
    },
  );

  it('sees the requested item, which data is hidden, and finally the agreed terms', async () => {
    const { registry } = site;
    const [inquiry] = registry.subsites.flatMap((candidate) =>
      candidate.actions.flatMap((verb) => {
        const field = itemFieldOf(verb);
        const item = itemsOf(registry, candidate.name).find(
          (other) => other.price && !isSoldOrPast(other),
        );
        return field && item ? [{ service: candidate, verb, field, item }] : [];
      }),
    );
    const { service, verb, field, item } = inquiry!;
    const origin = `http://127.0.0.1:${running.port}`;
    const { receiptToken: lead } = await submitExample(
      running,
      { subsite: service, action: verb },
      { fields: { [field]: item.id } },
    );
    const fetchPage = async () => (await fetch(`${origin}/receipt/${lead}`)).text();
    const initialPage = await fetchPage();
    expect(initialPage).toContain(`${addNonBreakingSpaces(item.title)}</a>`);
    expect(initialPage).toContain(formatMoney(item.price!.amount, item.price!.currency));
    const about = verb.purpose === 'question' ? `: ${item.title}` : '';
    expect(initialPage).toContain(`${about} · ${registry.network.name}</title>`);
    expect(initialPage).toContain('Your full contact details');
    expect(initialPage).not.toMatch(/<dt>Published prices|555-?0142/);
    await sendAsProvider(
      { receiptToken: lead, action: 'confirm', actor: 'provider' },
      { text: 'Tonight at 7 PM, Bob, $89.' },
      running.context,
    );
    expect(await fetchPage()).toMatch(
      /receipt-extra[^]*Tonight at 7\u00a0PM, Bob, \$89\.[^]*receipt-facts/,
    );

    // A declined request names only other providers of the same service.
    await sendAsProvider(
      { receiptToken: lead, action: 'decline', actor: 'provider' },
      { text: 'The show is canceled.' },
      running.context,
    );
    expect(listAlternatives(registry, service)).toEqual([]);
    expect(await fetchPage()).not.toContain('/find?q=');
  });
});
