import { describe, expect, it } from 'vitest';
import { writeEntry } from '../../src/leads/write-entry.ts';
import {
  findStateAfterCustomerAction,
  type CustomerAction,
  customerActions,
  MAX_CUSTOMER_TEXT_LENGTH,
  MAX_ENTRIES,
  MAX_UNANSWERED,
  nextProviderActionsOf,
  type ProviderAction,
} from '../../src/leads/conversation/conversation.ts';
import { leadStatuses, leadTransitions, type LeadStatus } from '../../src/leads/lead-states.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { listActions } from '../operations/setup/actions.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';
import { createLeadInState, makeOffer, site } from './leads-in-states.ts';

const STATUS_PATH = '/api/lead/{receipt}';
const MESSAGES_PATH = `${STATUS_PATH}/messages`;

/** Customer actions allowed in each state. */
const allowed: Readonly<Record<LeadStatus, readonly CustomerAction[]>> = {
  new: ['reply', 'withdraw', 'erase'],
  acknowledged: ['reply', 'withdraw', 'erase'],
  needs_info: ['reply', 'withdraw', 'erase'],
  quoted: ['reply', 'accept', 'decline', 'withdraw', 'erase'],
  accepted: ['reply', 'withdraw', 'erase'],
  confirmed: ['reply', 'withdraw', 'erase'],
  declined: ['erase'],
  withdrawn: ['erase'],
  expired: ['erase'],
  erased: [],
};

const bodyOf = (action: CustomerAction, offerId: string): object =>
  ({
    reply: { text: 'The gate is six feet wide.' },
    accept: { accept: offerId },
    decline: { decline: offerId, text: 'Too much.' },
    withdraw: { withdraw: true },
    erase: {},
  })[action];

const json = async (response: Response) => (await response.json()) as Record<string, any>;

async function readLeadRows(fixture: Fixture, lead: string) {
  const readTableRows = async (table: 'lead_history' | 'outbox' | 'offers') =>
    (await fixture.rows(table)).filter((row) => row['lead'] === lead);
  return [
    await readTableRows('lead_history'),
    await readTableRows('outbox'),
    await readTableRows('offers'),
  ];
}

