import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject, it, onTestFinished } from 'vitest';
import { type MailReceiver, startMailReceiver } from '../deliveries/setup/receivers.ts';
import { launchChromium } from '../setup/chromium.ts';
import { findProgram } from '../setup/programs.ts';
import { createBuildSettings, startServer } from '../setup/started-server.ts';

const PHONE_VIEWPORT = { width: 390, height: 844 };
const PERSON = 'dana@example.com';
const POLLING = { interval: 50 };

type Mail = MailReceiver['mails'][number];
const findPath = (mail: Mail, path: RegExp) => path.exec(mail.text!)![0];
const readMainText = async (page: Page) =>
  (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
const header = (mail: Mail, name: string) => mail.headers.find(({ key }) => key === name)?.value;

it.runIf(findProgram('chromium'))(
  'a person on a phone and a provider using email get from a search to a confirmed visit in one thread',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'frontage-mailed-'));
    const mailbox = await startMailReceiver();
    const server = startServer({
      ...createBuildSettings(inject('mainBuild'), 'registry'),
      DATABASE_URL: `file:${join(folder, 'leads.db')}`,
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'leads@network.example',
      LEADS_TO: 'desk@network.example',
    });
    const browser = await launchChromium();
    onTestFinished(async () => {
      await browser.close();
      await server.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    });
    const origin = await server.origin();

    /** Emails to the person or to the provider. */
    const mailsOf = (recipient: 'person' | 'provider') =>
      mailbox.mails.filter(
        ({ envelopeTo }) => (envelopeTo[0] === PERSON) === (recipient === 'person'),
      );
    /** Waits for the next email, which must contain the text. */
    async function waitForMail(recipient: 'person' | 'provider', mailCount: number, words: string) {
      await expect.poll(() => mailsOf(recipient).length, POLLING).toBe(mailCount + 1);
      const mail = mailsOf(recipient).at(-1)!;
      expect(mail.text).toContain(words);
      return mail;
    }
    const context = await browser.newContext({ viewport: PHONE_VIEWPORT, reducedMotion: 'reduce' });
    const [person, provider] = [await context.newPage(), await context.newPage()];
    /** Expects an element to be completely in view without scrolling. */
    const expectInFirstScreen = async (page: Page, selector: string) =>
      expect(
        await page
          .locator(selector)
          .first()
          .evaluate((element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          }),
      ).toBe(true);
    /** Opens the provider’s newest link for an action, fills in the form and sends it. */
    async function answerAsProvider(
      answerName: string,
      text: string,
      inputs: Record<string, string> = {},
    ) {
      const newest = mailsOf('provider').at(-1)!;
      await provider.goto(
        origin + findPath(newest, new RegExp(`/answer/\\S+\\.${answerName}\\.\\S+`)),
      );
      await expectInFirstScreen(provider, 'main form :is(input, select, textarea)');
      await provider.fill('#note', text);
      for (const [name, value] of Object.entries(inputs))
        await provider.fill(`[name=${name}]`, value);
      await provider.locator('main form button[type=submit]').click();
      await provider.getByText('Thank you.').waitFor();
      await expectInFirstScreen(provider, '.page-notice:focus');
      await provider.reload();
      await provider.getByText('This link was used').waitFor();
    }

    await person.goto(`${origin}/`);
    await person.fill('#q', 'my AC is broken');
    await person.locator('#results a').first().click();
    await person.waitForURL((url) => url.pathname === '/hvac');
    const form = person.locator('#request_hvac_service-form');
    await form.locator('[name="fields.issue"]').selectOption('no_cool');
    await form.locator('[name="fields.zip"]').fill('33701');
    await form.locator('[name="fields.notes"]').fill('The upstairs unit.');
    await form.locator('[name="contact.name"]').fill('Dana Reyes');
    await form.locator('[type=email]').fill(PERSON);
    await form.locator('button[type=submit]').click();
    await person.waitForURL(/\/receipt\//);
    const receipt = new URL(person.url()).pathname;
    // The tab that sent the text shows it; the document does not contain it.
    await person.locator('.receipt-withheld').getByText('The upstairs unit.').waitFor();
    expect(await (await person.request.get(origin + receipt)).text()).not.toContain('upstairs');
    await person.getByText(/We also email it to d•••@/).waitFor();
    const receiptMail = await waitForMail('person', 0, receipt);
    expect(receiptMail.from).toEqual({ name: 'Bayline', address: 'leads@network.example' });
    await person.locator('.receipt-ways a[href="#write"]').click();
    await person.locator('#text').waitFor();
    await person.locator('.receipt-ways a[href="#withdraw"]').click();
    await person.getByText('Yes, cancel it').waitFor();
    const first = await waitForMail('provider', 0, 'Dana Reyes');

    await answerAsProvider('acknowledge', '');
    await provider.getByText('Answer promised by').waitFor();
    await waitForMail('provider', 1, 'You let the customer know');
    await answerAsProvider('ask', 'Is there ice on the pipes?');
    const questionMail = await waitForMail('person', 1, 'Is there ice on the pipes?');
    // The copy of the provider's own answer is sent unless the customer answers first.
    await waitForMail('provider', 2, 'Is there ice on the pipes?');
    await provider.goto('about:blank');
    await person.goto(origin + findPath(questionMail, /\/receipt\/[\w-]+/));
    await person.fill('#text', 'Yes, outside.');
    await person.locator('.answer-form .field button').click();
    await person.getByText('Yes, outside.').first().waitFor();
    await waitForMail('provider', 3, 'Yes, outside.');

    await answerAsProvider('offer', 'Parts and labor.', { amount: '240' });
    const offerMail = await waitForMail('person', 2, '$240');
    await waitForMail('provider', 4, 'You sent the customer an offer.');
    await person.goto(origin + findPath(offerMail, /\/receipt\/[\w-]+/));
    expect(await readMainText(person)).toContain('Offer for you');
    await person.locator('button[name=accept]').click();
    await person.getByText('You accepted the offer').first().waitFor();
    await waitForMail('provider', 5, 'accepted');
    await waitForMail('person', 3, 'You accepted the offer from');

    await answerAsProvider('confirm', 'Tuesday at 9 AM, with Bob.');
    const confirmationMail = await waitForMail('person', 4, 'Tuesday at 9 AM, with Bob.');
    await person.goto(origin + findPath(confirmationMail, /\/receipt\/[\w-]+/));
    expect(new URL(person.url()).pathname).toBe(receipt);
    const receiptText = await readMainText(person);
    for (const expected of [
      'Tuesday at 9 AM, with Bob.',
      '$240',
      'Is there ice on the pipes?',
      'You answered',
      'You accepted the offer',
    ])
      expect(receiptText).toContain(expected);
    expect(receiptText).not.toMatch(/not a confirmed booking/i);

    for (const mail of mailsOf('provider').slice(1))
      expect(header(mail, 'references')).toContain(first.messageId);
  },
);
