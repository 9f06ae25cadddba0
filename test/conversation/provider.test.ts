import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ProviderAction, providerActions } from '../../src/leads/conversation/conversation.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { leadStatuses, leadTransitions, type LeadStatus } from '../../src/leads/lead-states.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { formatReference } from '../../src/site/words/words.ts';
import { KEY_INPUT } from '../../src/site/forms/form-inputs.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';
import { createLeadInState, makeOffer, site } from './leads-in-states.ts';

/** Provider actions allowed in each state with the resulting state. */
const allowed: Readonly<Record<LeadStatus, Partial<Record<ProviderAction, LeadStatus>>>> = {
  new: {
    acknowledge: 'acknowledged',
    ask: 'needs_info',
    offer: 'quoted',
    confirm: 'confirmed',
    decline: 'declined',
    reply: 'new',
  },
  acknowledged: {
    ask: 'needs_info',
    offer: 'quoted',
    confirm: 'confirmed',
    decline: 'declined',
    reply: 'acknowledged',
  },
  needs_info: {
    acknowledge: 'acknowledged',
    ask: 'needs_info',
    decline: 'declined',
    reply: 'needs_info',
  },
  quoted: { offer: 'quoted', confirm: 'confirmed', decline: 'declined', reply: 'quoted' },
  accepted: { confirm: 'confirmed', decline: 'declined', reply: 'accepted' },
  confirmed: { confirm: 'confirmed', decline: 'declined', reply: 'confirmed' },
  declined: {},
  withdrawn: {},
  expired: {},
  erased: {},
};

const bodyOf = (action: ProviderAction) => ({
  ...(action === 'offer' && { amount: '450', currency: 'USD', expires: '48h' }),
  text: 'What the provider writes.',
});

const readHistory = async (fixture: Fixture, lead: string) =>
  (await fixture.rows('lead_history')).filter((row) => row['lead'] === lead);

/** The newest event of a lead as providers receive it. */
async function readNewestEvent(fixture: Fixture, lead: string) {
  const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
  return (await readLeadEvent(String(events.at(-1)!['id']), fixture.context))!;
}