describe('every customer action in every state', async () => {
  const fixture = await openFixture(site);
  const { send, json: post, get } = client(fixture);
  const cases = leadStatuses.flatMap((status) =>
    customerActions.map((action) => ({
      status,
      act: action,
      isAllowed: allowed[status].includes(action),
    })),
  );

  it.each(cases)(
    '$act on a lead that is $status is allowed: $isAllowed',
    async ({ status, act: action, isAllowed }) => {
      const { lead, offerId } = await createLeadInState(fixture, status);
      const params = { receipt: lead };
      const rowsBefore = await readLeadRows(fixture, lead);
      const shown = await get(STATUS_PATH, params);
      if (status !== 'erased') expect((await json(shown))['next']).toEqual(allowed[status]);
      const response =
        action === 'erase'
          ? await send(STATUS_PATH, { method: 'DELETE', params })
          : await post(MESSAGES_PATH, bodyOf(action, offerId), { params });
      const body = await json(response);
      if (status === 'erased') {
        expect([response.status, body['code']]).toEqual([410, 'gone']);
        return;
      }
      // A retry after a lost response.
      if (action === 'withdraw' && status === 'withdrawn') {
        expect([response.status, body['status']]).toEqual([200, status]);
        expect(await readLeadRows(fixture, lead)).toEqual(rowsBefore);
        return;
      }
      if (!isAllowed) {
        expect([response.status, body['code'], body['next']]).toEqual([
          409,
          'conflict',
          allowed[status],
        ]);
        expect(await readLeadRows(fixture, lead)).toEqual(rowsBefore);
        return;
      }
      expect(response.status).toBe(200);
      if (action === 'erase') {
        expect((await get(STATUS_PATH, params)).status).toBe(410);
        expect((await readLeadRows(fixture, lead))[2]).toEqual([]);
        return;
      }
      const nextState = findStateAfterCustomerAction(
        action,
        {
          status,
          revision: 2,
          unansweredCount: 0,
          customerTextLength: 0,
          offer: {
            offerId,
            amount: '450.00',
            currency: 'USD',
            expiresAt: '2099-01-01T00:00:00.000Z',
            confirmOnAccept: false,
          },
        },
        fixture.context.now(),
      )!;
      if (nextState !== status)
        expect(leadTransitions[status] as readonly string[]).toContain(nextState);
      expect(body).toMatchObject({ status: nextState, next: allowed[nextState] });
      expect(await json(await get(STATUS_PATH, params))).toEqual(body);
      const [history, outbox] = await readLeadRows(fixture, lead);
      expect(history!.length).toBe(rowsBefore[0]!.length + 1);
      expect(history!.at(-1)).toMatchObject({ status: nextState, actor: 'person' });
      expect(JSON.parse(outbox!.at(-1)!['payload'])).toEqual({
        from: status,
        to: nextState,
        by: 'person',
        revision: history!.length,
      });
    },
  );

  it('is rejected with all errors listed when the body has no action or several actions', async () => {
    const { lead, offerId } = await createLeadInState(fixture, 'quoted');
    const rowsBefore = await readLeadRows(fixture, lead);
    for (const body of [
      {},
      { text: ' ' },
      { text: 'x'.repeat(4_001) },
      { withdraw: false },
      { accept: offerId, decline: offerId },
      { accept: offerId, withdraw: true },
      { text: 'x', more: 1 },
      { text: 'x', receipt: lead },
      [],
      'text',
      null,
    ]) {
      const response = await post(MESSAGES_PATH, JSON.stringify(body), {
        params: { receipt: lead },
      });
      const problem = await json(response);
      expect([response.status, problem['code'], JSON.stringify(body)]).toEqual([
        400,
        'invalid_input',
        JSON.stringify(body),
      ]);
      expect(problem['errors'].length).toBeGreaterThan(0);
    }
    expect(await readLeadRows(fixture, lead)).toEqual(rowsBefore);
  });

  it('returns 404 for an unknown receipt', async () => {
    for (const receipt of ['x', 'V1StGXR8_Z5jdHi6B-myT']) {
      const response = await post(MESSAGES_PATH, { text: 'x' }, { params: { receipt } });
      expect([response.status, (await json(response))['code']]).toEqual([404, 'unknown_receipt']);
    }
  });

  it('is refused after a very large number of messages, unless it accepts an offer', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    const rows = await readLeadRows(fixture, lead);
    for (let count = rows[0]!.length; count < MAX_ENTRIES - 1; count++)
      await writeEntry(
        {
          receiptToken: lead,
          actor: count % 2 ? 'provider' : 'person',
          decide: ({ status }) => ({ to: status, note: 'x' }),
        },
        fixture.context,
      );
    const offerId = await makeOffer(fixture, lead);
    const params = { receipt: lead };
    const refused = await json(await post(MESSAGES_PATH, { text: 'x' }, { params }));
    expect(refused['next']).toEqual(['accept', 'decline', 'withdraw', 'erase']);
    const reason = `The request has reached the limit of ${MAX_ENTRIES} messages and changes`;
    expect(refused['detail']).toMatch(
      new RegExp(
        `^${reason}\\. Call \\(\\d{3}\\) \\d{3}-\\d{4} instead\\. Allowed actions: accept,`,
      ),
    );
    const answer = (action: ProviderAction) =>
      problemOf(() =>
        sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, {}, fixture.context),
      );
    expect((await answer('reply')).message).toBe(
      `${reason}, so it cannot be answered with reply. Allowed actions: confirm, decline.`,
    );
    expect((await answer('acknowledge')).message).toContain('The state of the request is');
    expect((await post(MESSAGES_PATH, { accept: offerId }, { params })).status).toBe(200);
  });

  it('is refused after many messages in a row, until the provider answers', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    const params = { receipt: lead };
    for (let count = 1; count <= MAX_UNANSWERED; count++)
      expect((await post(MESSAGES_PATH, { text: `Message ${count}` }, { params })).status).toBe(
        200,
      );
    const refused = await post(MESSAGES_PATH, { text: 'One more' }, { params });
    const { detail, next } = await json(refused);
    expect([refused.status, detail]).toEqual([
      409,
      expect.stringMatching(
        /^You have sent 20 messages in a row without an answer\. Wait for the answer, or call \(\d{3}\) \d{3}-\d{4}\. Allowed actions: withdraw, erase\.$/,
      ),
    ]);
    expect(next).toEqual(['withdraw', 'erase']);
    await sendAsProvider(
      { receiptToken: lead, action: 'reply', actor: 'provider' },
      { text: 'Hello' },
      fixture.context,
    );
    expect((await post(MESSAGES_PATH, { text: 'One more' }, { params })).status).toBe(200);
  });

  it('is refused once the messages are very long in total, even if they are answered', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    const params = { receipt: lead };
    for (let length = 0; length < MAX_CUSTOMER_TEXT_LENGTH; length += 4_000) {
      const written = await post(MESSAGES_PATH, { text: 'x'.repeat(4_000) }, { params });
      expect(written.status).toBe(200);
      await sendAsProvider(
        { receiptToken: lead, action: 'reply', actor: 'provider' },
        { text: 'Go on.' },
        fixture.context,
      );
    }
    const refused = await json(await post(MESSAGES_PATH, { text: 'x' }, { params }));
    expect(refused['detail']).toContain('have reached the limit of 100,000 characters. Call (');
  });

  it('cannot be requested after a very large number of messages, because it would be refused', () => {
    const conversation = { status: 'acknowledged', revision: MAX_ENTRIES } as const;
    expect(nextProviderActionsOf(conversation)).toEqual(['offer', 'confirm', 'decline']);
  });
});

