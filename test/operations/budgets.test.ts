import { exampleValuesOf } from '../../src/fields/fields.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { replyToLead, sendAccompanyingText } from '../../src/a2a/lead-reply.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { authenticateKey } from '../../src/keys/authenticate-key.ts';
import { createKey } from '../../src/keys/keys.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { personMailSettingsOf } from '../../src/leads/deliveries/index.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { createShareLink } from '../../src/links/create-share-link.ts';
import { withBudgets } from './setup/budgets.ts';
import type { Call } from '../../src/operation/operation.ts';
import { countOutcomes, problemOf } from './setup/refusal.ts';
import { openFixture, type Fixture } from './setup/fixture.ts';
import { client } from '../transports/setup/send.ts';
import {
  createAddressBudget,
  MAX_EMAILS_PER_ADDRESS,
} from '../../src/leads/deliveries/person/address-mail.ts';
import { createSubjects, recordUses } from '../../src/operation/budgets.ts';
import { listActions } from './setup/actions.ts';
import { findActionWithEffect, toDate, holdAction, site } from './setup/holds.ts';

describe('a capability task', () => {
  it('is refused if it exceeds a budget of its key, and is neither run nor stored', async () => {
    const fixture = withBudgets(await openFixture(site), { holdsPerAddress: 1 });
    const { context } = fixture;
    const { key } = await createKey({ name: 'Agent', scopes: ['*'], expiresAt: null }, context);
    const call = { channel: 'json' as const, key: await authenticateKey(`Bearer ${key}`, context) };
    const run = (from: number) => {
      const { fromField, toField } = holdAction.effect;
      const fields = {
        ...exampleValuesOf(holdAction.action.fields),
        [fromField]: toDate(from),
        [toField]: toDate(from),
      };
      const contact = { phone: `(727) 555-01${from}` };
      const capability = `${holdAction.subsite.name}.${holdAction.action.verb}`;
      return runCapability.handle(
        runCapability.parse({ capability, input: { fields, contact } }, context),
        call,
        context,
      );
    };
    expect((await run(11)).output).toMatchObject({ status: 'completed' });
    const problem = await problemOf(() => run(12));
    expect(problem).toMatchObject({ code: 'budget_exceeded', status: 429 });
    expect(problem.message).toContain('at most 1 unconfirmed hold from one key at a time');
    expect((await fixture.rows('tasks')).length).toBe(1);
    expect((await fixture.rows('holds')).length).toBe(1);
  });
});

describe('storefronts', () => {
  const storefrontAction = findActionWithEffect('storefront');
  const createStorefront = (
    fixture: Pick<Fixture, 'context'>,
    contact: object,
    address: string,
    more: object = {},
  ) =>
    submitAction.handle(
      submitAction.parse(
        {
          subsite: storefrontAction.subsite.name,
          action: storefrontAction.action.verb,
          fields: {
            ...exampleValuesOf(storefrontAction.action.fields),
            [storefrontAction.effect.nameField]: 'Harbor Books',
          },
          contact,
          ...more,
        },
        fixture.context,
      ),
      { channel: 'json', address },
      fixture.context,
    );

  it('are limited to three per contact, five per address, and a total for the service in 24 hours', async () => {
    const fixture = withBudgets(await openFixture(site), { storefrontsPerDay: 10 });
    for (const _ of [1, 2, 3])
      await createStorefront(fixture, { email: 'a@example.com' }, '192.0.2.1');
    const contactRefusal = await problemOf(() =>
      createStorefront(fixture, { email: 'a@example.com' }, '192.0.2.2'),
    );
    expect(contactRefusal.message).toContain('at most 3 storefronts for one contact in 24 hours');
    for (const _ of [1, 2])
      await createStorefront(fixture, { email: 'b@example.com' }, '192.0.2.1');
    const addressRefusal = await problemOf(() =>
      createStorefront(fixture, { email: 'c@example.com' }, '192.0.2.1'),
    );
    expect(addressRefusal.message).toContain(
      'at most 5 storefronts from one IP address in 24 hours',
    );
    const [first] = await fixture.rows('leads');
    await eraseLead(String(first!['token']), 'person', fixture.context);
    expect((await problemOf(() => createStorefront(fixture, {}, '192.0.2.1'))).code).toBe(
      'budget_exceeded',
    );
    for (const index of [3, 4, 5, 6, 7])
      await createStorefront(fixture, { email: `${index}@example.com` }, `192.0.2.${index}`);
    const serviceRefusal = await problemOf(() => createStorefront(fixture, {}, '192.0.2.8'));
    expect(serviceRefusal.message).toContain(
      'at most 10 storefronts for the whole service in 24 hours',
    );
    expect((await fixture.rows('storefronts')).length).toBe(10);
    fixture.advanceHours(24);
    await createStorefront(fixture, { email: 'a@example.com' }, '192.0.2.1');
  });

  it('do not limit a sandbox request, even if real storefronts have exhausted them', async () => {
    const fixture = withBudgets(await openFixture(site), { storefrontsPerDay: 1 });
    await createStorefront(fixture, {}, '192.0.2.1');
    expect((await problemOf(() => createStorefront(fixture, {}, '192.0.2.2'))).code).toBe(
      'budget_exceeded',
    );
    const { output } = await createStorefront(fixture, {}, '192.0.2.2', { sandbox: true });
    expect(output.sandbox).toBe(true);
  });

  it('stay within the budget when they arrive at the same time', async () => {
    const fixture = withBudgets(await openFixture(site));
    const calls = Array.from({ length: 12 }, () => createStorefront(fixture, {}, '192.0.2.1'));
    expect(await countOutcomes(calls)).toEqual({ accepted: 5, budget_exceeded: 7 });
    expect((await fixture.rows('storefronts')).length).toBe(5);
  });
});

