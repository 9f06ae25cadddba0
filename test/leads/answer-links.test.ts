import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import {
  answerLead as answerBy,
  readAnswerableLead,
} from '../../src/leads/conversation/answer-lead.ts';
import { answerNames, LINK_LIFETIME_DAYS } from '../../src/leads/conversation/answer-link.ts';
import {
  type ProviderAction,
  findStateAfterProviderAction,
} from '../../src/leads/conversation/conversation.ts';
import { requiresText } from '../../src/leads/conversation/provider-content.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renewLinkSecret } from '../../src/operation/link-secret.ts';
import type { Context } from '../../src/operation/context.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { cancellation, stateChanges, providerStates } from '../../src/text/index.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { createKey } from '../../src/keys/keys.ts';
import type { LeadView } from '../../src/http/views.ts';
import { client } from '../transports/setup/send.ts';
import { capture } from '../deliveries/setup/drain.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { openFixture, sites, type Fixture } from '../operations/setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const source = site.registry.subsites[0]!.leadSource;

const answerLead = (token: string, body: unknown, context: Context) =>
  answerBy(token, () => body, context);

/** Body sent with each answer. */
const bodyOf = (name: ProviderAction, text = 'Here is why.') => ({
  ...(name === 'offer' && { amount: '45', currency: 'USD', expires: '48h' }),
  text,
});

/** State to which each answer moves a new lead. */
const statusAfter = (name: ProviderAction) =>
  findStateAfterProviderAction(name, { status: 'new', revision: 1 })!;

/** Paths of the links in a message about the lead at this moment. */
async function readMessageLinks(
  reference: string,
  context: Context,
): Promise<Record<ProviderAction, string>> {
  const { links } = (await readLeadEvent(reference, context))!;
  return Object.fromEntries(
    Object.entries(links).map(([name, url]) => [name, url.slice(`${site.base}/answer/`.length)]),
  ) as Record<ProviderAction, string>;
}

/** A new lead with the links of its first message. */
async function createLeadWithLinks(fixture: Fixture, email = 'dana@example.com') {
  const lead = await capture(fixture.context, source, email);
  const event = (await fixture.rows('outbox')).find(
    (row) => row['lead'] === lead && row['kind'] === 'lead.created',
  )!;
  const reference = String(event['id']);
  return { lead, reference, links: await readMessageLinks(reference, fixture.context) };
}

const dumpRows = async (fixture: Fixture) =>
  JSON.stringify(
    await Promise.all(
      (
        [
          'leads',
          'lead_history',
          'outbox',
          'offers',
          'holds',
          'storefronts',
          'idempotency',
        ] as const
      ).map((table) => fixture.rows(table)),
    ),
  );