describe('every provider action in every state', async () => {
  const fixture = await openFixture(site);
  const { json, get } = client(fixture);
  const cases = leadStatuses.flatMap((status) =>
    providerActions.map((action) => ({ status, act: action, to: allowed[status][action] })),
  );

  it.each(cases)('$act on a lead that is $status, by the operator: $to', async (testCase) => {
    const { status, act: action, to } = testCase;
    const { lead } = await createLeadInState(fixture, status);
    const historyBefore = await readHistory(fixture, lead);
    const send = () =>
      sendAsProvider(
        { receiptToken: lead, action, actor: 'operator' },
        bodyOf(action),
        fixture.context,
      );
    if (to) {
      expect(await send()).toBe(to);
      if (to !== status) expect(leadTransitions[status] as readonly string[]).toContain(to);
      expect((await readHistory(fixture, lead)).at(-1)).toMatchObject({
        status: to,
        actor: 'operator',
      });
      const shown = (await (await get('/api/lead/{receipt}', { receipt: lead })).json()) as any;
      expect(shown).toMatchObject({ status: to });
      expect(shown.messages.at(-1)).toMatchObject({
        from: 'operator',
        text: 'What the provider writes.',
        ...(action === 'offer' && { offer: { amount: '450.00', currency: 'USD' } }),
      });
      return;
    }
    const problem = await problemOf(send);
    expect(problem.code).toBe(status === 'erased' ? 'gone' : 'conflict');
    if (status !== 'erased') expect(problem.next).toEqual(Object.keys(allowed[status]));
    const { acknowledge: acknowledged } = allowed[status];
    if (acknowledged && action in allowed[acknowledged])
      expect(problem.message).toContain(`by phone, use acknowledge first, and then ${action}.`);
    else expect(problem.message).not.toContain('first, and then');
    expect(await readHistory(fixture, lead)).toEqual(historyBefore);
  });

  it.each(cases)('$act on a lead that is $status, by a signed link: $to', async (testCase) => {
    const { status, act: action, to } = testCase;
    const { lead } = await createLeadInState(fixture, status);
    const { links } = await readNewestEvent(fixture, lead);
    expect(links[action] !== undefined).toBe(to !== undefined);
    if (!to) return;
    const path = new URL(links[action]!).pathname;
    const post = () => json(path, bodyOf(action));
    expect(await (await get(path, {})).json()).toMatchObject({ lead: { link: 'open', status } });
    expect(await (await post()).json()).toMatchObject({ status: to });
    const secondResponse = await post();
    expect([secondResponse.status, ((await secondResponse.json()) as any).code]).toEqual([
      410,
      'gone',
    ]);
    expect(await (await get(path, {})).json()).toMatchObject({ lead: { link: 'used' } });
  });

  it('emails the provider each customer action, with links for the next steps', async () => {
    const customerActions: [LeadStatus, (offer: string) => object, string, string][] = [
      [
        'needs_info',
        () => ({ text: 'Six feet.' }),
        'The customer replied.',
        'The customer replied',
      ],
      [
        'quoted',
        (offer) => ({ accept: offer }),
        'The customer accepted your offer.\nPlease answer by',
        'Offer accepted, please confirm',
      ],
      [
        'quoted',
        (offer) => ({ decline: offer }),
        'The customer declined your offer: $450.',
        'Offer declined',
      ],
      [
        'quoted',
        () => ({ withdraw: true }),
        'The customer canceled this request.',
        'Canceled by the customer',
      ],
      [
        'confirmed',
        () => ({ text: 'Thanks.' }),
        'The customer wrote to you.',
        'The customer wrote',
      ],
    ];
    for (const [status, body, expectedText, expectedEvent] of customerActions) {
      const { lead, offerId } = await createLeadInState(fixture, status);
      await json('/api/lead/{receipt}/messages', body(offerId), { params: { receipt: lead } });
      const event = await readNewestEvent(fixture, lead);
      const { subject, text } = renderMail(event, site);
      expect(text).toContain(expectedText);
      expect(subject).toMatch(new RegExp(`^${expectedEvent}: .* \\(`));
      if (event.change!.note) expect(text).toContain(`| ${event.change!.note}`);
      expect(Object.keys(event.links)).toEqual(Object.keys(allowed[event.lead.status]));
    }
  });

  it('names no date for the links of a request that expires before they do', async () => {
    const textsIn = async (status: LeadStatus) => {
      const { lead } = await createLeadInState(fixture, status);
      return renderMail(await readNewestEvent(fixture, lead), site).text;
    };
    const newText = await textsIn('new');
    expect(newText).toContain('The links work until the request changes or expires.');
    expect(newText).not.toContain('at the latest. After each answer');
    expect(await textsIn('acknowledged')).toContain('at the latest. After each answer');
  });

  it('removes links to receipts and answers from messages that quote an email', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    const mail = renderMail(await readNewestEvent(fixture, lead), site).text;
    expect(mail).toContain(`${site.base}/answer/`);
    const quotedMail = mail.replaceAll(/^/gm, '> ').slice(0, 3_000);
    const send = (action: ProviderAction, body: object) =>
      sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, body, fixture.context);
    await send('reply', { text: `Yes.\n${quotedMail}` });
    const description = `Includes <${site.base}/answer/abc.confirm.1.x.y>, not ${site.base}/terms.`;
    await send('offer', { ...bodyOf('offer'), description });
    await json(
      '/api/lead/{receipt}/messages',
      {
        text: `Thanks (${site.base.toUpperCase()}/receipt/${lead}) and ${site.base}/api/lead/${lead}`,
      },
      { params: { receipt: lead } },
    );
    const { messages } = (await (
      await get('/api/lead/{receipt}', { receipt: lead })
    ).json()) as any;
    expect(JSON.stringify(messages)).not.toMatch(/answer\/|receipt\/|api\/lead|\.confirm\./i);
    const [reply, offer, thanks] = messages.slice(-3);
    expect(reply.text).toMatch(/^Yes\.\n> .*\[private link removed\]/s);
    expect(offer.offer.description).toBe(`Includes [private link removed] not ${site.base}/terms.`);
    expect(thanks.text).toBe('Thanks [private link removed] and [private link removed]');
  });

  it('recognizes a repeated text whose link was removed', async () => {
    const { lead } = await createLeadInState(fixture, 'confirmed');
    const text = `At 9 am, see ${site.base}/receipt/${lead}`;
    const change = () =>
      sendAsProvider(
        { receiptToken: lead, action: 'confirm', actor: 'provider' },
        { text },
        fixture.context,
      );
    await change();
    await expect(change()).rejects.toMatchObject({ code: 'conflict' });
    const { form } = client(fixture);
    const write = async () =>
      (await form(`/receipt/${lead}`, { text, [KEY_INPUT]: randomUUID() })).status;
    expect([await write(), await write()]).toEqual([303, 409]);
  });

  it('mentions another open request from the customer until that request ends', async () => {
    const [subsite] = site.registry.subsites;
    const send = async () =>
      (
        (await (
          await json('/api/email-capture', {
            email: 'ann@example.com',
            source: subsite!.leadSource,
          })
        ).json()) as { receiptToken: string }
      ).receiptToken;
    const [first, second] = [await send(), await send()];
    const reference = (await readNewestEvent(fixture, first!)).lead.reference;
    const warning = `The same customer has another request of this kind: ${formatReference(reference)} (New).`;
    const newestEvent = await readNewestEvent(fixture, second!);
    expect(renderMail(newestEvent, site).text).toContain(warning);
    const page = () => get(new URL(newestEvent.links.reply!).pathname, {});
    expect(await (await page()).json()).toMatchObject({ lead: { otherOpenRequest: warning } });
    expect(renderMail(await readNewestEvent(fixture, first!), site).text).not.toContain(
      'The same customer',
    );
    await json('/api/lead/{receipt}/messages', { withdraw: true }, { params: { receipt: first! } });
    expect((await readNewestEvent(fixture, second!)).otherOpenRequest).toBeUndefined();
    const third = await send();
    expect((await readNewestEvent(fixture, third)).otherOpenRequest).toContain(
      formatReference(newestEvent.lead.reference),
    );
    await eraseLead(first!, 'person', fixture.context);
    expect((await readNewestEvent(fixture, third)).otherOpenRequest).toContain(
      formatReference(newestEvent.lead.reference),
    );
    expect((await readNewestEvent(fixture, second!)).lead.repeated).toBe(false);
  });

  it('requires a reason to decline a confirmed request', async () => {
    const { lead } = await createLeadInState(fixture, 'confirmed');
    const problem = await problemOf(() =>
      sendAsProvider(
        { receiptToken: lead, action: 'decline', actor: 'provider' },
        {},
        fixture.context,
      ),
    );
    expect(problem.errors?.[0]?.pointer).toBe('/text');
  });
});

