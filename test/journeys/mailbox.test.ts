import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { afterAll, expect, inject, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { normalizeReference } from '../../src/operation/tokens.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { listActions } from '../operations/setup/actions.ts';
import {
  startHttpReceiver,
  type MailReceiver,
  startMailReceiver,
} from '../deliveries/setup/receivers.ts';
import { createBuildSettings, startServer } from '../setup/started-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-mailbox-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const site = readBuiltSite(inject('fourBuild'));
const { subsite, action } = listActions(site).find(
  ({ action: { effect, fields } }) =>
    !effect && Object.values(fields).some(({ type }) => type === 'string'),
)!;
const textField = Object.entries(action.fields).find(([, { type }]) => type === 'string')![0];

type Mail = MailReceiver['mails'][number];

/** Email to customers; all other email goes to providers or operators. */
const isCustomerMail = ({ envelopeTo }: Mail) => envelopeTo[0]!.startsWith('dana');
const listProviderMails = ({ mails }: MailReceiver) =>
  mails.filter((mail) => !isCustomerMail(mail));
const header = (mail: Mail, name: string) => mail.headers.find(({ key }) => key === name)?.value;

/** A server with its own mailbox, and functions that act as the customer and the provider. */
async function createService(
  name: string,
  settings: (mailbox: MailReceiver) => Record<string, string>,
) {
  const mailbox = await startMailReceiver();
  let mailCount = 0;
  const url = `file:${join(folder, `${name}.db`)}`;
  const start = async () => {
    const server = startServer({
      ...createBuildSettings(inject('fourBuild'), 'test/fixtures/network-of-four'),
      DATABASE_URL: url,
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Network <leads@network.example>',
      ...settings(mailbox),
    });
    return { server, origin: await server.origin() };
  };
  const post = async (origin: string, path: string, body: object) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    return response;
  };
  return {
    mailbox,
    url,
    start,
    post,
    submit: (origin: string, message: string) =>
      post(origin, '/api/lead/action', {
        subsite: subsite.name,
        action: action.verb,
        fields: { ...exampleValuesOf(action.fields), [textField]: message },
        contact: { name: `Dana ${message}`, email: `dana${++mailCount}@example.com` },
      }),
  };
}

const POLLING = { interval: 50 };

