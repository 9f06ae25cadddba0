import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase } from '../../db/index.ts';
import { labelOf, humanizeOption } from '../../src/site/words/field-words.ts';
import { createContext } from '../../src/server/create-context.ts';
import {
  MAX_ENTRIES,
  type ProviderAction as AnswerName,
} from '../../src/leads/conversation/conversation.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { KEY_INPUT } from '../../src/site/forms/form-inputs.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { stopMail } from '../../src/leads/deliveries/person/stop-mail.ts';
import { createKey, revokeKey } from '../../src/keys/keys.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { serve, type Service } from '../../src/server/entry.ts';
import { findSubsite } from '../../src/site/registry.ts';
import { formatReference } from '../../src/site/words/words.ts';
import { listActions } from '../operations/setup/actions.ts';
import { type Answer, ask, NO_RATE_LIMITS } from './serve-build.ts';
import { submitExample } from './submit-example.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-lead-pages-'));
const form = { 'content-type': 'application/x-www-form-urlencoded' };
let database: Database;
let service: Service;
let metrics: number;
let context: ReturnType<typeof createContext>;

beforeAll(async () => {
  const outDir = inject('fourBuild');
  database = await openDatabase({ url: `file:${folder}/test.db`, usesThread: false });
  // Nothing listens on this port, so events remain undelivered.
  const webhook = {
    webhookUrl: 'http://127.0.0.1:9/',
    webhookSecret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    allowPrivateTargets: true,
  };
  service = await serve(
    {
      outDir,
      host: '127.0.0.1',
      port: 0,
      trustProxy: 0,
      ...NO_RATE_LIMITS,
      metricsPort: 0,
      ...webhook,
    },
    database,
    pino({ level: 'silent' }),
  );
  metrics = service.metricsPort!;
  context = createContext({
    isCustomerEmailEnabled: false,
    site: readBuiltSite(outDir),
    database,
    log: pino({ level: 'silent' }),
  });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  ask(service.port, path, { headers });
const post = (
  path: string,
  texts: Record<string, string> = {},
  headers: Record<string, string> = {},
) =>
  ask(service.port, path, {
    method: 'POST',
    headers: { ...form, ...headers },
    body: new URLSearchParams(texts).toString(),
  });
const readText = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const parseJson = (answer: Answer) => JSON.parse(String(answer.body));
const statusOf = async (token: string) => parseJson(await get(`/api/lead/${token}`));

/** An action without an effect. */
const findPlainAction = () => listActions(context.site).find((verb) => !verb.action.effect)!;

/** A new lead: its receipt, its reference, and the paths of its links. */
async function createLead(
  contact: object = { name: 'Dana Reyes', email: 'dana@example.com' },
): Promise<{ token: string; reference: string; links: Record<AnswerName, string> }> {
  const { receiptToken: token } = await submitExample(
    { ask: (target, options) => ask(service.port, target, options) },
    findPlainAction(),
    { contact },
  );
  const [{ id }] = (await database.writer.all(
    sql`select id from outbox where lead = ${token} and kind = 'lead.created'`,
  )) as [{ id: string }];
  const { links } = (await readLeadEvent(id, context))!;
  return {
    token,
    reference: id,
    links: Object.fromEntries(
      Object.entries(links).map(([name, url]) => [name, new URL(url).pathname]),
    ) as Record<AnswerName, string>,
  };
}

/** Form inputs of an offer. */
const offer = { amount: '45', currency: 'USD', expires: '48h' };

describe('the receipt of a hold', () => {
  const findHoldAction = () =>
    listActions(context.site).find(({ action }) => action.effect?.kind === 'hold')!;
  const itemOf = (verb: ReturnType<typeof findHoldAction>) =>
    verb.action.effect?.kind === 'hold' ? verb.action.effect.itemField : '';

  it('fills in the same item if the customer needs other days', async () => {
    const verb = findHoldAction();
    const { receiptToken } = await submitExample(
      { ask: (target, options) => ask(service.port, target, options) },
      verb,
    );
    await sendAsProvider({ receiptToken, action: 'confirm', actor: 'operator' }, {}, context);
    const page = String((await get(`/receipt/${receiptToken}`)).body);
    expect(page).toMatch(
      new RegExp(`href="[^"]*fields\\.${itemOf(verb)}=[^"]+">\\s*Send a new request`),
    );
  });
});

describe('the page of an answer link', () => {
  it('has a button that says what it sends', async () => {
    const { links } = await createLead();
    const buttons: Record<string, string> = {};
    for (const [name, link] of Object.entries(links))
      buttons[name] = readText(
        /<button class="button" type="submit">[\s\S]*?<\/button>/.exec(
          String((await get(link)).body).split('<main')[1]!,
        )![0],
      );
    expect(buttons).toEqual({
      acknowledge: 'Send the acknowledgment',
      ask: 'Send the question',
      offer: 'Send the offer',
      confirm: 'Send the confirmation',
      decline: 'Decline the request',
      reply: 'Send the message',
    });
  });

  it('shows a form that works without scripts, and changes nothing when opened, however often', async () => {
    const { token, links } = await createLead();
    for (let time = 0; time < 3; time++)
      for (const link of Object.values(links)) {
        const page = await get(link);
        expect(page.status).toBe(200);
        expect(page.headers).toMatchObject({
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
          'referrer-policy': 'same-origin',
        });
        expect(String(page.body)).toContain('method="post"');
        // The holder of the link also has the message, which contains all of this.
        expect(String(page.body)).toContain('Dana Reyes');
        expect(String(page.body)).toContain('href="mailto:dana%40example.com"');
      }
    expect((await ask(service.port, links.confirm, { method: 'HEAD' })).status).toBe(200);
    expect(await statusOf(token)).toMatchObject({ status: 'new', history: [{ status: 'new' }] });
  });

  it('acts once when it is posted, and the customer sees the answer within a second', async () => {
    const { token, reference, links } = await createLead();
    expect(
      await post(links.offer, { ...offer, text: 'Forty five dollars.\r\nFrom Monday <b>.' }),
    ).toMatchObject({ status: 303, headers: { location: `${links.offer}?sent` } });
    expect(await statusOf(token)).toMatchObject({
      status: 'quoted',
      history: [
        { status: 'new' },
        { status: 'quoted', note: 'Forty five dollars.\nFrom Monday <b>.' },
      ],
    });
    expect(String((await get(`/receipt/${token}`)).body)).toContain('From Monday &lt;b&gt;.');
    expect(String((await get(links.offer)).body)).toMatch(
      /This link was used[\s\S]*for “Send an offer”[\s\S]*<h1>/,
    );
    const usedLinkResponse = await get(`${links.offer}?sent`);
    expect(usedLinkResponse.status).toBe(200);
    expect(String(usedLinkResponse.body)).toMatch(
      /<div class="page-notice"[^>]* autofocus[^>]*>\s*<p>\s*Your answer was saved but not emailed\.[\s\S]*Offer sent[\s\S]*<h1>/,
    );
    const secondPost = await post(links.offer, { ...offer, amount: '50', text: 'And a cover.' });
    expect(secondPost.status).toBe(410);
    expect(String(secondPost.body)).toMatch(
      /Nothing was changed[\s\S]*<h1>[\s\S]*from you, with an answer link[\s\S]*was not sent[\s\S]*And a cover\./,
    );
    expect(String(secondPost.body)).not.toMatch(/was saved|This link was used/);
    const staleLinkResponse = await get(links.confirm);
    expect(String(staleLinkResponse.body)).toMatch(
      /<div class="page-notice"[^>]* autofocus[^>]*>\s*<p>\s*This link is out of date: the request already has an offer\.[\s\S]*<h1>[\s\S]*Offer sent[\s\S]*came from you, with an answer link/,
    );
    const refused = await post(links.confirm);
    expect(refused.status).toBe(410);
    const { links: newLinks } = (await readLeadEvent(reference, context))!;
    for (const { body } of [usedLinkResponse, secondPost, staleLinkResponse, refused]) {
      expect(String(body)).not.toContain('href="/answer/');
      expect(String(body)).toMatch(/open our latest email[\s\S]*href="\/inbox"/);
    }
    expect((await post(new URL(newLinks.confirm!).pathname)).status).toBe(303);
    expect(await statusOf(token)).toMatchObject({ status: 'confirmed' });
  });

  it('shows the form again with the entered values if there is an error', async () => {
    const { token, links } = await createLead();
    const emptyResponse = await post(links.ask, { text: ' ' });
    expect(emptyResponse.status).toBe(400);
    expect(String(emptyResponse.body)).toContain('Nothing was changed.');
    const longText = 'y'.repeat(4_001);
    expect(String((await post(links.decline, { text: longText })).body)).toContain(longText);
    expect(await statusOf(token)).toMatchObject({ status: 'new' });
  });

  it('accepts JSON from programs, and returns problem documents to them', async () => {
    const { token, links } = await createLead();
    const send = (link: string, body: unknown) =>
      ask(service.port, link, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(parseJson(await send(links.ask, {}))).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/text' }],
    });
    expect(parseJson(await send(links.offer, offer))).toMatchObject({ status: 'quoted' });
    expect(parseJson(await send(links.offer, offer))).toMatchObject({ code: 'gone' });
    expect(await statusOf(token)).toMatchObject({ status: 'quoted' });
  });

  it('rejects an invalid link and other methods', async () => {
    const { links } = await createLead();
    for (const path of [
      '/answer/x',
      `${links.offer}x`,
      links.offer.replace('.offer.', '.confirm.'),
    ]) {
      expect((await get(path)).status).toBe(404);
      expect((await post(path, { text: 'x' })).status).toBe(404);
    }
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect(await ask(service.port, links.offer, { method })).toMatchObject({
        status: 405,
        headers: { allow: 'GET, HEAD, POST' },
      });
  });
});

describe('the receipt', () => {
  it('states exactly once what accepting a self-confirming offer does', async () => {
    const { token, links } = await createLead();
    await post(links.offer, { ...offer, confirmOnAccept: 'yes' });
    const page = String((await get(`/receipt/${token}`)).body);
    expect(page).toContain('Accepting it confirms your request');
    expect(page).not.toMatch(/until you accept it and|still has to confirm/);
  });

  it('shows a message that followed an offer before the offer can be accepted', async () => {
    const { token, links } = await createLead();
    await post(links.offer, { ...offer, text: 'We come on Monday.' });
    await sendAsProvider(
      { receiptToken: token, action: 'reply', actor: 'provider' },
      { text: 'Sorry, on Tuesday.' },
      context,
    );
    const page = String((await get(`/receipt/${token}`)).body);
    expect(page.indexOf('Sorry, on Tuesday.')).toBeGreaterThan(0);
    expect(page.indexOf('Sorry, on Tuesday.')).toBeLessThan(page.indexOf('name="accept"'));
  });

  it('mentions a cost of canceling only if the agreed price is above 0', async () => {
    for (const price of [{}, { amount: '0', free: 'yes' }] as Record<string, string>[]) {
      const { token, links } = await createLead();
      await post(links.offer, { ...offer, ...price, confirmOnAccept: 'yes' });
      await post(`/receipt/${token}`, { accept: (await statusOf(token)).offer.offerId });
      const page = readText(String((await get(`/receipt/${token}`)).body));
      expect(page.includes('Whether canceling now costs anything')).toBe(!('free' in price));
    }
  });

  it('puts spaces between its sentences, and names one provider, in every state', async () => {
    const { subsite } = findPlainAction();
    const { token: withdrawn } = await createLead();
    await post(`/receipt/${withdrawn}/withdraw`, { sure: 'yes' });
    const { token: answeredLead, links } = await createLead();
    await post(links.acknowledge);
    await post(`/receipt/${answeredLead}`, { text: 'By when?' });
    const tokens = [withdrawn, answeredLead];
    const actionSequences = [
      [],
      ['acknowledge'],
      ['ask'],
      ['offer'],
      ['offer', 'confirm'],
      ['confirm'],
      ['decline'],
    ] as const;
    for (const actions of actionSequences) {
      const { token } = await createLead();
      tokens.push(token);
      for (const action of actions) {
        const body = { offer, acknowledge: {} }[action as string] ?? { text: 'By phone.' };
        await sendAsProvider({ receiptToken: token, action, actor: 'operator' }, body, context);
      }
    }
    const pages = await Promise.all(
      tokens.map(async (token) => String((await get(`/receipt/${token}`)).body)),
    );
    expect(pages.join()).toContain('was not accepted and has ended');
    for (const page of pages) {
      const paragraphs = page.match(/<(p|h\d|dd|dt)\b[^>]*>[^]*?<\/\1>/g)!;
      const texts = paragraphs.map((paragraph) => paragraph.replaceAll(/<[^>]*>/g, ''));
      expect(texts.filter((text) => /[.!?][A-Z]/.test(text))).toEqual([]);
      const authors = [...page.matchAll(/data-from="operator"[^]*?<p class="note">([^<]*?),/g)];
      for (const [, author] of authors) expect(author!.trim()).toBe(subsite.title);
    }
  });

  it('stores a message once if the person goes back and sends the form again', async () => {
    const { token } = await createLead();
    const send = async (text: string) => {
      const { status, body } = await post(`/receipt/${token}`, { text, [KEY_INPUT]: randomUUID() });
      return { status, text: readText(String(body)) };
    };
    expect((await send('The gate is six feet wide.')).status).toBe(303);
    const repeatedResponse = await send('The gate is six feet wide. ');
    expect(repeatedResponse.status).toBe(409);
    expect(repeatedResponse.text).toContain(
      'You already sent this message, so it was not sent again.',
    );
    expect((await send('And it opens inward.')).status).toBe(303);
    expect((await send('The gate is six feet wide.')).status).toBe(303);
    expect((await readLog(token, context)).entries).toHaveLength(4);
  });

  it('withdraws the request with a form, once and after confirmation, but not when its URL is opened', async () => {
    const { token } = await createLead();
    expect(String((await get(`/receipt/${token}`)).body)).toContain(
      `action="/receipt/${token}/withdraw"`,
    );
    expect(await get(`/receipt/${token}/withdraw`)).toMatchObject({
      status: 303,
      headers: { location: `/receipt/${token}` },
    });
    const unconfirmedResponse = await post(`/receipt/${token}/withdraw`);
    expect(unconfirmedResponse.status).toBe(400);
    expect(String(unconfirmedResponse.body)).toContain('choose “Yes, cancel it”');
    expect(await statusOf(token)).toMatchObject({ status: 'new' });
    for (const _ of [1, 2])
      expect(await post(`/receipt/${token}/withdraw`, { sure: 'yes' })).toMatchObject({
        status: 303,
        headers: { location: `/receipt/${token}` },
      });
    expect(await statusOf(token)).toMatchObject({
      status: 'withdrawn',
      history: [{ status: 'new' }, { status: 'withdrawn' }],
    });
    expect(String((await get(`/receipt/${token}`)).body)).not.toContain('/withdraw');
  });

  it('erases the request with a confirmed form, and then responds with 410, as does the status', async () => {
    const { token } = await createLead();
    await get(`/receipt/${token}/erase`);
    const unconfirmedResponse = await post(`/receipt/${token}/erase`);
    expect(unconfirmedResponse.status).toBe(400);
    expect(String(unconfirmedResponse.body)).toContain('check “Erase it for good”');
    expect(await statusOf(token)).toMatchObject({ status: 'new' });
    expect((await post(`/receipt/${token}/erase`, { sure: 'yes' })).status).toBe(303);
    for (const path of [`/receipt/${token}`, `/api/lead/${token}`])
      expect((await get(path)).status).toBe(410);
    expect(
      await database.writer.all(
        sql`select 1 from leads where token = ${token} and (contact_name is not null or fields is not null)`,
      ),
    ).toEqual([]);
  });

  it('shows part of the contact so that a typo is visible, while the status does not', async () => {
    const { token } = await createLead({ email: 'dana@example.com', phone: '(727) 555-0142' });
    const page = String((await get(`/receipt/${token}`)).body);
    expect(page).toContain('d•••@example.com');
    expect(page).toContain('(•••)\u00a0•••-0142');
    expect(page).not.toMatch(/dana@|555-?0142|555\)/);
    expect(JSON.stringify(await statusOf(token))).not.toMatch(/\*\*|example\.com|0142/);
    expect(String((await get('/receipt/sandbox')).body)).not.toContain('•••');
  });

  it('cannot be withdrawn or erased in the sandbox', async () => {
    expect(String((await get('/receipt/sandbox')).body)).not.toContain('<form method="post"');
    expect((await post('/receipt/sandbox/erase', { sure: 'yes' })).status).toBe(303);
  });
});