describe('an answer link', async () => {
  const fixture = await openFixture(site);

  it('shows each error at its input and keeps the entered values, as in the inbox', async () => {
    const { reference, links } = await createLeadWithLinks(fixture);
    const web = client(fixture);
    const { key } = await createKey(
      { name: 'Desk', scopes: ['inbox'], expiresAt: null },
      fixture.context,
    );
    const signInResponse = await web.form('/inbox', { key });
    const cookie = signInResponse.headers.get('set-cookie')!.split(';')[0]!;
    const path = `/inbox/${reference}`;
    const { formToken } = (await (await web.get(path, {}, { headers: { cookie } })).json()) as any;
    const offer = { amount: 'abc', currency: 'USD', expires: '48h', text: 'Ok?' };
    for (const [name, inputs, faults] of [
      ['ask', { text: '' }, { text: expect.stringContaining('Write your message') }],
      ['offer', offer, { amount: expect.stringMatching(/^The price has letters or words/) }],
      [
        'offer',
        { ...offer, amount: '$89', currency: 'dollars' },
        { currency: expect.stringMatching(/^Enter a currency code/) },
      ],
      [
        'offer',
        { ...offer, amount: '89', currency: 'dollars' },
        { currency: expect.stringMatching(/^Enter a currency code/) },
      ],
      [
        'offer',
        {},
        {
          amount: expect.stringMatching(/^Enter one price as a number/),
          currency: expect.stringMatching(/^Enter a currency code/),
          expires: expect.stringMatching(/^Choose how long/),
        },
      ],
    ] as const) {
      const send = async (to: string, more: object) =>
        (await (await web.form(to, { ...inputs, ...more }, { headers: { cookie } })).json()) as any;
      const linkResult = await send(`/answer/${links[name]}`, {});
      const inboxResult = await send(path, { do: name, form: formToken });
      expect([linkResult.faults, inboxResult.faults]).toEqual([faults, faults]);
      expect(inboxResult.formValues).toMatchObject({ ...linkResult.formValues, do: name });
      if (name === 'offer') expect(linkResult.formValues.expires).toMatch(/^\d+[hd]$/);
    }
  });

  it('of somebody who was slower sends nothing, keeps the text and says who was faster', async () => {
    const web = client(fixture);
    const { key } = await createKey(
      { name: 'Kim at the desk', scopes: ['inbox'], expiresAt: null },
      fixture.context,
    );
    const signedIn = await web.form('/inbox', { key });
    const headers = { cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
    const { lead, reference, links } = await createLeadWithLinks(fixture);
    const inboxPath = `/inbox/${reference}`;
    const { formToken } = (await (await web.get(inboxPath, {}, { headers })).json()) as LeadView;
    const sendFromInbox = (inputs: object) =>
      web.form(inboxPath, { ...inputs, form: formToken }, { headers });
    expect((await sendFromInbox({ do: 'ask', text: 'Which size?' })).status).toBe(303);
    const path = `/answer/${links.decline}`;
    const text = 'We are full.';
    // A link does one thing in one state, no matter which revision its form claims to have seen.
    for (const revision of ['1', '2', '3']) {
      const slowerResponse = await web.form(path, { text, revision });
      expect([slowerResponse.status, await slowerResponse.json()]).toMatchObject([
        410,
        {
          lead: {
            link: 'stale',
            latestEvent: { actor: 'operator', origin: 'in the inbox as “Kim at the desk”' },
          },
          formValues: { text },
        },
      ]);
    }
    expect((await fixture.rows('leads')).find((row) => row['token'] === lead)!['status']).toBe(
      'needs_info',
    );
  });

  it('cancels a confirmed request by form only if the box for it is checked', async () => {
    const web = client(fixture);
    const { key } = await createKey(
      { name: 'Kim', scopes: ['inbox'], expiresAt: null },
      fixture.context,
    );
    const signedIn = await web.form('/inbox', { key });
    const headers = { cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
    const text = 'The truck broke down.';
    const statusOf = async (lead: string) =>
      (await fixture.rows('leads')).find((row) => row['token'] === lead)!['status'];
    const choices: Record<string, string>[] = [
      { cancel: 'decline' },
      { do: 'decline' },
      { cancel: 'withdraw' },
      {},
    ];
    for (const inputs of choices) {
      const { lead, reference, links: firstLinks } = await createLeadWithLinks(fixture);
      expect((await web.json(`/answer/${firstLinks.confirm}`, {})).status).toBe(200);
      const inboxPath = `/inbox/${reference}`;
      const { formToken } = (await (await web.get(inboxPath, {}, { headers })).json()) as LeadView;
      const { decline: token } = await readMessageLinks(reference, fixture.context);
      const send = (values: object) =>
        'do' in inputs || 'cancel' in inputs
          ? web.form(inboxPath, { ...inputs, text, ...values, form: formToken }, { headers })
          : web.form(`/answer/${token}`, { text, ...values });
      const refused = await send({});
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { faults: { sure: cancellation.unchecked }, formValues: { text } },
      ]);
      expect(await statusOf(lead)).toBe('confirmed');
      if (inputs['cancel'] !== 'withdraw') {
        const withoutReason = await send({ text: '' });
        expect(await withoutReason.json()).toMatchObject({
          faults: { sure: cancellation.unchecked, text: expect.stringContaining('reason') },
        });
        const checked = await send({ sure: 'yes', text: ' ' });
        const { faults, formValues } = (await checked.json()) as LeadView;
        expect([Object.keys(faults), formValues['sure']]).toEqual([['text'], 'yes']);
      }
      expect((await send({ sure: 'yes' })).status).toBe(303);
      expect(await statusOf(lead)).toMatch(/^(?:declined|withdrawn)$/);
    }
    const { reference, links } = await createLeadWithLinks(fixture);
    await web.json(`/answer/${links.confirm}`, {});
    const { decline: token } = await readMessageLinks(reference, fixture.context);
    expect((await web.json(`/answer/${token}`, { text })).status).toBe(200);
  });

  it('for an offer accepts a price in everyday notation from a form, but not from a program', async () => {
    const web = client(fixture);
    const inputs = { amount: '$1,200.50 USD', currency: 'USD', expires: '48h' };
    const { lead, links } = await createLeadWithLinks(fixture);
    expect((await web.json(`/answer/${links.offer}`, inputs)).status).toBe(400);
    expect((await web.form(`/answer/${links.offer}`, inputs)).status).toBe(303);
    const offers = (await fixture.rows('offers')).filter((row) => row['lead'] === lead);
    expect(offers.map(({ amount }) => amount)).toEqual(['1200.50']);
  });

  it.each(answerNames)(
    'for “%s” changes nothing when opened, however often, and acts once when posted',
    async (name) => {
      const { lead, links } = await createLeadWithLinks(fixture);
      const rowsBefore = await dumpRows(fixture);
      for (let time = 0; time < 100; time++)
        expect(await readAnswerableLead(links[name], fixture.context)).toMatchObject({
          answer: name,
          link: 'open',
          status: 'new',
        });
      expect(await dumpRows(fixture)).toBe(rowsBefore);
      expect(await answerLead(links[name], bodyOf(name), fixture.context)).toMatchObject({
        status: statusAfter(name),
      });
      const history = (await fixture.rows('lead_history')).filter((row) => row['lead'] === lead);
      expect(history.map(({ status, note, actor }) => [status, note, actor])).toEqual([
        ['new', null, 'person'],
        [statusAfter(name), 'Here is why.', 'provider'],
      ]);
    },
  );

  it.each(answerNames)(
    'for “%s” works once, even if the lead returns to its former state',
    async (name) => {
      const { lead, reference, links } = await createLeadWithLinks(fixture);
      await answerLead(links[name], bodyOf(name), fixture.context);
      for (const _ of [1, 2])
        expect(
          (await problemOf(() => answerLead(links[name], bodyOf(name), fixture.context))).code,
        ).toBe('gone');
      expect(await readAnswerableLead(links[name], fixture.context)).toMatchObject({
        link: 'used',
        status: statusAfter(name),
        latestEvent: { actor: 'provider' },
      });
      if (name === 'acknowledge') {
        const { ask } = await readMessageLinks(reference, fixture.context);
        await answerLead(ask, { text: 'When?' }, fixture.context);
        expect(
          (await problemOf(() => answerLead(links.acknowledge, { text: 'x' }, fixture.context)))
            .code,
        ).toBe('gone');
      }
      expect(
        (await fixture.rows('lead_history')).filter((row) => row['lead'] === lead).length,
      ).toBe(name === 'acknowledge' ? 3 : 2);
    },
  );

  it('that is out of date has the message that the customer has sent since, but no text of a decision', async () => {
    const send = (receipt: string, body: object) =>
      client(fixture).json('/api/lead/{receipt}/messages', body, { params: { receipt } });
    const newMessageAfter = async (action: ProviderAction | undefined, body: object) => {
      const { lead, links } = await createLeadWithLinks(fixture);
      if (action) await answerLead(links[action], bodyOf(action), fixture.context);
      expect((await send(lead, body)).status).toBe(200);
      const { link, newMessage } = await readAnswerableLead(links.reply, fixture.context);
      expect(link).toBe('stale');
      return newMessage;
    };
    expect(await newMessageAfter(undefined, { text: 'Is it new?' })).toBe('Is it new?');
    expect(await newMessageAfter('ask', { text: 'The second.' })).toBe('The second.');
    expect(await newMessageAfter('acknowledge', { text: 'At 9?' })).toBe('At 9?');
    expect(await newMessageAfter(undefined, { withdraw: true, text: 'Sorry.' })).toBeUndefined();
    expect(await newMessageAfter('ask', { withdraw: true, text: 'Sorry.' })).toBeUndefined();
  });

  it('is used once when it is posted twenty times at once', async () => {
    const { lead, links } = await createLeadWithLinks(fixture);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => answerLead(links.confirm, {}, fixture.context)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect((await fixture.rows('lead_history')).filter((row) => row['lead'] === lead).length).toBe(
      2,
    );
  });

  it('reports the lead’s new state, however it changed, and does nothing', async () => {
    for (const actor of ['provider', 'operator', 'person'] as const) {
      const { lead, links } = await createLeadWithLinks(fixture);
      if (actor === 'provider') await answerLead(links.acknowledge, {}, fixture.context);
      else
        await changeLead(
          { receiptToken: lead, to: actor === 'person' ? 'withdrawn' : 'acknowledged', actor },
          fixture.context,
        );
      const status = actor === 'person' ? 'withdrawn' : 'acknowledged';
      const rowsBefore = await dumpRows(fixture);
      for (const name of ['ask', 'offer', 'confirm', 'decline', 'reply'] as const) {
        expect(await readAnswerableLead(links[name], fixture.context)).toMatchObject({
          link: 'stale',
          status,
          latestEvent: { actor },
        });
        const refusal = await problemOf(() =>
          answerLead(links[name], bodyOf(name), fixture.context),
        );
        expect(refusal.code).toBe('gone');
        expect(refusal.message).toContain(`: ${stateChanges[status]}.`);
      }
      expect(await dumpRows(fixture)).toBe(rowsBefore);
    }
  });

  it('calls a confirmed request canceled, in every view, after the provider declines it', async () => {
    const { lead, reference, links } = await createLeadWithLinks(fixture);
    await answerLead(links.confirm, {}, fixture.context);
    const { decline } = await readMessageLinks(reference, fixture.context);
    await answerLead(decline!, { text: 'The trailer is broken.' }, fixture.context);
    const words = providerStates.canceled;
    expect(providerStates[(await readAnswerableLead(links.ask, fixture.context)).state]).toBe(
      words,
    );
    expect(
      (await problemOf(() => answerLead(links.ask, bodyOf('ask'), fixture.context))).message,
    ).toContain(`: ${stateChanges.canceled}.`);
    const refused = await problemOf(() =>
      sendAsProvider(
        { receiptToken: lead, action: 'confirm', actor: 'provider' },
        {},
        fixture.context,
      ),
    );
    expect(refused.message).toContain(`The state of the request is “${words}”`);
    const first = (await fixture.rows('outbox')).find((row) => row['lead'] === lead)!;
    const event = (await readLeadEvent(first['id'] as string, fixture.context))!;
    expect(renderMail(event, site).text).toContain(words);
  });

  it('reports that the customer has an open question, whatever the link is for', async () => {
    const { lead, links } = await createLeadWithLinks(fixture);
    await answerLead(links.ask, { text: 'Which size?' }, fixture.context);
    const staleLinkProblem = await problemOf(() =>
      answerLead(links.acknowledge, {}, fixture.context),
    );
    expect(staleLinkProblem.message).toBe(
      'This link is out of date: the request already has a question for the customer. Open the latest message about the request for current links.',
    );
    const refused = await problemOf(() =>
      sendAsProvider(
        { receiptToken: lead, action: 'confirm', actor: 'provider' },
        {},
        fixture.context,
      ),
    );
    expect(refused.message).toMatch(
      /^The state of the request is “Waiting for the customer’s answer”, so it cannot be answered with confirm\. Allowed actions: acknowledge, /,
    );
  });

  it('describes the latest change, even if several changes have the same time', async () => {
    /** How the customer was notified of the latest of two changes, with event IDs in this order. */
    async function readNotificationWithEventIds(prefix: string, letters: string): Promise<string> {
      const suffixes = [...letters];
      const context: Context = {
        ...fixture.context,
        isCustomerEmailEnabled: true,
        tokens: { ...fixture.context.tokens, event: () => prefix.repeat(15) + suffixes.shift()! },
      };
      const lead = await capture(context, source, `${prefix.toLowerCase()}@example.com`);
      const first = (await fixture.rows('outbox')).find((row) => row['lead'] === lead)!;
      const links = await readMessageLinks(String(first['id']), context);
      await changeLead({ receiptToken: lead, to: 'acknowledged', actor: 'operator' }, context);
      await changeLead(
        { receiptToken: lead, to: 'needs_info', actor: 'operator', note: 'Which?' },
        context,
      );
      return (await readAnswerableLead(links.ask, context)).notification.text;
    }
    const letters = 'ABCDEFGH';
    expect(await readNotificationWithEventIds('D', [...letters].reverse().join(''))).toBe(
      await readNotificationWithEventIds('A', letters),
    );
  });

  it('for a reply is stale, not used, after a new offer, and vice versa', async () => {
    const { lead, reference, links } = await createLeadWithLinks(fixture);
    await answerLead(links.offer, bodyOf('offer'), fixture.context);
    for (const [used, unused] of [
      ['offer', 'reply'],
      ['reply', 'offer'],
    ] as const) {
      const current = await readMessageLinks(reference, fixture.context);
      await sendAsProvider(
        { receiptToken: lead, action: used, actor: 'provider' },
        bodyOf(used),
        fixture.context,
      );
      const linkStateOf = async (name: ProviderAction) =>
        (await readAnswerableLead(current[name], fixture.context)).link;
      expect([await linkStateOf(used), await linkStateOf(unused)]).toEqual(['used', 'stale']);
    }
  });

  it('stays expired when the lead returns to its former state', async () => {
    const { reference, links } = await createLeadWithLinks(fixture);
    await answerLead(links.acknowledge, {}, fixture.context);
    const first = await readMessageLinks(reference, fixture.context);
    await answerLead(first.ask, { text: 'Which size?' }, fixture.context);
    const second = await readMessageLinks(reference, fixture.context);
    expect(Object.keys(second).sort()).toEqual(['acknowledge', 'ask', 'decline', 'reply']);
    await answerLead(second.acknowledge, {}, fixture.context);
    expect(
      (await problemOf(() => answerLead(first.offer, bodyOf('offer'), fixture.context))).code,
    ).toBe('gone');
    const third = await readMessageLinks(reference, fixture.context);
    expect(await answerLead(third.offer, bodyOf('offer'), fixture.context)).toMatchObject({
      status: 'quoted',
    });
  });

  it('accepts an offer with a valid price and rejects every other offer', async () => {
    const { lead, links } = await createLeadWithLinks(fixture);
    const validOffer = { amount: '45', currency: 'USD', expires: '48h' };
    for (const [pointer, wrongValues] of [
      ['/amount', ['', '-1', '1.234', '1e3', '$45', 45, undefined]],
      ['/currency', ['usd', 'XYZ9', '', undefined]],
      ['/expires', ['0h', '48', '91d', '9999d', '2027-01-01', undefined]],
      ['/description', ['', ' ', 'x'.repeat(1_001)]],
      ['/confirmOnAccept', ['yes', 1]],
    ] as const)
      for (const value of wrongValues)
        expect(
          (
            await problemOf(() =>
              answerLead(
                links.offer,
                { ...validOffer, [pointer.slice(1)]: value },
                fixture.context,
              ),
            )
          ).errors?.map((error) => error.pointer),
          `${pointer} ${value}`,
        ).toEqual([pointer]);
    expect((await fixture.rows('offers')).filter((row) => row['lead'] === lead)).toEqual([]);
    await answerLead(links.offer, { ...validOffer, confirmOnAccept: true }, fixture.context);
    expect((await fixture.rows('offers')).filter((row) => row['lead'] === lead)).toMatchObject([
      { amount: '45.00', currency: 'USD', confirm_on_accept: 1 },
    ]);
  });

  it('does not reveal other links', async () => {
    const { links } = await createLeadWithLinks(fixture);
    for (const name of answerNames)
      expect(JSON.stringify(await readAnswerableLead(links[name], fixture.context))).not.toContain(
        '/answer/',
      );
  });

  it('requires text for answers that the customer must read, and limits its length', async () => {
    const { links } = await createLeadWithLinks(fixture);
    for (const name of answerNames) {
      const { text: _, ...rest } = bodyOf(name);
      if (requiresText(name, 'new'))
        for (const body of [{}, { text: '  ' }])
          expect(
            (await problemOf(() => answerLead(links[name], body, fixture.context))).errors?.[0]
              ?.pointer,
          ).toBe('/text');
      for (const body of [
        { ...rest, text: 'x'.repeat(4_001) },
        { ...rest, text: 5 },
        { ...rest, text: 'x', more: 1 },
        [],
        'x',
        null,
      ])
        expect((await problemOf(() => answerLead(links[name], body, fixture.context))).code).toBe(
          'invalid_input',
        );
    }
  });

  it('shows the customer’s details as the email does, but not the receipt token', async () => {
    const { lead, links } = await createLeadWithLinks(fixture, 'zebedee@example.com');
    await createLeadWithLinks(fixture, 'dana@example.com');
    const shown = JSON.stringify(await readAnswerableLead(links.offer, fixture.context));
    expect(shown).toContain('zebedee');
    expect(shown).not.toContain('dana');
    expect(shown).not.toContain(lead);
  });
});