describe('share links', () => {
  const createLink = ({ context }: Pick<Fixture, 'context'>, title: string, address: string) =>
    createShareLink.handle(
      createShareLink.parse({ subsite: holdAction.subsite.name, title }, context),
      { channel: 'json', address },
      context,
    );

  it('are limited when new, and returned again if they already exist', async () => {
    const fixture = withBudgets(await openFixture(site), { shareLinksPerAddress: 3 });
    const calls = Array.from({ length: 9 }, (_, index) =>
      createLink(fixture, `${index}`, '192.0.2.1'),
    );
    expect(await countOutcomes(calls)).toEqual({ accepted: 3, budget_exceeded: 6 });
    const rows = await fixture.rows('share_links');
    expect(rows.length).toBe(3);
    const { output } = await createLink(fixture, String(rows[0]!['title']), '192.0.2.1');
    expect(output.token).toBe(rows[0]!['token']);
    const problem = await problemOf(() => createLink(fixture, 'another', '192.0.2.1'));
    expect(problem.message).toContain('at most 3 new share links from one IP address in 24 hours');
    await createLink(fixture, 'another', '192.0.2.2');
    expect((await createLink(fixture, 'another', '192.0.2.1')).replayed).toBe(true);
    fixture.advanceHours(24);
    await createLink(fixture, 'the next day', '192.0.2.1');
  });

  it('store nothing when refused, not even the idempotency key', async () => {
    const fixture = withBudgets(await openFixture(site), { shareLinksPerAddress: 1 });
    await createLink(fixture, 'one', '192.0.2.1');
    const problem = await problemOf(() =>
      createShareLink.handle(
        createShareLink.parse({ subsite: holdAction.subsite.name, title: 'two' }, fixture.context),
        { channel: 'json', address: '192.0.2.1', idempotencyKey: 'a-key-of-sixteen-characters' },
        fixture.context,
      ),
    );
    expect(problem.code).toBe('budget_exceeded');
    expect(await fixture.rows('idempotency')).toEqual([]);
    expect((await fixture.rows('share_links')).length).toBe(1);
  });
});

const { subsite, action } = listActions(site).find(({ action: { effect } }) => !effect)!;
const submit = (
  { context }: Pick<Fixture, 'context'>,
  contact: object,
  call: Partial<Call>,
  more: object = {},
) =>
  submitAction.handle(
    submitAction.parse(
      {
        subsite: subsite.name,
        action: action.verb,
        fields: exampleValuesOf(action.fields),
        contact,
        ...more,
      },
      context,
    ),
    { channel: 'json', ...call },
    context,
  );