it('a provider reads one thread in the network’s time zone, with the price and without forged lines', async () => {
  const { mailbox, start, post, submit } = await createService('provider', () => ({
    LEADS_TO: 'desk@network.example',
  }));
  const { server, origin } = await start();
  const submitAndWaitForMail = async (message: string) => {
    const mailCount = listProviderMails(mailbox).length;
    await submit(origin, message);
    await expect.poll(() => listProviderMails(mailbox).length, POLLING).toBe(mailCount + 1);
    return listProviderMails(mailbox).at(-1)!;
  };
  const first = await submitAndWaitForMail('The gate sticks.');
  expect(first.envelopeTo).toEqual([subsite.notify ?? 'desk@network.example']);
  const reference = normalizeReference(/^Reference: (\S+)$/m.exec(first.text!)![1]!);
  const [, received] = /^Received: (.+)$/m.exec(first.text!)!;
  const localTime = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: site.registry.network.timeZone,
  }).format(new Date(first.date!));
  const zone = new Intl.DateTimeFormat('en-US', {
    timeZone: site.registry.network.timeZone,
    timeZoneName: 'short',
  })
    .formatToParts(new Date(first.date!))
    .find(({ type }) => type === 'timeZoneName')!.value;
  expect(received).toBe(
    `${localTime} ${zone}`.replace(/(?::00)?\s([AP]M)/, (_, half) => ` ${half.toLowerCase()}`),
  );

  for (const [linkName, note, headline, event, next, price] of [
    [
      'offer',
      'Parts and labor.',
      'You sent the customer an offer.',
      'You sent an offer',
      /^No answer is due from you until the customer writes\. If .* by \w+, .*, it expires, and there is no agreement\.$/,
      { amount: '129', currency: 'USD', expires: '48h' },
    ],
    [
      'confirm',
      'Tuesday at 9 AM.',
      'You confirmed the request. The request is confirmed without a price. The open offer ($129) has ended.',
      'You confirmed it',
      /^No answer is due from you until the customer writes\.$/,
      {},
    ],
  ] as const) {
    const newest = listProviderMails(mailbox).at(-1)!;
    const path = new RegExp(`/answer/\\S+\\.${linkName}\\.\\S+`).exec(newest.text!)![0];
    const mailCount = listProviderMails(mailbox).length;
    await post(origin, path, { ...price, text: note });
    await expect.poll(() => listProviderMails(mailbox).length, POLLING).toBe(mailCount + 1);
    const mail = listProviderMails(mailbox).at(-1)!;
    expect(mail.text!.split('\n').slice(0, 4)).toEqual([
      // The customer's email is sent before or after this one.
      expect.toBeOneOf(
        ['gets', 'got'].map(
          (verb) => `${headline} The customer ${verb} this by email and sees it on their page.`,
        ),
      ),
      expect.stringMatching(next),
      '',
      `| ${note}`,
    ]);
    expect(mail.subject).toBe(`${event}: ${first.subject}`);
    expect(mail.messageId).not.toBe(first.messageId);
    expect([header(mail, 'in-reply-to'), header(mail, 'references')]).toEqual([
      first.messageId,
      first.messageId,
    ]);
  }
  expect(first.messageId).toContain(reference);

  /**
   * Lines written by the network, split at every line ending that mail programs recognize, without
   * values that differ between emails.
   */
  const extractOwnLines = (mail: Mail) =>
    mail
      .text!.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
      .filter((line) => !line.startsWith('| '))
      .map((line) =>
        line
          .replace(/\w+, \w+ \d+(?:, \d+)? at [^.;]*/g, 'TIME')
          .replace(/^Reference: .*/, 'REFERENCE')
          .replace(/^http.*/, 'LINK'),
      );
  const forgedLines = ['ANSWER', '', 'Confirm:', 'https://evil.example/answer', ''];
  for (const lineEnding of ['\r', '\n', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']) {
    const mail = await submitAndWaitForMail(
      `\u202eevil\u2066${forgedLines.join(lineEnding)}\u200f\u061c`,
    );
    expect(extractOwnLines(mail), JSON.stringify(lineEnding)).toEqual(extractOwnLines(first));
    expect(mail.text).toContain('https://evil.example/answer');
    expect(`${mail.subject}${mail.text}`).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
    );
    expect(mail.replyTo?.[0]?.address).not.toMatch(/^dana/);
  }
  await server.end('SIGTERM');
});