describe('a conversation over HTTP', async () => {
  const fixture = await openFixture(site);
  const { json, get } = client(fixture);

  it('goes from a request through a question and an offer to a confirmation', async () => {
    const subsite = site.registry.subsites[0]!;
    const receipt = (await (
      await json('/api/email-capture', { email: 'dana@example.com', source: subsite.leadSource })
    ).json()) as any;
    const params = { receipt: receipt.receiptToken as string };
    const status = async () =>
      (await (await get('/api/lead/{receipt}', params)).json()) as Record<string, any>;
    const answerByLink = async (action: ProviderAction, body: object) => {
      const { links } = await readNewestEvent(fixture, params.receipt);
      const response = await json(new URL(links[action]!).pathname, body);
      expect(response.status).toBe(200);
    };
    const send = (body: object) => json('/api/lead/{receipt}/messages', body, { params });
    await answerByLink('ask', { text: 'How wide is the gate?' });
    expect(await status()).toMatchObject({
      status: 'needs_info',
      next: ['reply', 'withdraw', 'erase'],
    });
    expect((await send({ text: 'Six feet.' })).status).toBe(200);
    await answerByLink('offer', {
      amount: '450',
      currency: 'USD',
      expires: '2d',
      description: 'All of it.',
    });
    const { offer } = await status();
    expect((await send({ accept: offer.offerId, text: 'Yes.' })).status).toBe(200);
    expect(await status()).toMatchObject({ status: 'accepted' });
    await answerByLink('confirm', { text: 'See you on Monday.' });
    const end = await status();
    expect(end['history'].map((entry: any) => entry.status)).toEqual([
      'new',
      'needs_info',
      'acknowledged',
      'quoted',
      'accepted',
      'confirmed',
    ]);
    expect(
      end['messages'].map((testCase: any) => [
        testCase.from,
        testCase.text ?? testCase.offer.amount,
      ]),
    ).toEqual([
      ['provider', 'How wide is the gate?'],
      ['person', 'Six feet.'],
      ['provider', '450.00'],
      ['person', 'Yes.'],
      ['provider', 'See you on Monday.'],
    ]);
    expect(end['notice']).not.toContain('not a confirmed');
    expect((await fixture.rows('leads')).length).toBe(1);
  });

  it('works the same with the forms of the receipt', async () => {
    const { lead } = await createLeadInState(fixture, 'needs_info');
    const { form } = client(fixture);
    const path = `/receipt/${lead}`;
    const key = { _key: 'key-of-one-form-0001' };
    for (const _ of [1, 2])
      expect((await form(path, { text: 'Six feet.', ...key })).status).toBe(303);
    expect((await readHistory(fixture, lead)).length).toBe(3);
    const offerId = await makeOffer(fixture, lead);
    const refused = await form(path, { accept: 'other', text: 'Yes.' });
    expect([refused.status, ((await refused.json()) as any).enteredText]).toEqual([409, 'Yes.']);
    expect((await form(path, { accept: offerId })).status).toBe(303);
    expect((await readHistory(fixture, lead)).at(-1)).toMatchObject({ status: 'accepted' });
    expect((await form(`${path}/withdraw`, { sure: 'yes' })).status).toBe(303);
    expect((await readHistory(fixture, lead)).at(-1)).toMatchObject({ status: 'withdrawn' });
  });

  it('stores a message once if a program repeats it to the receipt with the same key', async () => {
    const { lead } = await createLeadInState(fixture, 'needs_info');
    const post = (text: string, key: string) =>
      client(fixture).json(`/receipt/${lead}`, { text }, { headers: { 'idempotency-key': key } });
    for (const replayed of [null, 'true']) {
      const response = await post('Six feet.', 'key-of-one-program-01');
      expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([
        303,
        replayed,
      ]);
    }
    expect((await readHistory(fixture, lead)).length).toBe(3);
    expect((await post('Seven feet.', 'key-of-one-program-01')).status).toBe(422);
    expect((await post('Seven feet.', 'short')).status).toBe(400);
    expect((await readHistory(fixture, lead)).length).toBe(3);
  });

  it('works the same with forms posted to the API', async () => {
    const { lead } = await createLeadInState(fixture, 'needs_info');
    const other = await createLeadInState(fixture, 'needs_info');
    const { form, get } = client(fixture);
    const send = (receipt: string, inputs: Record<string, string>, accept = '*/*') =>
      form('/api/lead/{receipt}/messages', inputs, { params: { receipt }, headers: { accept } });
    // Without a key, each request stores the text as a new message.
    for (const receipt of [lead, lead, other.lead]) {
      const sent = await send(receipt, { text: 'Six feet.' });
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `/receipt/${receipt}`]);
    }
    expect((await readHistory(fixture, lead)).length).toBe(3);
    expect((await readHistory(fixture, other.lead)).length).toBe(3);
    const refused = await send(lead, { accept: 'x', withdraw: 'true' }, 'text/html');
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'text/html']);
    expect((await send(lead, { withdraw: 'maybe' })).headers.get('content-type')).toBe(
      'application/problem+json',
    );
    expect((await send(lead, { withdraw: 'true', text: 'No longer.' })).status).toBe(303);
    expect((await readHistory(fixture, lead)).at(-1)).toMatchObject({ status: 'withdrawn' });
    const response = await get(
      '/api/lead/{receipt}/messages',
      { receipt: lead },
      { headers: { accept: 'text/html' } },
    );
    expect([response.status, response.headers.get('location')]).toEqual([303, `/receipt/${lead}`]);
    expect((await get('/api/lead/{receipt}/messages', { receipt: lead })).status).toBe(405);
  });
});