describe('an invalid answer link', async () => {
  const fixture = await openFixture(site);
  const readRefusalCodes = async (token: string) => [
    (await problemOf(() => readAnswerableLead(token, fixture.context))).code,
    (await problemOf(() => answerLead(token, { text: 'x' }, fixture.context))).code,
  ];

  it('is refused if any character was changed', async () => {
    const { links } = await createLeadWithLinks(fixture);
    for (let index = 0; index < links.offer.length; index++) {
      const other = links.offer[index] === 'A' ? 'B' : 'A';
      expect(
        await readRefusalCodes(links.offer.slice(0, index) + other + links.offer.slice(index + 1)),
        `changed at ${index}`,
      ).toEqual(['not_found', 'not_found']);
    }
    for (const token of [
      '',
      '.',
      'x',
      links.offer.slice(0, -1),
      `${links.offer}A`,
      links.offer.replace('.offer.', '.confirm.'),
    ])
      expect(await readRefusalCodes(token)).toEqual(['not_found', 'not_found']);
  });

  it('is refused for another lead, even with parts of the other lead’s links', async () => {
    const [firstRequest, secondRequest] = [
      await createLeadWithLinks(fixture),
      await createLeadWithLinks(fixture, 'pat@example.com'),
    ];
    const [reference] = secondRequest.links.offer.split('.') as [string];
    expect(
      await readRefusalCodes(
        [reference, ...firstRequest.links.offer.split('.').slice(1)].join('.'),
      ),
    ).toEqual(['not_found', 'not_found']);
    await answerLead(firstRequest.links.confirm, {}, fixture.context);
    expect(
      (await fixture.rows('leads')).find((row) => row['token'] === secondRequest.lead)!['status'],
    ).toBe('new');
  });

  it('is refused by another service with a different secret', async () => {
    const other = await openFixture(site);
    const { links } = await createLeadWithLinks(other);
    expect(await readRefusalCodes(links.offer)).toEqual(['not_found', 'not_found']);
    const contextWithSecret = {
      ...fixture.context,
      linkSecret: 'a secret that an operator has set, long enough',
    };
    const { reference } = await createLeadWithLinks(fixture);
    const offerLink = (await readMessageLinks(reference, contextWithSecret)).offer;
    expect(await readRefusalCodes(offerLink)).toEqual(['not_found', 'not_found']);
    expect(await readAnswerableLead(offerLink, contextWithSecret)).toMatchObject({
      answer: 'offer',
    });
  });

  it('is refused once any process has renewed the secret, and new emails have valid links', async () => {
    const fixture = await openFixture(site);
    const { reference, links } = await createLeadWithLinks(fixture);
    const second = await openDatabase({ url: fixture.url, usesThread: false });
    await renewLinkSecret({ ...fixture.context, database: second });
    await second.close();
    for (const link of Object.values(links))
      expect(await problemOf(() => answerLead(link, { text: 'x' }, fixture.context))).toMatchObject(
        {
          code: 'not_found',
          message: expect.stringContaining('newer links may have replaced it: answer in the inbox'),
        },
      );
    const { offer } = await readMessageLinks(reference, fixture.context);
    expect(await answerLead(offer, bodyOf('offer'), fixture.context)).toMatchObject({
      status: 'quoted',
    });
  });

  it('is refused after the lead is erased, and after the link expires', async () => {
    const [erased, old] = [await createLeadWithLinks(fixture), await createLeadWithLinks(fixture)];
    await eraseLead(erased.lead, 'person', fixture.context);
    expect(await readRefusalCodes(erased.links.offer)).toEqual(['gone', 'gone']);
    fixture.advanceHours(24 * LINK_LIFETIME_DAYS - 1);
    expect(await readAnswerableLead(old.links.offer, fixture.context)).toMatchObject({
      link: 'open',
    });
    fixture.advanceHours(1);
    expect(await readRefusalCodes(old.links.offer)).toEqual(['gone', 'gone']);
  });
});