describe('an error page', () => {
  it.each([`/receipt/${'x'.repeat(21)}`, '/biz/no-such-business', '/answer/no-such-link'])(
    'explains the reason at %s in plain words, with the usual page header',
    async (path) => {
      const page = await get(path, { accept: 'text/html' });
      expect(page.status).toBe(404);
      const main = String(page.body).split('<main')[1]!.split('</main>')[0]!;
      expect(main).toMatch(/<header class="page-head">[\s\S]*<h1>/);
      expect(main).not.toContain('/problems/');
      expect(main).toMatch(/href="tel:\+?\d+"/);
      expect(main.replaceAll(/<[^>]+>/g, ' ')).not.toMatch(/\b(?:lead|token|problem|code)\b/i);
    },
  );
});

it('the receipt of a sandbox request does not say that somebody has the request', async () => {
  const page = readText(String((await get('/receipt/sandbox')).body));
  expect(page).toContain('nothing was stored or sent');
  expect(page).not.toMatch(/has everything|have everything/);
});

describe('the inbox', () => {
  const signIn = async (scopes: string[]) => {
    const { key, id } = await createKey({ name: 'Front desk', scopes, expiresAt: null }, context);
    const answer = await post('/inbox', { key });
    return { id, answer, cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0]! };
  };
  const extractToken = (page: Answer) => /name="form" value="([^"]+)"/.exec(String(page.body))![1]!;

  it('shows nothing without a key, and opens only with a key that has its scope', async () => {
    const { reference } = await createLead();
    const form = await get('/inbox', { accept: 'text/html' });
    expect([form.status, form.headers['content-type']]).toEqual([401, 'text/html']);
    expect(String(form.body)).toContain('type="password"');
    expect(String(form.body)).not.toMatch(/fault-summary/);
    expect(String(form.body)).not.toContain(reference);
    const problem = await get('/inbox', { accept: 'application/json' });
    expect([problem.status, JSON.parse(String(problem.body))]).toMatchObject([
      401,
      { code: 'unauthorized' },
    ]);
    expect(await get(`/inbox/${reference}`)).toMatchObject({
      status: 303,
      headers: { location: `/inbox?lead=${reference}` },
    });
    const signInPage = await get(`/inbox?lead=${reference}`);
    expect(String(signInPage.body)).toContain(`name="lead" value="${reference}"`);
    for (const cookie of [
      'inbox_session=',
      'inbox_session=x',
      'inbox_session=aaaaaaaaaa.zzzzzz.AAAAAAAAAAAAAAAAAAAAAA',
    ])
      expect((await get(`/inbox/${reference}`, { cookie })).status).toBe(303);
    const refused = await post('/inbox', { key: 'fk_no' });
    expect(refused.status).toBe(401);
    const [, summary] = /class="fault-summary"[^>]*>([\s\S]*?)<\/div>/.exec(String(refused.body))!;
    expect(readText(summary!)).toMatch(/^This key is not valid\. [^.]+\.$/);
    const { key } = await createKey(
      { name: 'Front desk', scopes: ['inbox'], expiresAt: null },
      context,
    );
    for (const [site, status] of [
      ['same-origin', 303],
      ['none', 303],
      ['same-site', 401],
      ['cross-site', 401],
    ] as const)
      expect((await post('/inbox', { key }, { 'sec-fetch-site': site })).status, site).toBe(status);
    expect((await signIn(['*'])).answer).toMatchObject({ status: 403 });
    expect((await signIn(['*.help', 'guide.*'])).cookie).toBe('');
    expect((await signIn(['inbox'])).answer).toMatchObject({
      status: 303,
      headers: {
        'set-cookie': [
          expect.stringMatching(
            /^inbox_session=[^;]+; Max-Age=43200; Path=\/inbox; HttpOnly; SameSite=Strict$/,
          ),
          // The previous search in this browser, by someone else.
          'inbox_search=; Max-Age=0; Path=/inbox; HttpOnly; SameSite=Strict',
        ],
      },
    });
  });

  it('lists, filters, and shows leads, and is never cached', async () => {
    const { reference } = await createLead({
      name: '<script>alert(1)</script>',
      phone: '+17275550142',
    });
    const { cookie } = await signIn(['inbox']);
    const list = await get('/inbox', { cookie });
    expect(list.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(String(list.body)).toContain(`/inbox/${reference}`);
    expect(String(list.body)).not.toContain('<script>alert');
    expect(
      String((await get('/inbox?status=confirmed&older=a+week', { cookie })).body),
    ).not.toContain(`/inbox/${reference}`);
    const page = await get(`/inbox/${reference}`, { cookie });
    expect(String(page.body)).toContain('>(727)\u00a0555-0142<');
    expect(String(page.body)).not.toContain('<script>alert');
    const { action } = findPlainAction();
    for (const [name, field] of Object.entries(action.fields)) {
      if (field.example === undefined) continue;
      // The form’s email field is the contact, and is listed once.
      const label = field.type === 'email' ? 'Email' : labelOf(name, field);
      expect(String(page.body)).toContain(`<dt>${label}</dt>`);
      if (field.enum) expect(String(page.body)).toContain(`>${humanizeOption(field.example)}</dd>`);
    }
    expect((await get('/inbox/nothing', { cookie })).status).toBe(404);
  });

  it('says that a call was recorded, and links to the next customer to call', async () => {
    const { cookie } = await signIn(['inbox']);
    const decline = async (name: string) => {
      const { token, reference } = await createLead({ name, phone: '+17275550142' });
      // The example request has a field with an email address.
      await stopMail(token, context);
      const path = `/inbox/${reference}`;
      const form = extractToken(await get(path, { cookie }));
      const answer = { do: 'decline', text: 'We are booked.', revision: '1', form };
      expect((await post(path, answer, { cookie })).status).toBe(303);
      expect(readText(String((await get(path, { cookie })).body))).toContain(
        'After the call, choose “I called the customer”.',
      );
      return { path, form };
    };
    const [first, second] = [await decline('Ada Reyes'), await decline('Bo Reyes')];
    const record = async ({ path, form }: typeof first) => {
      const callResponse = await post(path, { task: 'called', revision: '2', form }, { cookie });
      return String((await get(callResponse.headers.location!, { cookie })).body).replaceAll(
        /\s+/g,
        ' ',
      );
    };
    const page = await record(first);
    expect(page).toContain('Your call was recorded.');
    // Customers of other tests may have waited longer.
    expect(page).toMatch(/[1-9]\d* more to call. Next: ?<a href="\/inbox\/[^"]+"[^>]*> ?\S/);
    expect(page).not.toContain('I called the customer');
    expect(await record(second)).toContain('Your call was recorded.');
  });

  it('keeps an answer that is not sent yet while a call is recorded or the provider notified', async () => {
    const { cookie } = await signIn(['inbox']);
    const { token, reference } = await createLead({ name: 'Cy Reyes', phone: '+17275550142' });
    await stopMail(token, context);
    const path = `/inbox/${reference}`;
    const form = extractToken(await get(path, { cookie }));
    const question = { do: 'ask', text: 'How wide is the gate?', revision: '1', form };
    expect((await post(path, question, { cookie })).status).toBe(303);
    const typedText = 'One more question: how high is it?';
    for (const task of ['called', 'redeliver']) {
      const page = String((await get(path, { cookie })).body);
      // The button sends the answer form, whose Enter key still sends the answer.
      expect(page).toMatch(
        new RegExp(
          `<input type="submit" form="answer"[^]*?<button[^>]*value="${task}" form="answer"`,
        ),
      );
      const kept = await post(
        path,
        { task, do: 'reply', text: typedText, revision: '2', form },
        { cookie },
      );
      expect(kept.status).toBe(200);
      const keptPage = String(kept.body);
      expect(keptPage).toContain(`${typedText}</textarea>`);
      expect(keptPage).toMatch(/value="reply"[^>]* checked/);
      expect(keptPage.includes('Your call was recorded.')).toBe(task === 'called');
    }
    expect(await statusOf(token)).toMatchObject({ status: 'needs_info' });
    expect((await readLead(reference, 'all', context)).history).toHaveLength(2);
  });

  it('starts with the request that is due next, and finds a caller’s request without the caller’s name in a URL', async () => {
    const phone = '+17275550187';
    const { reference } = await createLead({ phone });
    const { cookie } = await signIn(['inbox']);
    const list = await get('/inbox', { cookie });
    const formToken = extractToken(list);
    const [due, everything] = String(list.body).split('inbox-filter');
    const times = [...due!.matchAll(/>(due (?:in \d+\s\w+|by [^<]+)|\d+\s\w+ overdue)</g)];
    expect(times.length).toBeGreaterThan(0);
    expect(everything).toMatch(/>due (?:in \d|by )/);
    expect(readText(due!)).toContain('Emails to customers: none are sent');
    const { reference: emailed } = await createLead();
    const row = String((await get('/inbox', { cookie })).body).split(`/inbox/${emailed}`)[1]!;
    expect(readText(row.split('</li>')[0]!)).toContain('Dana Reyes, dana@example.com');
    const filtered = String((await get('/inbox?status=new', { cookie })).body);
    expect(filtered).not.toContain('urgent-title');

    const find = async (text: string) =>
      (await post('/inbox', { find: text, form: formToken }, { cookie })).headers.location;
    const leadPath = `/inbox/${reference}`;
    for (const text of [reference, formatReference(reference).toLowerCase(), '(727) 555-0187'])
      expect(await find(text)).toBe(leadPath);
    const { reference: second } = await createLead({ phone, email: 'Ada@Example.com' });
    const resultsPath = `/inbox?found=${second},${reference}`;
    expect(await find('727-555-0187')).toBe(resultsPath);
    expect(await find('ada@example.com')).toBe(`/inbox/${second}`);
    const resultsPage = String((await get(resultsPath, { cookie })).body);
    expect([...resultsPage.matchAll(/href="(\/inbox\/[^"]+)"/g)].map(([, href]) => href)).toEqual([
      `/inbox/${second}`,
      leadPath,
    ]);
    const { reference: third } = await createLead({ name: 'Zoë Quickwater' });
    const { reference: fourth } = await createLead({ name: 'Max Quickwater' });
    expect(await find('zoe quick')).toBe(`/inbox/${third}`);
    expect(await find('QUICKWATER')).toBe(`/inbox?found=${fourth},${third}`);
    expect(await find('55 0187')).toBe(resultsPath);
    const emptyResultsPath = await find('nobody@example.com');
    expect(emptyResultsPath).toBe('/inbox?found=');
    expect(String((await get(emptyResultsPath!, { cookie })).body)).toContain(
      'No requests match this name',
    );
    // Searching requires the session’s form token.
    expect((await post('/inbox', { find: reference }, { cookie })).status).toBe(401);
    const signedOutResponse = await post('/inbox', { find: reference });
    expect([signedOutResponse.status, signedOutResponse.headers.location]).toEqual([303, '/inbox']);
  });

  it('calls an answer to a question an answer', async () => {
    const { token, reference } = await createLead();
    const askMessage = { receiptToken: token, action: 'ask', actor: 'provider' } as const;
    await sendAsProvider(askMessage, { text: 'Which size?' }, context);
    await post(`/receipt/${token}`, { text: 'The large one.' });
    const { cookie } = await signIn(['inbox']);
    const shownText = readText(String((await get(`/inbox/${reference}`, { cookie })).body));
    expect(shownText).toContain('Answer written by the customer');
  });

  it('labels what each answer does, and says how the customer answered an offer', async () => {
    const { token, reference } = await createLead();
    const { cookie } = await signIn(['inbox']);
    const readPage = async () =>
      readText(String((await get(`/inbox/${reference}`, { cookie })).body));
    const shownText = await readPage();
    expect(shownText).toMatch(/If nobody answers by \w+day, [^.]+, the request expires\./);
    expect(shownText).toContain('Decline: Tells the customer that you cannot do it. This ends the');
    expect(shownText).toContain('Confirm: This books nothing');
    expect(shownText).toMatch(
      /It then stays open until .*\. The customer still expects an answer by \w/,
    );
    // Without a mail server, no answer is emailed, with or without a message.
    expect(shownText).toContain('The customer sees this only on their page: this service');
    expect(shownText).not.toContain('email only if');
    const sendOffer = async () => {
      const message = { receiptToken: token, action: 'offer', actor: 'provider' } as const;
      await sendAsProvider(message, { ...offer, confirmOnAccept: true }, context);
      return (await readLog(token, context)).entries.at(-1)!.offer!.offerId;
    };
    await post(`/receipt/${token}`, { decline: await sendOffer() });
    await post(`/receipt/${token}`, { accept: await sendOffer() });
    const answeredText = await readPage();
    expect(answeredText).toContain('Offer declined by the customer');
    expect(answeredText).toContain('Offer accepted by the customer , which confirms the request');
    expect(answeredText).not.toContain('If nobody answers');
  });

  it('describes states and authors in words, and calls a confirmed request canceled after it is declined', async () => {
    const { token, reference } = await createLead();
    const question = { text: 'Which size?' };
    for (const [action, body] of [
      ['ask', question],
      ['acknowledge', {}],
      ['confirm', {}],
      ['decline', question],
    ] as const)
      await sendAsProvider({ receiptToken: token, action, actor: 'provider' }, body, context);
    const { cookie } = await signIn(['inbox']);
    const page = String((await get(`/inbox/${reference}`, { cookie })).body).replace(/\s+/g, ' ');
    const shownText = page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    for (const words of [
      'Request sent by software for the customer',
      'Waiting for the customer’s answer by the provider',
      'In progress by the provider',
      'Confirmed by the provider',
      'Canceled by the provider',
    ])
      expect(shownText).toContain(words);
    expect(page).toMatch(/<p class="receipt-state"[^>]*>\s*Canceled by the provider/);
    const list = String((await get('/inbox', { cookie })).body);
    for (const raw of ['needs_info', 'needs info', '>acknowledged<'])
      expect(list.replace(/="[^"]*"/g, '')).not.toContain(raw);
    const readFiltered = async (state: string) =>
      String((await get(`/inbox?status=${state}`, { cookie })).body);
    expect(await readFiltered('declined')).not.toContain(reference);
    expect(await readFiltered('canceled')).toContain(reference);
  });

  it('says that a message was sent and how it reaches the customer, and does not send it twice', async () => {
    const { token, reference } = await createLead();
    const { cookie } = await signIn(['inbox']);
    const path = `/inbox/${reference}`;
    const send = async () => {
      const page = await get(path, { cookie });
      const readInputValue = (name: string) =>
        new RegExp(`name="${name}" value="([^"]*)"`).exec(String(page.body))![1]!;
      const names = ['form', KEY_INPUT, 'revision'];
      const hiddenInputs = Object.fromEntries(names.map((name) => [name, readInputValue(name)]));
      return post(
        path,
        { ...hiddenInputs, do: 'reply', text: 'We will come at 3 pm.' },
        { cookie },
      );
    };
    const answer = await send();
    expect([answer.status, answer.headers.location]).toEqual([303, `${path}?sent`]);
    const sentPage = readText(String((await get(`${path}?sent`, { cookie })).body));
    expect(sentPage).toMatch(
      /Your answer was saved but not emailed\. The customer sees this only on their page/,
    );
    expect(sentPage).toContain('Message written by the operator');
    expect(readText(String((await get(path, { cookie })).body))).not.toContain('was saved');

    const repeatedResponse = await send();
    expect(repeatedResponse.status).toBe(409);
    expect(readText(String(repeatedResponse.body))).toContain(
      'You already sent this message, so it was not sent again.',
    );
    expect((await readLog(token, context)).entries).toHaveLength(2);
  });

  it('says that the customer has written in the meantime, shows the message first, and keeps the choice', async () => {
    const { token, reference, links } = await createLead();
    const confirmMessage = { receiptToken: token, action: 'confirm', actor: 'provider' } as const;
    await sendAsProvider(confirmMessage, {}, context);
    const { cookie } = await signIn(['inbox']);
    const path = `/inbox/${reference}`;
    const form = extractToken(await get(path, { cookie }));
    await post(`/receipt/${token}`, { text: 'I’ll bring my own hitch.' });
    const replyInputs = { do: 'reply', text: 'The trailer broke down.', revision: '2', form };
    const refused = String((await post(path, replyInputs, { cookie })).body);
    expect(readText(refused)).toContain(
      'The request changed while you had this page open: the customer has written since then.',
    );
    expect(refused).toMatch(/value="reply"[^>]* checked/);
    expect(refused.indexOf('I’ll bring my own hitch.')).toBeLessThan(refused.indexOf('name="do"'));
    expect(readText(String((await get(links.confirm)).body))).not.toContain('already confirmed');
    await sendAsProvider({ ...confirmMessage, action: 'reply' }, { text: 'Fine.' }, context);
    const answeredPage = String((await get(path, { cookie })).body);
    expect(answeredPage.indexOf('I’ll bring my own hitch.')).toBeGreaterThan(
      answeredPage.indexOf('name="do"'),
    );
  });

  it('keeps the unsent text of an answer to a request that has ended in the meantime', async () => {
    const { token, reference } = await createLead();
    const { cookie } = await signIn(['inbox']);
    const path = `/inbox/${reference}`;
    const form = extractToken(await get(path, { cookie }));
    await post(`/receipt/${token}/withdraw`, { sure: 'yes' });
    const answer = { ...offer, do: 'offer', amount: '47.50', text: 'With a hitch.', form };
    const refused = await post(path, { ...answer, revision: '1' }, { cookie });
    expect(refused.status).toBe(409);
    expect(readText(String(refused.body))).toMatch(
      /Your text was not sent Price[^.]* 47\.50 Message With a hitch\./,
    );
  });

  it('shows a customer the agreed price at the top, from the acceptance on', async () => {
    const { token, links } = await createLead();
    await post(links.offer, offer);
    await post(`/receipt/${token}`, { accept: (await statusOf(token)).offer.offerId });
    const readHeader = async () =>
      readText(/<h1[\s\S]*?<\/header>/.exec(String((await get(`/receipt/${token}`)).body))![0]);
    expect(await readHeader()).toMatch(/You pay \$45/);
    await sendAsProvider(
      { receiptToken: token, action: 'confirm', actor: 'provider' },
      {},
      context,
    );
    expect(await readHeader()).toMatch(/You pay \$45/);
  });

  it('gives a customer the unsent text back if the request has ended or was erased in the meantime', async () => {
    const { token } = await createLead();
    const text = 'The gate is six feet wide.\nIt opens inward.';
    await post(`/receipt/${token}/withdraw`, { sure: 'yes' });
    const refused = await post(`/receipt/${token}`, { text });
    expect(refused.status).toBe(409);
    const alert = /<div class="fault-summary"[\s\S]*?class="receipt-address"/.exec(
      String(refused.body),
    )![0];
    expect(readText(alert)).toContain(
      `Your text was not sent Your message ${text.replace('\n', ' ')}`,
    );
    expect(alert).toContain('class="button quiet" href="tel:');
    await post(`/receipt/${token}/erase`, { sure: 'yes' });
    const erased = await post(`/receipt/${token}`, { text });
    expect(erased.status).toBe(410);
    expect(String(erased.body)).toContain(text);
  });

  it('refuses a price that the chosen answer would not send, and keeps it in the form', async () => {
    const { token, reference } = await createLead();
    const { cookie } = await signIn(['inbox']);
    const path = `/inbox/${reference}`;
    const form = extractToken(await get(path, { cookie }));
    const refused = await post(path, { do: 'confirm', amount: '89', form }, { cookie });
    expect(refused.status).toBe(400);
    expect(readText(String(refused.body))).toContain('Only an offer sends a price.');
    expect(String(refused.body)).toContain('value="89"');
    expect((await statusOf(token)).status).toBe('new');
    const offer = { do: 'offer', amount: '89', currency: 'USD', expires: '48h', form };
    expect((await post(path, offer, { cookie })).status).toBe(303);
    const replyInputs = { do: 'reply', text: 'Thank you.', accepted: 'yes', form };
    const replyResponse = await post(path, replyInputs, { cookie });
    expect(replyResponse.status).toBe(400);
    expect(readText(String(replyResponse.body))).toContain('Only “Confirm” records what');
    expect((await statusOf(token)).status).toBe('quoted');
    // The form contains the latest offer's price.
    const confirmed = await post(path, { do: 'confirm', amount: '89.00', form }, { cookie });
    expect([confirmed.status, (await statusOf(token)).status]).toEqual([303, 'confirmed']);
    const [, history] = readText(String((await get(path, { cookie })).body)).split(' History ');
    expect(history).toContain('Confirmed by the operator');
    expect(history).not.toContain('It does not change the days');
  });

  it('names the answers that need a message, before and after the confirmation', async () => {
    const { token, reference } = await createLead();
    const { cookie } = await signIn(['inbox']);
    const readNote = async () =>
      readText(
        /<label for="note">[\s\S]*?<\/label>/.exec(
          String((await get(`/inbox/${reference}`, { cookie })).body),
        )![0],
      );
    expect(await readNote()).toBe(
      'Message needed only for “Ask a question” and “Write to the customer”',
    );
    await sendAsProvider(
      { receiptToken: token, action: 'confirm', actor: 'provider' },
      {},
      context,
    );
    // Every answer to a confirmed request needs one.
    expect(await readNote()).toBe('Message');
  });

  it('keeps the box to cancel checked, and has no choice of an action if only canceling is left', async () => {
    const { token, reference } = await createLead();
    const confirmMessage = { receiptToken: token, action: 'confirm', actor: 'provider' } as const;
    await sendAsProvider(confirmMessage, {}, context);
    const { cookie } = await signIn(['inbox']);
    const path = `/inbox/${reference}`;
    const cancelInputs = { cancel: 'decline', form: extractToken(await get(path, { cookie })) };
    const boxOf = (answer: Answer) => /<input[^>]* id="sure"[^>]*>/.exec(String(answer.body))![0];
    const refused = await post(path, { ...cancelInputs, sure: 'yes' }, { cookie });
    expect([refused.status, boxOf(refused)]).toEqual([400, expect.stringContaining(' checked')]);
    const unchecked = await post(path, cancelInputs, { cookie });
    expect(boxOf(unchecked)).not.toContain(' checked');
    expect(readText(String(unchecked.body))).toMatch(
      /Message: Enter the reason\. .* Cancel for good: To cancel for good, check the box\./,
    );
    expect(String(unchecked.body)).toContain('<legend>Action</legend>');
    // Sending them one by one reads the whole history each time.
    await database.writer.run(
      sql`with recursive entries(count) as (select 3 union all select count + 1 from entries where count < ${MAX_ENTRIES}) insert into lead_history (lead, status, at, actor, note) select ${token}, 'confirmed', ${new Date().toISOString()}, 'provider', 'Note ' || count || '.' from entries`,
    );
    const full = String((await get(path, { cookie })).body);
    expect(full).not.toContain('<legend>Action</legend>');
    expect(full).not.toContain('Send the answer');
    expect(full).toContain('name="cancel" value="decline"');
  });

  it('explains how to cancel for the customer, whose receipt names the organization as the author of the text', async () => {
    const { token, reference } = await createLead();
    const { organization } = context.site.registry.network;
    await sendAsProvider(
      { receiptToken: token, action: 'reply', actor: 'operator' },
      { text: 'We can come today.' },
      context,
    );
    const { cookie } = await signIn(['inbox']);
    const page = await get(`/inbox/${reference}`, { cookie });
    expect(readText(String(page.body))).toContain(
      `Cancel for the customer: Ends the request. The provider sees in its inbox that it is canceled. The customer sees it on their page, with your message under the name ${organization.name}. Explain why under “Message”, unless the customer asked for it. This cannot be undone.`,
    );
    // Only how to confirm and what declining ends is shown before the choices; the rest is one tap away.
    const [, beforeChoices] = /<legend>Action<\/legend>([^]*?)<div class="choices">/.exec(
      String(page.body),
    )!;
    const [shown, explanations] = beforeChoices!.split('<details');
    expect(shown!.split('class="hint"').length - 1).toBeLessThanOrEqual(2);
    expect(readText(`<details${explanations!}`)).toMatch(
      /^What the other answers do .*Cancel for the customer: /,
    );
    const cancelInputs = { do: 'withdraw', text: 'You called us.', form: extractToken(page) };
    expect((await post(`/inbox/${reference}`, cancelInputs, { cookie })).status).toBe(303);
    const receipt = readText(String((await get(`/receipt/${token}`)).body));
    expect(receipt).toContain(`Message from ${organization.name} You called us.`);
    expect(receipt.split(`${organization.name}, `)).toHaveLength(2);
  });

  it('changes the state with a note, erases, and redelivers, but only from its own forms', async () => {
    const { token, reference } = await createLead();
    const { cookie } = await signIn(['inbox']);
    const formToken = extractToken(await get(`/inbox/${reference}`, { cookie }));
    const otherFormToken = extractToken(
      await get(`/inbox/${reference}`, { cookie: (await signIn(['inbox'])).cookie }),
    );
    const actions: Record<string, string>[] = [
      { do: 'decline', text: 'x' },
      { task: 'redeliver' },
      { do: 'erase', sure: 'yes' },
    ];
    const keys: Record<string, string>[] = [{}, { key: 'x' }, { key: '' }];
    const forms: Record<string, string>[] = [
      {},
      { form: '' },
      { form: 'x' },
      { form: otherFormToken },
    ];
    for (const action of actions) {
      // Submitting the sign-in form’s fields makes no difference.
      for (const more of keys) {
        for (const form of forms)
          expect(
            (await post(`/inbox/${reference}`, { ...action, ...more, ...form }, { cookie })).status,
          ).toBe(401);
        for (const site of ['cross-site', 'same-site', 'unheard-of'])
          expect(
            (
              await post(
                `/inbox/${reference}`,
                { ...action, ...more, form: formToken },
                { cookie, 'sec-fetch-site': site },
              )
            ).status,
          ).toBe(401);
      }
    }
    for (const name of ['key', 'leave'])
      expect((await post('/inbox', { [name]: 'x' }, { cookie })).status).toBe(401);
    const signedOut = await post(`/inbox/${reference}`, { do: 'decline', form: formToken });
    expect(signedOut.status).toBe(401);
    const signInPage = String(signedOut.body);
    expect(readText(signInPage)).toContain('You are signed out, so nothing was sent.');
    expect(signInPage).toContain(`action="/inbox/${reference}"`);
    expect(signInPage).toContain('<input type="hidden" name="do" value="decline">');
    expect(await statusOf(token)).toMatchObject({ status: 'new' });
    expect(
      await post(
        `/inbox/${reference}`,
        { do: 'acknowledge', text: 'We have read it.', form: formToken },
        { cookie },
      ),
    ).toMatchObject({ status: 303, headers: { location: `/inbox/${reference}?sent` } });
    expect(await statusOf(token)).toMatchObject({
      history: [{ status: 'new' }, { status: 'acknowledged', note: 'We have read it.' }],
    });
    const refused = await post(
      `/inbox/${reference}`,
      { do: 'expired', form: formToken },
      { cookie },
    );
    expect(refused.status).toBe(400);
    expect(String(refused.body)).toContain('Nothing was changed.');
    expect(
      (await post(`/inbox/${reference}`, { task: 'redeliver', form: formToken }, { cookie }))
        .status,
    ).toBe(303);
    expect(
      (await post(`/inbox/${reference}`, { do: 'erase', form: formToken }, { cookie })).status,
    ).toBe(400);
    expect(
      (await post(`/inbox/${reference}`, { do: 'erase', sure: 'yes', form: formToken }, { cookie }))
        .status,
    ).toBe(303);
    expect((await get(`/api/lead/${token}`)).status).toBe(410);
  });

  it.each(['reply', 'decline', 'ask', 'offer', 'withdraw'])(
    'refuses to %s from a page that was opened before the customer wrote',
    async (action) => {
      const { token, reference } = await createLead();
      const { cookie } = await signIn(['inbox']);
      const leadPage = await get(`/inbox/${reference}`, { cookie });
      const form = extractToken(leadPage);
      const revision = /name="revision" value="(\d+)"/.exec(String(leadPage.body))![1]!;
      const message = { text: 'It is fixed, never mind the noise.' };
      const sent = await ask(service.port, `/api/lead/${token}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
      });
      expect(sent.status).toBe(200);
      const statusBefore = await statusOf(token);
      const inputs = {
        do: action,
        text: 'We will come on Tuesday.',
        amount: '95',
        currency: 'USD',
      };
      const refused = await post(`/inbox/${reference}`, { ...inputs, form, revision }, { cookie });
      expect(refused.status).toBe(409);
      const page = String(refused.body);
      expect(page).toContain('while you had this page open');
      expect(page).toContain('The latest update came from the customer');
      expect(page).toContain('We will come on Tuesday.');
      expect(page).toContain(message.text);
      expect(page).toMatch(new RegExp(`value="${action}"[^>]* checked`));
      expect(await statusOf(token)).toEqual(statusBefore);
    },
  );

  it('is closed on the server when the user signs out, and immediately when the key is revoked', async () => {
    const { reference } = await createLead();
    const { cookie } = await signIn(['inbox']);
    const other = await signIn(['inbox']);
    const signOut = await post(
      '/inbox',
      { leave: 'yes', form: extractToken(await get('/inbox', { cookie })) },
      { cookie },
    );
    expect(String(signOut.headers['set-cookie'])).toMatch(/^inbox_session=; .*Max-Age=0/);
    const fetchStatus = async (sessionCookie: string) =>
      (await get(`/inbox/${reference}`, { cookie: sessionCookie })).status;
    expect([await fetchStatus(cookie), await fetchStatus(other.cookie)]).toEqual([303, 200]);
    await revokeKey(other.id, context);
    expect(await fetchStatus(other.cookie)).toBe(303);
  });

  const findForeignSubsite = ({ name }: { name: string }) =>
    context.site.registry.subsites.find((subsite) => subsite.name !== name)!;

  it('shows and answers only the leads of its own subsite with a provider’s key', async () => {
    const { subsite } = findPlainAction();
    const foreignSubsite = findForeignSubsite(subsite);
    const contact = { name: 'Noor Haddad', email: 'noor@example.com', phone: '+17275550164' };
    const newLead = await createLead(contact);
    const { receiptToken } = parseJson(
      await ask(service.port, '/api/email-capture', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: contact.email, source: foreignSubsite.leadSource }),
      }),
    ) as { receiptToken: string };
    const other = await readLead(receiptToken, 'all', context);
    const { cookie, answer } = await signIn([`inbox:${subsite.name}`, '*']);
    expect(answer.status).toBe(303);
    const list = await get('/inbox', { cookie });
    const form = extractToken(list);
    for (const page of [list, await get(`/inbox?olderThan=${other.reference}`, { cookie })]) {
      expect(String(page.body)).toContain(`/inbox/${newLead.reference}`);
      expect(String(page.body)).not.toContain(other.reference);
      expect(String(page.body)).not.toContain(`value="${foreignSubsite.name}"`);
      // Totals for the whole network are visible to the operator only.
      expect(String(page.body)).not.toContain('Messages to providers:');
    }
    expect((await get(`/inbox?subsite=${subsite.name}`, { cookie })).status).toBe(200);
    for (const path of [
      `/inbox/${other.reference}`,
      `/inbox/${other.token}`,
      `/inbox?subsite=${foreignSubsite.name}`,
      '/inbox?subsite=none',
    ])
      expect((await get(path, { cookie })).status, path).toBe(404);
    const personResponse = await get(`/inbox?found=${other.reference}`, { cookie });
    expect(String(personResponse.body)).toContain('No requests match.');

    const find = async (text: string) =>
      (await post('/inbox', { find: text, form }, { cookie })).headers.location;
    for (const text of [newLead.reference, newLead.token, contact.email, contact.phone])
      expect(await find(text)).toBe(`/inbox/${newLead.reference}`);
    for (const text of [other.reference, other.token])
      expect(await find(text)).toBe('/inbox?found=');

    const postAction = async (reference: string, texts: Record<string, string>) =>
      (await post(`/inbox/${reference}`, { ...texts, form }, { cookie })).status;
    const actions: Record<string, string>[] = [
      { do: 'acknowledge', text: 'x' },
      { task: 'redeliver' },
      { do: 'withdraw' },
      { do: 'erase', sure: 'yes' },
    ];
    for (const texts of actions)
      expect(await postAction(other.reference, texts), JSON.stringify(texts)).toBe(404);
    expect(await statusOf(other.token)).toMatchObject({ status: 'new' });
    // Actions reserved for the operator are neither offered nor performed.
    const page = String((await get(`/inbox/${newLead.reference}`, { cookie })).body);
    for (const name of ['redeliver', 'withdraw', 'erase']) {
      expect(page).not.toContain(`value="${name}"`);
      expect(await postAction(newLead.reference, { do: name, sure: 'yes' }), name).toBe(400);
      expect(await postAction(newLead.reference, { task: name }), name).toBe(400);
    }
    expect(page).toContain('value="acknowledge"');
    expect(
      await postAction(newLead.reference, { do: 'acknowledge', text: 'We have read it.' }),
    ).toBe(303);
    const { history } = await readLead(newLead.reference, 'all', context);
    expect(history.map(({ status, actor }) => [status, actor])).toEqual([
      ['new', 'person'],
      ['acknowledged', 'provider'],
    ]);
  });

  it('opens for the scopes of several subsites together, and closes when the key expires', async () => {
    const { subsite } = findPlainAction();
    const foreignSubsite = findForeignSubsite(subsite);
    const scopes = [subsite, foreignSubsite].map(({ name }) => `inbox:${name}`);
    const { cookie, id } = await signIn(scopes);
    const { reference } = await createLead();
    const body = String((await get('/inbox', { cookie })).body);
    expect(
      [...body.matchAll(/<option value="([^"]+)"/g)]
        .map(([, value]) => value)
        .filter((value) => findSubsite(context.site.registry, value!)),
    ).toEqual([subsite.name, foreignSubsite.name]);
    expect((await get(`/inbox/${reference}`, { cookie })).status).toBe(200);
    await database.writer.run(
      sql`update keys set expires_at = ${new Date(0).toISOString()} where id = ${id}`,
    );
    expect((await get(`/inbox/${reference}`, { cookie })).status).toBe(303);
    for (const scope of ['inbox:none', 'inbox:*', 'inbox:', 'inbox*', `*:${subsite.name}`])
      await expect(
        createKey({ name: 'Misspelt', scopes: [scope], expiresAt: null }, context),
      ).rejects.toThrow(scope);
  });

  it('is not linked from any document or page', async () => {
    const { links } = await createLead();
    for (const path of [
      '/',
      '/sitemap.xml',
      '/robots.txt',
      '/llms.txt',
      '/api/openapi.json',
      '/api/agent-index',
      links.offer,
    ])
      expect(String((await get(path)).body), path).not.toMatch(/["/ ]inbox["/?\s]/);
  });
});

describe('service monitoring', () => {
  it('reports a stuck outbox as degraded, and reports when it recovers', async () => {
    await createLead();
    await expect
      .poll(async () => (await database.writer.all(sql`select 1 from deliveries`)).length, {})
      .toBeGreaterThan(0);
    // The worker’s pending plans would overwrite the rows written below.
    await expect
      .poll(
        async () => database.writer.all(sql`select id from outbox where due_at is not null`),
        {},
      )
      .toEqual([]);
    const openapi = parseJson(await get('/api/openapi.json'));
    const validateHealth = new Ajv2020({ strict: false })
      .addSchema(openapi, 'openapi')
      .compile({ $ref: 'openapi#/components/schemas/Health' });
    const healthyState = parseJson(await get('/healthz'));
    expect(healthyState).toEqual({ status: 'ok' });
    await database.writer.run(
      sql`update deliveries set created_at = '2020-01-01T00:00:00.000Z' where due_at is not null`,
    );
    const health = await get('/healthz');
    expect(health.status).toBe(200);
    expect(parseJson(health)).toEqual({
      status: 'degraded',
      outbox: {
        undelivered: expect.any(Number),
        oldestSeconds: expect.any(Number),
        givenUp: 0,
        unaddressed: 0,
        personMail: { undelivered: 0, oldestSeconds: 0 },
      },
    });
    expect(parseJson(health).outbox.oldestSeconds).toBeGreaterThan(900);
    for (const state of [healthyState, parseJson(health)])
      expect([state, validateHealth(state), validateHealth.errors]).toEqual([state, true, null]);
    const { status, outbox } = openapi.components.schemas.Health.properties;
    expect(status.enum).toEqual([healthyState.status, parseJson(health).status]);
    expect(Object.keys(outbox.properties)).toEqual(Object.keys(parseJson(health).outbox));
    await database.writer.run(sql`update outbox set due_at = null`);
    await database.writer.run(sql`update deliveries set channel = 'person'`);
    expect(parseJson(await get('/healthz'))).toMatchObject({
      status: 'degraded',
      outbox: { undelivered: 0, personMail: { undelivered: expect.any(Number) } },
    });
    // A channel that is not configured does not delay anything.
    await database.writer.run(sql`update deliveries set channel = 'mail'`);
    await database.writer.run(sql`update outbox set due_at = null`);
    expect(parseJson(await get('/healthz'))).toEqual({ status: 'ok' });
    await database.writer.run(
      sql`update deliveries set channel = 'webhook', due_at = null, outcome = 'given_up'`,
    );
    expect(parseJson(await get('/healthz'))).toMatchObject({
      status: 'degraded',
      outbox: { undelivered: 0, givenUp: expect.any(Number) },
    });
    await database.writer.run(
      sql`update deliveries set due_at = null, sent_at = '2020-01-01T00:00:00.000Z'`,
    );
    await database.writer.run(sql`update outbox set due_at = null`);
    expect(parseJson(await get('/healthz'))).toEqual({ status: 'ok' });
  });

  it('has metrics for leads, deliveries, and durations, with route patterns and no personal data', async () => {
    const { token } = await createLead();
    await get(`/api/lead/${token}`);
    await get('/');
    await expect
      .poll(async () => String((await ask(metrics, '/metrics')).body))
      .toContain('frontage_delivery_attempts');
    const answer = await ask(metrics, '/metrics');
    const text = String(answer.body);
    expect(answer.status).toBe(200);
    expect(text).toMatch(/^frontage_leads\{subsite="[^"]+",status="new"\} [1-9]/m);
    expect(text).toMatch(
      /^frontage_delivery_attempts(?:_total)?\{channel="webhook",outcome="connection"\} [1-9]/m,
    );
    for (const name of [
      'frontage_outbox_undelivered',
      'frontage_outbox_oldest_seconds',
      'frontage_outbox_given_up',
      'frontage_outbox_unaddressed',
      'frontage_outbox_undelivered_to_people',
    ])
      expect(text).toMatch(new RegExp(`^${name}(?:\\{\\})? \\d`, 'm'));
    for (const route of ['/api/lead/\\[receipt\\]', 'document', '/answer/\\[token\\]'])
      expect(text).toMatch(new RegExp(`http_route="${route}"`));
    expect(text).not.toContain(token);
    expect(text).not.toMatch(/dana/i);
    expect((await ask(metrics, '/')).status).toBe(404);
  });
});