describe('requests', () => {
  const address = '192.0.2.1';
  const limits = { leadsPerAddress: 3 };
  const openLimitedFixture = async () => withBudgets(await openFixture(site), limits);
  const person = { email: 'dana@example.com', phone: '(727) 555-0142' };
  const other = { email: 'lee@example.com' };

  it('are limited per address in 24 hours', async () => {
    const fixture = await openLimitedFixture();
    for (const contact of [person, person, other]) await submit(fixture, contact, { address });
    const refusal = await problemOf(() => submit(fixture, {}, { address }));
    expect(refusal).toMatchObject({ code: 'budget_exceeded', status: 429 });
    expect(refusal.message).toMatch(
      /^The budget is used up: at most 3 requests from one IP address in 24 hours\. It refills at 20\S+Z, in 86400 seconds\. A request with an API key counts against the key instead\. Nothing was stored\.$/,
    );
    expect((await fixture.rows('leads')).length).toBe(3);
    // A flood from one address does not stop the person.
    await submit(fixture, person, { address: '192.0.2.2' });
    fixture.advanceHours(24);
    await submit(fixture, person, { address });
  });

  it('count all addresses of an IPv6 /64 as one', async () => {
    const fixture = await openLimitedFixture();
    const submitFrom = (host: string) => submit(fixture, {}, { address: `2001:db8:7:1::${host}` });
    for (const host of ['1', '2', '3']) await submitFrom(host);
    expect((await problemOf(() => submitFrom('4'))).code).toBe('budget_exceeded');
    await submit(fixture, {}, { address: '2001:db8:7:2::1' });
  });

  it('stay within the budget when they arrive at the same time', async () => {
    const fixture = await openLimitedFixture();
    const calls = Array.from({ length: 9 }, () => submit(fixture, {}, { address }));
    expect(await countOutcomes(calls)).toEqual({ accepted: 3, budget_exceeded: 6 });
    expect((await fixture.rows('leads')).length).toBe(3);
  });

  it('count once if repeated, and are answered again after the budget is used up', async () => {
    const fixture = await openLimitedFixture();
    const call = { address, idempotencyKey: 'a-key-of-sixteen-characters' };
    const { output } = await submit(fixture, person, call);
    for (const _ of [1, 2, 3])
      expect(await submit(fixture, person, call)).toEqual({ output, replayed: true });
    for (const _ of [1, 2]) await submit(fixture, {}, { address });
    expect((await problemOf(() => submit(fixture, {}, { address }))).code).toBe('budget_exceeded');
    expect(await submit(fixture, person, call)).toEqual({ output, replayed: true });
  });

  it('still count after they are erased, and nothing links the address to the request', async () => {
    const fixture = await openLimitedFixture();
    for (const _ of [1, 2, 3]) await submit(fixture, person, { address });
    const leads = await fixture.rows('leads');
    for (const { token } of leads) await eraseLead(String(token), 'person', fixture.context);
    expect((await problemOf(() => submit(fixture, person, { address }))).code).toBe(
      'budget_exceeded',
    );
    const uses = JSON.stringify(await fixture.rows('budget_uses'));
    for (const text of [address, 'dana@', '7275550142', ...leads.map(({ token }) => String(token))])
      expect(uses).not.toContain(text);
  });

  it('from one key count against the key, and those in the sandbox or without limits do not count', async () => {
    const fixture = await openLimitedFixture();
    const { context } = fixture;
    const { key } = await createKey({ name: 'Agent', scopes: ['*'], expiresAt: null }, context);
    const call = { address, key: await authenticateKey(`Bearer ${key}`, context) };
    for (const _ of [1, 2, 3]) await submit(fixture, {}, call);
    expect((await problemOf(() => submit(fixture, {}, call))).message).toContain(
      'at most 3 requests from one key in 24 hours',
    );
    await submit(fixture, {}, { address });
    for (const _ of [1, 2, 3, 4]) await submit(fixture, {}, call, { sandbox: true });
    const unlimited = withBudgets(fixture, { leadsPerAddress: 0 });
    for (const _ of [1, 2, 3, 4]) await submit(unlimited, person, { address: '192.0.2.3' });
  });
});

describe('messages about requests', () => {
  it('are limited per address in 24 hours through every channel, and withdrawing is not', async () => {
    const fixture = withBudgets(await openFixture(site), { messagesPerAddress: 2 });
    const { json, form } = client(fixture);
    const address = '192.0.2.1';
    const receipts: string[] = [];
    for (const _ of [1, 2])
      receipts.push((await submit(fixture, {}, { address })).output.receiptToken);
    const [first, second] = receipts as [string, string];
    const sendJson = (receipt: string, body: object, from = address, key?: string) =>
      json('/api/lead/{receipt}/messages', body, {
        params: { receipt },
        address: from,
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      });
    const sendForm = (receipt: string, text: string) =>
      form('/receipt/{token}', { text }, { params: { token: receipt }, address });
    const key = 'a-key-of-sixteen-characters';
    for (const _ of [1, 2, 3])
      expect((await sendJson(first, { text: 'Hello' }, address, key)).status).toBe(200);
    expect((await sendForm(second, 'Hello')).status).toBe(303);
    expect((await sendForm(first, 'Hello again')).status).toBe(429);
    const refused = await sendJson(second, { text: 'Hello again' });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      code: 'budget_exceeded',
      detail: expect.stringMatching(
        /^The budget is used up: at most 2 messages from one IP address in 24 hours\. .+ Nothing was stored\.$/,
      ),
    });
    expect((await sendJson(first, { text: 'Hello' }, address, key)).status).toBe(200);
    expect((await sendJson(second, { text: 'Hello again' }, '192.0.2.2')).status).toBe(200);
    expect((await sendJson(first, { withdraw: true })).status).toBe(200);
    fixture.advanceHours(24);
    expect((await sendJson(second, { text: 'The next day' })).status).toBe(200);
  });
});