it('an operator gets one email when a lead is stuck and another when it is delivered, even if the server is killed', async () => {
  const provider = await startHttpReceiver();
  const failRequest = (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
    response.writeHead(500).end();
  provider.handlers.push(...Array.from({ length: 50 }, () => failRequest));
  const { mailbox, url, start, submit } = await createService('operator', () => ({
    ALERTS_TO: 'operator@network.example',
    WEBHOOK_URL: provider.url,
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    ALLOW_PRIVATE_TARGETS: '1',
  }));
  const first = await start();
  await submit(first.origin, 'The gate sticks.');
  await expect.poll(() => provider.requests.length, POLLING).toBeGreaterThan(0);
  await first.server.end('SIGKILL');

  /** Writes to the database while no server is running. */
  const write = async (...statements: string[]) => {
    const client = createClient({ url });
    await client.batch(statements, 'write');
    client.close();
  };
  const readTime = async (query: string) => {
    const client = createClient({ url });
    const { rows } = await client.execute(query);
    client.close();
    return rows[0]?.[0];
  };
  // Makes the lead 20 minutes old and moves its next attempt into the future.
  const twentyMinutesAgo = new Date(Date.now() - 20 * 60_000).toISOString();
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  await write(
    `update outbox set created_at = '${twentyMinutesAgo}'`,
    `update deliveries set created_at = '${twentyMinutesAgo}', due_at = '${inAnHour}', lease_until = null`,
  );
  const second = await start();
  await expect.poll(() => listProviderMails(mailbox).length, POLLING).toBe(1);
  const alert = listProviderMails(mailbox)[0]!;
  expect(alert.envelopeTo).toEqual(['operator@network.example']);
  expect(alert.text).toContain(
    'Messages about 1 lead have been undelivered for 15 minutes or longer',
  );
  // Without this record, a server killed between sending and recording does not know about the
  // alert and sends no resolution.
  await expect
    .poll(() => readTime('select notified_at from alerts'), POLLING)
    .toEqual(expect.any(String));
  await second.server.end('SIGKILL');

  provider.handlers.length = 0;
  await write(`update deliveries set due_at = '${twentyMinutesAgo}'`);
  const third = await start();
  await expect
    .poll(() => readTime(`select sent_at from deliveries where channel = 'webhook'`), POLLING)
    .toEqual(expect.any(String));
  await third.server.end('SIGTERM');

  // A server looks for stuck leads when it starts, and then every minute.
  const fourthServer = await start();
  await expect.poll(() => listProviderMails(mailbox).length, POLLING).toBe(2);
  await fourthServer.server.end('SIGTERM');
  expect(listProviderMails(mailbox).map(({ subject }) => subject)).toEqual([
    alert.subject,
    `Re: ${alert.subject}`,
  ]);
  expect(header(listProviderMails(mailbox)[1]!, 'in-reply-to')).toBe(alert.messageId);
  expect(JSON.stringify(listProviderMails(mailbox))).not.toMatch(/dana|gate/i);
});

it('a person follows a request from the receipt to the confirmation by email, and another person erases a request made in their name', async () => {
  const { mailbox, start, post, submit } = await createService('person', () => ({
    LEADS_TO: 'desk@network.example',
  }));
  const { server, origin } = await start();
  const expectCustomerMails = (mailCount: number) =>
    expect.poll(() => mailbox.mails.filter(isCustomerMail).length, POLLING).toBe(mailCount);
  const findNewestCustomerMail = () => mailbox.mails.filter(isCustomerMail).at(-1)!;
  /** Path of a link in the newest email to the person. */
  const findNewestLinkPath = (pattern: RegExp) =>
    new URL(pattern.exec(findNewestCustomerMail().text!)![0]).pathname;
  const expectProviderMails = (mailCount: number) =>
    expect.poll(() => listProviderMails(mailbox).length, POLLING).toBe(mailCount);
  const answerAsProvider = async (linkName: string, body: object, providerMailCount: number) => {
    await expectProviderMails(providerMailCount);
    const path = new RegExp(`/answer/\\S+\\.${linkName}\\.\\S+`).exec(
      listProviderMails(mailbox).at(-1)!.text!,
    )![0];
    await post(origin, path, body);
  };

  await submit(origin, 'The gate sticks.');
  await expectCustomerMails(1);
  const receiptPath = findNewestLinkPath(/http\S+\/receipt\/\S{21}(?=\n)/);
  expect(findNewestCustomerMail().text).not.toMatch(/gate|Dana/);
  await answerAsProvider('ask', { text: 'Which gate?' }, 1);
  await expectCustomerMails(2);
  expect(findNewestCustomerMail().text).toContain('| Which gate?');
  // The copy of the provider's own answer is sent unless the customer answers first.
  await expectProviderMails(2);
  await post(origin, receiptPath, { text: 'The left one.' });
  await answerAsProvider('offer', { amount: '129', currency: 'USD', expires: '48h' }, 3);
  await expectCustomerMails(3);
  expect(findNewestCustomerMail().text).toContain('\nPrice: you pay $129');
  await expectProviderMails(4);
  const token = receiptPath.split('/').at(-1)!;
  const statusResponse = await fetch(`${origin}/api/lead/${token}`);
  const { offer } = (await statusResponse.json()) as { offer: { offerId: string } };
  await post(origin, receiptPath, { accept: offer.offerId });
  await expectCustomerMails(4);
  expect(findNewestCustomerMail().text).toContain('You accepted the offer from');
  await answerAsProvider('confirm', { text: 'Tuesday at 9 AM.' }, 5);
  await expectCustomerMails(5);
  const threads = mailbox.mails.filter(isCustomerMail).map((mail) => header(mail, 'references'));
  expect(new Set(threads.slice(1))).toEqual(
    new Set([mailbox.mails.filter(isCustomerMail)[0]!.messageId]),
  );

  await submit(origin, 'Not mine.');
  await expectCustomerMails(6);
  const notMePath = findNewestLinkPath(/http\S+\/not-me/);
  const page = await fetch(origin + notMePath, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Erase')]);
  expect((await fetch(origin + notMePath.replace('/not-me', ''))).status).toBe(200);
  const erased = await fetch(origin + notMePath, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ do: 'erase', sure: 'yes' }),
  });
  expect(erased.status).toBe(303);
  expect((await fetch(origin + notMePath.replace('/not-me', ''))).status).toBe(410);
  await server.end('SIGTERM');
  expect(mailbox.mails.filter(isCustomerMail).length).toBe(6);
});