describe('an offer', async () => {
  const fixture = await openFixture(site);
  const { json: post, get } = client(fixture);
  const statusOf = async (lead: string) => json(await get(STATUS_PATH, { receipt: lead }));
  const accept = (lead: string, offerId: string) =>
    post(MESSAGES_PATH, { accept: offerId }, { params: { receipt: lead } });

  it('is shown with its message, and as the open offer until it expires', async () => {
    const { lead, offerId } = await createLeadInState(fixture, 'quoted', {
      description: 'Two trailers.',
    });
    const open = await statusOf(lead);
    expect(open['offer']).toMatchObject({
      offerId,
      amount: '450.00',
      description: 'Two trailers.',
    });
    expect(open['messages']).toEqual([
      {
        messageId: 'm2',
        at: open['updatedAt'],
        from: 'provider',
        offer: { ...open['offer'], state: 'open' },
      },
    ]);
    fixture.advanceHours(48);
    const expired = await statusOf(lead);
    expect(expired).not.toHaveProperty('offer');
    expect(expired['next']).toEqual(['reply', 'withdraw', 'erase']);
    expect(expired['notice']).toContain('has expired');
    const refused = await accept(lead, offerId);
    expect([refused.status, (await json(refused))['detail']]).toEqual([
      409,
      'This offer has expired. Allowed actions: reply, withdraw, erase.',
    ]);
  });

  it('is replaced by a newer offer, and only the newer offer can be accepted', async () => {
    const { lead, offerId } = await createLeadInState(fixture, 'quoted');
    const newer = await makeOffer(fixture, lead, { amount: '400.00' });
    expect((await statusOf(lead))['offer']).toMatchObject({ offerId: newer });
    const refused = await accept(lead, offerId);
    expect([refused.status, (await json(refused))['detail']]).toEqual([
      409,
      `A newer offer has replaced this one: ${newer}. Allowed actions: reply, accept, decline, withdraw, erase.`,
    ]);
    expect((await json(await accept(lead, newer)))['status']).toBe('accepted');
  });

  it('is refused with the same problem when a program accepts it at the receipt URL as through the API', async () => {
    const { lead, offerId } = await createLeadInState(fixture, 'quoted');
    const newer = await makeOffer(fixture, lead);
    const params = { receipt: lead };
    const [atReceipt, atApi] = await Promise.all(
      ['/receipt/{receipt}', MESSAGES_PATH].map(async (path) =>
        json(await post(path, { accept: offerId }, { params })),
      ),
    );
    expect(atReceipt).toEqual(atApi);
    expect(atApi).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('Allowed actions: '),
      errors: [{ allowed: [newer] }],
    });
  });

  it('stays closed after it is declined, even if the lead is quoted again', async () => {
    const { lead, offerId } = await createLeadInState(fixture, 'quoted');
    await post(MESSAGES_PATH, { decline: offerId }, { params: { receipt: lead } });
    const newer = await makeOffer(fixture, lead);
    expect((await accept(lead, offerId)).status).toBe(409);
    expect((await accept(lead, newer)).status).toBe(200);
  });

  it('confirms the request on acceptance if it promised to', async () => {
    const { lead, offerId } = await createLeadInState(fixture, 'quoted', { confirmOnAccept: true });
    expect((await statusOf(lead))['notice']).toContain('Accepting it confirms');
    expect(await json(await accept(lead, offerId))).toMatchObject({ status: 'confirmed' });
    expect((await statusOf(lead))['notice']).not.toContain('not a confirmed');
  });

  it('is either accepted or replaced, never both, when both happen at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { lead, offerId } = await createLeadInState(fixture, 'quoted');
      const [accepted, replaced] = await Promise.all([
        accept(lead, offerId),
        // The provider makes no offer after the previous offer has been accepted.
        writeEntry(
          {
            receiptToken: lead,
            actor: 'provider',
            decide({ status }, time) {
              if (status !== 'quoted') throw new Error('accepted');
              return {
                to: 'quoted',
                offer: {
                  offerId: `newer${round}`,
                  amount: '1',
                  currency: 'USD',
                  expiresAt: new Date(time.getTime() + 1_000).toISOString(),
                  confirmOnAccept: false,
                },
              };
            },
          },
          fixture.context,
        ).then(
          () => true,
          () => false,
        ),
      ]);
      expect(accepted.status).toBe(replaced ? 409 : 200);
      expect((await statusOf(lead))['status']).toBe(replaced ? 'quoted' : 'accepted');
    }
  });
});