describe('messages over A2A', () => {
  const text = (value: string) => ({ kind: 'question' as const, text: value, isFollowUp: true });

  it('from one key count against the key, not the address', async () => {
    const fixture = withBudgets(await openFixture(site), { messagesPerAddress: 1 });
    const { context } = fixture;
    const { key } = await createKey({ name: 'Agent', scopes: ['*'], expiresAt: null }, context);
    const caller = {
      address: '192.0.2.1',
      key: await authenticateKey(`Bearer ${key}`, context),
    };
    const { receiptToken } = (await submit(fixture, {}, caller)).output;
    const send = (messageId: string, sender: Pick<Call, 'address' | 'key'>) =>
      replyToLead(receiptToken, text(messageId), messageId, sender, context);
    await send('first', caller);
    await send('second', { address: caller.address });
    expect((await problemOf(() => send('third', caller))).message).toContain(
      'at most 1 message from one key in 24 hours',
    );
  });

  it('that come with a request do not count, so that none is lost', async () => {
    const fixture = withBudgets(await openFixture(site), { messagesPerAddress: 1 });
    const address = '192.0.2.1';
    const { output } = await submit(fixture, {}, { address });
    await replyToLead(output.receiptToken, text('Hello'), 'first', { address }, fixture.context);
    await sendAccompanyingText(output, 'The gate is narrow.', 'second', fixture.context);
    expect((await fixture.rows('lead_history')).length).toBe(3);
  });
});

