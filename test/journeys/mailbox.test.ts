import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { afterAll, expect, inject, it } from 'vitest';
import { exampleValues } from '../../src/fields/fields.ts';
import { referenceOf } from '../../src/operation/tokens.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { httpReceiver, type MailReceiver, mailReceiver } from '../deliveries/setup/receivers.ts';
import { builtWith, startServer } from '../setup/started-server.ts';

/** The server is started, killed and started again as a process. */
const folder = mkdtempSync(join(tmpdir(), 'frontage-mailbox-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const site = readBuiltSite(inject('fourBuild'));
const { subsite, action } = verbsOf(site).find(
  ({ action: { effect, fields } }) =>
    !effect && Object.values(fields).some(({ type }) => type === 'string'),
)!;
const text = Object.entries(action.fields).find(([, { type }]) => type === 'string')![0];

type Mail = MailReceiver['mails'][number];

/** Messages to people who asked, and those to anybody else. */
const isToPerson = ({ envelopeTo }: Mail) => envelopeTo[0]!.startsWith('dana');
const others = ({ mails }: MailReceiver) => mails.filter((mail) => !isToPerson(mail));
const header = (mail: Mail, name: string) => mail.headers.find(({ key }) => key === name)?.value;

/** A server of its own with a mailbox, and what people and the provider do with it. */
async function service(name: string, settings: (mailbox: MailReceiver) => Record<string, string>) {
  const mailbox = await mailReceiver();
  let count = 0;
  const url = `file:${join(folder, `${name}.db`)}`;
  const start = async () => {
    const server = startServer({
      ...builtWith(inject('fourBuild'), 'test/fixtures/network-of-four'),
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
    file: (origin: string, written: string) =>
      post(origin, '/api/lead/action', {
        subsite: subsite.name,
        action: action.verb,
        fields: { ...exampleValues(action.fields), [text]: written },
        contact: { name: `Dana ${written}`, email: `dana${++count}@example.com` },
      }),
  };
}

const MAIL = { interval: 50 };

it('a provider reads one thread in the time of the network, with the price, and no forged line', async () => {
  const { mailbox, start, post, file } = await service('provider', () => ({
    LEADS_TO: 'desk@network.example',
  }));
  const { server, origin } = await start();
  const mailsFor = async (written: string) => {
    const before = others(mailbox).length;
    await file(origin, written);
    await expect.poll(() => others(mailbox).length, MAIL).toBe(before + 1);
    return others(mailbox).at(-1)!;
  };
  const first = await mailsFor('The gate sticks.');
  expect(first.envelopeTo).toEqual([subsite.notify ?? 'desk@network.example']);
  const reference = referenceOf(/^Reference: (\S+)$/m.exec(first.text!)![1]!);
  const [, received] = /^Received: (.+)$/m.exec(first.text!)!;
  const there = new Intl.DateTimeFormat('en-US', {
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
  expect(received!.replaceAll('\u202f', ' ')).toBe(`${there} ${zone}`.replaceAll('\u202f', ' '));

  for (const [link, note, news, price] of [
    [
      'offer',
      'Parts and labor.',
      'You sent the customer an offer.',
      { amount: '129', currency: 'USD', expires: '48h' },
    ],
    ['confirm', 'Tuesday at 9 AM.', 'You confirmed the request.', {}],
  ] as const) {
    const newest = others(mailbox).at(-1)!;
    const path = new RegExp(`/answer/\\S+\\.${link}\\.\\S+`).exec(newest.text!)![0];
    const before = others(mailbox).length;
    await post(origin, path, { ...price, text: note });
    await expect.poll(() => others(mailbox).length, MAIL).toBe(before + 1);
    const mail = others(mailbox).at(-1)!;
    expect(mail.text!.split('\n').slice(0, 3)).toEqual([
      `${news} The customer gets it by email and sees it on their page.`,
      '',
      `| ${note}`,
    ]);
    expect(mail.subject).toBe(`Re: ${first.subject}`);
    expect(mail.messageId).not.toBe(first.messageId);
    expect([header(mail, 'in-reply-to'), header(mail, 'references')]).toEqual([
      first.messageId,
      first.messageId,
    ]);
  }
  expect(first.messageId).toContain(reference);

  /**
   * The lines that the network itself wrote, by every line end that a mail program knows, without
   * what is new in each mail.
   */
  const ours = (mail: Mail) =>
    mail
      .text!.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
      .filter((line) => !line.startsWith('| '))
      .map((line) =>
        line
          .replace(/\w+, \w+ \d+, \d+ at [^.;]*/, 'TIME')
          .replace(/^Reference: .*/, 'REFERENCE')
          .replace(/^http.*/, 'LINK'),
      );
  const forged = ['ANSWER', '', 'Confirm:', 'https://evil.example/answer', ''];
  for (const end of ['\r', '\n', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']) {
    const mail = await mailsFor(`\u202eevil\u2066${forged.join(end)}\u200f\u061c`);
    expect(ours(mail), JSON.stringify(end)).toEqual(ours(first));
    expect(mail.text).toContain('https://evil.example/answer');
    expect(`${mail.subject}${mail.text}${header(mail, 'reply-to')}`).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
    );
    expect(mail.replyTo).toEqual([
      { name: expect.stringContaining('Dana'), address: expect.stringMatching(/^dana\d+@/) },
    ]);
  }
  await server.end('SIGTERM');
});

it('an operator gets one mail when a lead waits and one when it is delivered, whatever happens to the server', async () => {
  const provider = await httpReceiver();
  const down = (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
    response.writeHead(500).end();
  provider.behave.push(...Array.from({ length: 50 }, () => down));
  const { mailbox, url, start, file } = await service('operator', () => ({
    ALERTS_TO: 'operator@network.example',
    WEBHOOK_URL: provider.url,
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    ALLOW_PRIVATE_TARGETS: '1',
  }));
  const first = await start();
  await file(first.origin, 'The gate sticks.');
  await expect.poll(() => provider.taken.length, MAIL).toBeGreaterThan(0);
  await first.server.end('SIGKILL');

  /** Writes into the database while no server runs. */
  const write = async (...statements: string[]) => {
    const client = createClient({ url });
    await client.batch(statements, 'write');
    client.close();
  };
  // Time passes: the lead is as old as one that was filed 20 minutes ago, and its next attempt is
  // far away.
  const ago = new Date(Date.now() - 20 * 60_000).toISOString();
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await write(
    `update outbox set created_at = '${ago}'`,
    `update deliveries set created_at = '${ago}', due_at = '${later}', lease_until = null`,
  );
  const second = await start();
  await expect.poll(() => others(mailbox).length, MAIL).toBe(1);
  const begun = others(mailbox)[0]!;
  expect(begun.envelopeTo).toEqual(['operator@network.example']);
  expect(begun.text).toContain('1 lead has been undelivered for 15 minutes or longer');
  // A server that is killed between sending and writing that down does not know that there is an
  // end to tell of.
  const reading = createClient({ url });
  const notifiedAt = async () =>
    (await reading.execute('select notified_at from alerts')).rows[0]?.['notified_at'];
  await expect.poll(notifiedAt, MAIL).toEqual(expect.any(String));
  reading.close();
  await second.server.end('SIGKILL');

  provider.behave.length = 0;
  await write(`update deliveries set due_at = '${ago}'`);
  const third = await start();
  await expect.poll(() => others(mailbox).length, MAIL).toBe(2);
  await third.server.end('SIGTERM');
  expect(others(mailbox).map(({ subject }) => subject)).toEqual([
    begun.subject,
    `Re: ${begun.subject}`,
  ]);
  expect(header(others(mailbox)[1]!, 'in-reply-to')).toBe(begun.messageId);
  expect(JSON.stringify(others(mailbox))).not.toMatch(/dana|gate/i);
});

it('a person follows a request from the receipt to the confirmation by mail, and a stranger erases theirs', async () => {
  const { mailbox, start, post, file } = await service('person', () => ({
    LEADS_TO: 'desk@network.example',
  }));
  const { server, origin } = await start();
  const toPerson = (count: number) =>
    expect.poll(() => mailbox.mails.filter(isToPerson).length, MAIL).toBe(count);
  const newest = () => mailbox.mails.filter(isToPerson).at(-1)!;
  /** Site-relative path of a link in the newest mail to the person. */
  const linkIn = (pattern: RegExp) => new URL(pattern.exec(newest().text!)![0]).pathname;
  const answer = async (link: string, body: object, after: number) => {
    await expect.poll(() => others(mailbox).length, MAIL).toBe(after);
    const path = new RegExp(`/answer/\\S+\\.${link}\\.\\S+`).exec(
      others(mailbox).at(-1)!.text!,
    )![0];
    await post(origin, path, body);
  };

  await file(origin, 'The gate sticks.');
  await toPerson(1);
  const receipt = linkIn(/http\S+\/receipt\/\S{21}(?=\n)/);
  expect(newest().text).not.toMatch(/gate|Dana/);
  await answer('ask', { text: 'Which gate?' }, 1);
  await toPerson(2);
  expect(newest().text).toContain('| Which gate?');
  await post(origin, receipt, { text: 'The left one.' });
  await answer('offer', { amount: '129', currency: 'USD', expires: '48h' }, 3);
  await toPerson(3);
  expect(newest().text).toContain('| Price: $129');
  const token = receipt.split('/').at(-1)!;
  const read = await fetch(`${origin}/api/lead/${token}`);
  const { offer } = (await read.json()) as { offer: { offerId: string } };
  await post(origin, receipt, { accept: offer.offerId });
  await answer('confirm', { text: 'Tuesday at 9 AM.' }, 5);
  await toPerson(4);
  const threads = mailbox.mails.filter(isToPerson).map((mail) => header(mail, 'references'));
  expect(new Set(threads.slice(1))).toEqual(
    new Set([mailbox.mails.filter(isToPerson)[0]!.messageId]),
  );

  await file(origin, 'Not mine.');
  await toPerson(5);
  const notMe = linkIn(/http\S+\/not-me/);
  const page = await fetch(origin + notMe, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Erase')]);
  expect((await fetch(origin + notMe.replace('/not-me', ''))).status).toBe(200);
  const erased = await fetch(origin + notMe, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ do: 'erase' }),
  });
  expect(erased.status).toBe(303);
  expect((await fetch(origin + notMe.replace('/not-me', ''))).status).toBe(410);
  await server.end('SIGTERM');
  expect(mailbox.mails.filter(isToPerson).length).toBe(5);
});