describe('a message with an idempotency key', async () => {
  const fixture = await openFixture(site);
  const { json: post } = client(fixture);
  const headers = { 'idempotency-key': 'a-key-of-this-test-0001' };

  it('is stored once, however often it arrives, and always gets the first response', async () => {
    const { lead } = await createLeadInState(fixture, 'needs_info');
    const sendReply = () =>
      post(MESSAGES_PATH, { text: 'Six feet.' }, { params: { receipt: lead }, headers });
    const answers = await Promise.all(Array.from({ length: 12 }, sendReply));
    const first = await json(answers[0]!);
    expect(first).toMatchObject({ status: 'acknowledged' });
    await makeOffer(fixture, lead);
    for (const answer of [...answers.slice(1), await sendReply()]) {
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
      expect(await json(answer)).toEqual(first);
    }
    expect((await readLeadRows(fixture, lead))[0]!.length).toBe(4);
    const other = await post(
      MESSAGES_PATH,
      { text: 'Seven.' },
      { params: { receipt: lead }, headers },
    );
    expect([other.status, (await json(other))['code']]).toEqual([422, 'idempotency_mismatch']);
  });
});

describe('the status of a lead', async () => {
  const fixture = await openFixture(site);
  const { get, json: post } = client(fixture);

  it('has an ETag that changes with the lead, and returns 304 if the ETag matches', async () => {
    const { lead, offerId } = await createLeadInState(fixture, 'quoted');
    const params = { receipt: lead };
    const first = await get(STATUS_PATH, params);
    const etag = first.headers.get('etag')!;
    const ask = (value: string) =>
      get(STATUS_PATH, params, { headers: { 'if-none-match': value } });
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const conditionalResponse = await ask(value);
      expect([
        conditionalResponse.status,
        conditionalResponse.headers.get('etag'),
        await conditionalResponse.text(),
      ]).toEqual([304, etag, '']);
    }
    expect((await ask('"x"')).status).toBe(200);
    await post(MESSAGES_PATH, { accept: offerId }, { params });
    expect((await ask(etag)).status).toBe(200);
  });

  it('shows choices, numbers, and dates from the request, and no other values', async () => {
    for (const verb of listActions(site)) {
      const { action, subsite } = verb;
      const lead = await submitLead(fixture.context, verb, {
        name: 'Zebedee Quux',
        email: 'zebedee@example.com',
      });
      const state = await json(await get(STATUS_PATH, { receipt: lead }));
      const values = exampleValuesOf(action.fields);
      const shown = Object.entries(action.fields).filter(
        ([name, { type }]) => ['enum', 'number', 'date'].includes(type) && name in values,
      );
      expect(state['request'].title, subsite.name).toBe(action.title);
      expect(
        state['request'].fields.map(({ name }: { name: string }) => name),
        `${subsite.name} ${action.verb}`,
      ).toEqual(expect.arrayContaining(shown.map(([name]) => name)));
      for (const { name } of state['request'].fields)
        expect(['enum', 'number', 'date']).toContain(action.fields[name]!.type);
      expect(JSON.stringify(state)).not.toMatch(/zebedee|quux/i);
    }
  });

  it('has examples that the sandbox accepts as written', async () => {
    for (const { value } of Object.values(sendMessage.describe(site).requestExamples!)) {
      const response = await post(MESSAGES_PATH, value, { params: { receipt: 'sandbox' } });
      expect([response.status, value]).toEqual([200, value]);
    }
    const refused = await post(MESSAGES_PATH, { accept: 'x' }, { params: { receipt: 'sandbox' } });
    expect(refused.status).toBe(409);
  });
});

describe('the notice after a message', async () => {
  const fixture = await openFixture(site);
  const { json: post, get } = client(fixture);
  const write = async (lead: string): Promise<string> =>
    (
      await json(
        await post(MESSAGES_PATH, { text: 'Please change it.' }, { params: { receipt: lead } }),
      )
    )['notice'];

  it('says that the message was sent, until the provider answers', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    expect(await write(lead)).toMatch(/^Your message was sent to [^;.]+\. The provider has your/);
    await sendAsProvider(
      { receiptToken: lead, action: 'reply', actor: 'provider' },
      { text: 'We will.' },
      fixture.context,
    );
    const status = await json(await get(STATUS_PATH, { receipt: lead }));
    expect(status['notice']).not.toContain('Your message was sent');
  });

  it('says that a hold keeps its days', async () => {
    const hold = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
    const lead = await submitLead(fixture.context, hold);
    expect(await write(lead)).toMatch(
      /^Your message was sent to .+; it does not change the held days\. This receipt says/,
    );
  });
});