describe('leads with an email address', () => {
  const openMailedFixture = async (isCustomerEmailEnabled = true) => {
    const fixture = withBudgets(await openFixture(site), { emailedLeadsPerAddress: 2 });
    return { ...fixture, context: { ...fixture.context, isCustomerEmailEnabled } };
  };
  const listMailUses = async (fixture: Pick<Fixture, 'rows'>) =>
    (await fixture.rows('budget_uses')).filter(({ budget }) => budget === 'caller_mail');
  const listNotifyValues = async (fixture: Pick<Fixture, 'rows'>) =>
    (await fixture.rows('leads')).map(({ notify }) => notify);
  const address = '192.0.2.1';

  it('from one address are all accepted, but no email is sent about those over the daily limit', async () => {
    const fixture = await openMailedFixture();
    const receipts = [];
    for (const name of ['a', 'b', 'c'])
      receipts.push(await submit(fixture, { email: `${name}@example.com` }, { address }));
    const limitWarning = expect.objectContaining({
      code: 'email_limit',
      message: expect.stringContaining('your IP address has sent 2 requests with an email address'),
    });
    expect(receipts.map(({ output }) => output.warnings ?? [])).toEqual([
      expect.not.arrayContaining([limitWarning]),
      expect.not.arrayContaining([limitWarning]),
      expect.arrayContaining([limitWarning]),
    ]);
    expect(await listNotifyValues(fixture)).toEqual([1, 1, 0]);

    await submit(fixture, { email: 'd@example.com' }, { address: '192.0.2.2' });
    fixture.advanceHours(24);
    await submit(fixture, { email: 'e@example.com' }, { address });
    expect(await listNotifyValues(fixture)).toEqual([1, 1, 0, 1, 1]);
  });

  it('to an address that has reached its daily limit for receipts warn the caller', async () => {
    const fixture = await openMailedFixture();
    const { context } = fixture;
    const budget = await createAddressBudget('request', 'a@example.com', context);
    const hasWarning = async (email: string, more: object = {}) => {
      const { output } = await submit(fixture, { email }, {}, more);
      return output.warnings?.some(
        ({ code, message }) => code === 'email_limit' && output.notice.includes(message),
      );
    };
    for (let count = 0; count < MAX_EMAILS_PER_ADDRESS; count++) {
      expect(await hasWarning('a@example.com')).toBeFalsy();
      for (const use of recordUses([budget], `mail ${count}`, sql`true`))
        await context.database.writer.run(use);
    }
    expect(await hasWarning('A@example.com')).toBe(true);
    expect(await hasWarning('b@example.com')).toBeFalsy();
    expect(await hasWarning('a@example.com', { notify: false })).toBeFalsy();
    expect(await hasWarning('a@example.com', { sandbox: true })).toBeFalsy();
    expect((await listNotifyValues(fixture)).filter((notify) => notify === 0).length).toBe(1);
    fixture.advanceHours(24);
    expect(await hasWarning('a@example.com')).toBeFalsy();
  });

  it('with the address that the service sends from are rejected', async () => {
    const fixture = await openMailedFixture();
    const senderFixture = {
      ...fixture,
      context: { ...fixture.context, senderAddress: 'a@example.com' },
    };
    for (const email of ['a@example.com', 'A@Example.com']) {
      const { code, errors } = await problemOf(() => submit(senderFixture, { email }, {}));
      expect([code, errors]).toEqual([
        'invalid_input',
        [expect.objectContaining({ pointer: '/contact/email' })],
      ]);
    }
    await submit(senderFixture, { email: 'b@example.com' }, {});
    await submit(senderFixture, { email: 'a+b@example.com' }, {});
    expect(personMailSettingsOf({ smtpUrl: 'smtp://x', mailFrom: 'A <a@example.com>' })).toEqual({
      isCustomerEmailEnabled: true,
      senderAddress: 'a@example.com',
    });
  });

  it('count only if the service would email the person', async () => {
    const fixture = await openMailedFixture();
    for (const _ of [1, 2, 3]) {
      await submit(fixture, { phone: '(727) 555-0142' }, { address });
      await submit(fixture, { email: 'a@example.com' }, { address }, { notify: false });
      await submit(fixture, { email: 'a@example.com' }, { address }, { sandbox: true });
    }
    expect(await listMailUses(fixture)).toEqual([]);

    const fixtureWithoutMail = await openMailedFixture(false);
    await submit(fixtureWithoutMail, { email: 'a@example.com' }, { address });
    expect(await listMailUses(fixtureWithoutMail)).toEqual([]);
  });

  it('count once if sent again with the same idempotency key, even after they are erased', async () => {
    const fixture = await openMailedFixture();
    const call = { address, idempotencyKey: 'a-key-of-sixteen-characters' };
    for (const _ of [1, 2, 3]) await submit(fixture, { email: 'a@example.com' }, call);
    expect((await listMailUses(fixture)).length).toBe(1);
    const [lead] = await fixture.rows('leads');
    await eraseLead(String(lead!['token']), 'person', fixture.context);
    expect((await listMailUses(fixture)).length).toBe(1);
  });

  it('from a caller with a key have no limit', async () => {
    const fixture = await openMailedFixture();
    const { key } = await createKey(
      { name: 'Agent', scopes: ['*'], expiresAt: null },
      fixture.context,
    );
    const call = { address, key: await authenticateKey(`Bearer ${key}`, fixture.context) };
    for (const name of ['a', 'b', 'c'])
      await submit(fixture, { email: `${name}@example.com` }, call);
    expect(await listNotifyValues(fixture)).toEqual([1, 1, 1]);
  });
});

it('all aliases of a mailbox are the same subject, and each mailbox is a different one', async () => {
  const { context } = await openFixture(site);
  const subjects = await createSubjects(context);
  const listSubjects = (contacts: string[]) => contacts.map(subjects.contactOf);
  const mailboxes = [
    ['dana@example.com', 'dana+1@example.com', 'dana+1+2@example.com'],
    ['d.ana@example.com', 'd.ana+1@example.com'],
    ['dana@gmail.com', 'd.a.n.a@gmail.com', 'da.na+1.2@googlemail.com'],
    ['dana@icloud.com', 'Dana@me.com', 'dana+1@mac.com'],
    ['dana@gmail.example.com'],
    ['+17275550142'],
    ['+17275550143'],
  ];
  const subjectsByMailbox = mailboxes.map(listSubjects);
  for (const aliases of subjectsByMailbox) expect(new Set(aliases).size).toBe(1);
  expect(new Set(subjectsByMailbox.flat()).size).toBe(mailboxes.length);
});
