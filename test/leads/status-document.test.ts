import { changeLead } from '../../src/leads/change-lead.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { describeVisit } from '../../src/leads/status/visit.ts';
import { computeAnswerDeadline } from '../../src/leads/status/promised-answer.ts';
import { formatAddress } from '../../src/site/words/street-address.ts';
import type { Task } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { listRequirements } from '../../src/site/forms/requirements.ts';
import { phoneOf } from '../../src/site/phone.ts';
import {
  bindings,
  createBindingClient,
  dataIn,
  message,
  receiptOf,
  taskOf,
} from '../a2a/setup/endpoint.ts';
import { makeOffer } from '../conversation/leads-in-states.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites, type Fixture } from '../operations/setup/fixture.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { fill } from '../../src/text/fill.ts';
import { visit as visitText } from '../../src/text/index.ts';
import { client } from '../transports/setup/send.ts';

type Json = Record<string, any>;
const STATUS_PATH = '/api/lead/{receipt}';
const PERSON = { name: 'Dana Reyes', email: 'dana@example.com', phone: '+17275550142' };

describe.each(sites)('the status document in $name', async ({ site }) => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const { json, get, send } = client(fixture);
  const verbs = listActions(site);
  const [first] = verbs.filter(({ action }) => !action.effect);
  const bodyOf = ({ subsite, action }: (typeof verbs)[number]) => ({
    subsite: subsite.name,
    action: action.verb,
    fields: exampleValuesOf(action.fields),
    contact: PERSON,
  });
  const readStatus = async (receipt: string): Promise<Json> =>
    (await (await get(STATUS_PATH, { receipt })).json()) as Json;

  it.each(verbs)(
    'agrees with the receipt of $label in every value that later calls need',
    async (verb) => {
      const receipt = (await (await json('/api/lead/action', bodyOf(verb))).json()) as Json;
      const token = receipt['receiptToken'] as string;
      const statusResponse = await get(STATUS_PATH, { receipt: token });
      expect(receipt['statusEtag']).toBe(statusResponse.headers.get('etag'));
      const phone = phoneOf(verb.subsite, site.registry);
      const status = (await statusResponse.json()) as Json;
      for (const document of [receipt, status])
        expect(document).toMatchObject({ phone, reference: expect.stringMatching(/^\w{16}$/) });
      expect(status['reference']).toBe(receipt['reference']);
      expect(status['service']).toEqual(receipt['service']);
      expect((await readLead(receipt['reference'], 'all', context)).token).toBe(token);
      for (const name of ['respondBy', 'price', 'createdAt'])
        expect([name, receipt[name]]).toEqual([name, status[name]]);
      expect(receipt['respondBy']).toEqual(
        // Nobody has to answer a subscription.
        verb.action.purpose === 'subscription' ? undefined : expect.any(String),
      );
    },
  );

  it.each(verbs)('lists everything that was sent to $label', async (verb) => {
    const body = bodyOf(verb);
    const receipt = (await (await json('/api/lead/action', body)).json()) as Json;
    const text = await (await get(STATUS_PATH, { receipt: receipt['receiptToken'] })).text();
    const { fields, withheld } = (JSON.parse(text) as Json)['request'];
    expect([...fields.map(({ name }: Json) => name), ...withheld].sort()).toEqual(
      [...Object.keys(body.fields), 'contact'].sort(),
    );
    for (const personalValue of Object.values(PERSON)) expect(text).not.toContain(personalValue);
  });

  it('has the deadline for the next answer, and no deadline when nobody owes an answer', async () => {
    const { receiptToken: lead } = (await (
      await json('/api/lead/action', bodyOf(first!))
    ).json()) as { receiptToken: string };
    const messages = `/api/lead/${lead}/messages`;
    const change = async (to: 'acknowledged' | 'needs_info', note?: string) =>
      changeLead({ receiptToken: lead, to, actor: 'provider', note }, context);
    const accept = async () => json(messages, { accept: await makeOffer(fixture, lead) });
    const submittedStatus = (await readStatus(lead)) as Json & { subsite: string; action: string };
    const computeDeadline = (from: string) =>
      computeAnswerDeadline(site.registry, submittedStatus, new Date(from));
    const readDeadline = async () => (await readStatus(lead))['respondBy'];
    expect(submittedStatus['respondBy']).toBe(computeDeadline(submittedStatus['createdAt']));
    await change('acknowledged');
    expect(await readDeadline()).toBe(submittedStatus['respondBy']);
    await change('needs_info', 'How wide is the gate?');
    expect(await readDeadline()).toBeUndefined();
    fixture.advanceHours(2);
    const answeredStatus = (await (await json(messages, { text: 'Six feet.' })).json()) as Json;
    expect(answeredStatus['respondBy']).toBe(computeDeadline(answeredStatus['updatedAt']));
    await makeOffer(fixture, lead);
    expect(await readDeadline()).toBeUndefined();
    fixture.advanceHours(1);
    const acceptedStatus = (await (await accept()).json()) as Json;
    // An acceptance does not delay the answer that was promised first.
    expect(acceptedStatus['respondBy']).toBe(submittedStatus['respondBy']);
    const reference = acceptedStatus['reference'] as string;
    const [row] = (await fixture.rows('leads')).filter(({ token }) => token === lead);
    expect(row!['due_at']).toBe(acceptedStatus['respondBy']);
    const events = (await fixture.rows('outbox')).filter((event) => event['lead'] === lead);
    const sentEvents = await Promise.all(events.map(({ id }) => readLeadEvent(id!, context)));
    for (const event of sentEvents)
      expect(event).toMatchObject({
        firstAnswerDue: submittedStatus['respondBy'],
        lead: { reference, respondBy: acceptedStatus['respondBy'] },
      });
    await changeLead({ receiptToken: lead, to: 'confirmed', actor: 'provider' }, context);
    expect(await readDeadline()).toBeUndefined();
  });

  it('says in the notice of an open request that the provider has written', async () => {
    const { receiptToken: lead } = (await (
      await json('/api/lead/action', bodyOf(first!))
    ).json()) as { receiptToken: string };
    const readNotice = async (): Promise<string> => (await readStatus(lead))['notice'] as string;
    const write = async (text: string) =>
      sendAsProvider({ receiptToken: lead, action: 'reply', actor: 'provider' }, { text }, context);
    expect(await readNotice()).toBe(site.registry.network.leadNotice);
    await write('We open at eight.');
    expect(await readNotice()).toContain('sent you a message');
    await json(`/api/lead/${lead}/messages`, { text: 'Is nine fine, too?' });
    expect(await readNotice()).not.toContain('sent you a message');
    await changeLead({ receiptToken: lead, to: 'acknowledged', actor: 'provider' }, context);
    expect(await readNotice()).not.toContain('sent you a message');
    await write('Yes, it is.');
    expect(await readNotice()).toContain('sent you a message');
  });

  it.each(verbs)('says where and when a confirmed request for $label takes place', async (verb) => {
    const { subsite, action } = verb;
    const body = bodyOf(verb);
    // Items that other tests hold are not free.
    const freshFixture = await openFixture(site);
    const { json: post, get: read, send: call } = client(freshFixture);
    const readCurrentStatus = async () =>
      (await (await read(STATUS_PATH, { receipt: lead })).json()) as Json;
    const receipt = (await (await post('/api/lead/action', body)).json()) as Json;
    const { receiptToken: lead } = receipt as { receiptToken: string };
    expect(await readCurrentStatus()).not.toHaveProperty('visit');
    await changeLead(
      { receiptToken: lead, to: 'confirmed', actor: 'provider' },
      freshFixture.context,
    );
    const { visit = {}, request } = await readCurrentStatus();
    const page = (await (await read(`/receipt/${lead}`, {})).json()) as Json;
    expect(describeVisit(visit)).toEqual(page.visit);
    const requirements = listRequirements(action, body.fields);
    expect(visit.bring).toEqual(requirements.length ? requirements : undefined);
    if (subsite.address && action.visitField === undefined)
      expect(visit.where).toBe(
        action.purpose === 'question'
          ? fill(visitText.whereUnlessAgreed, { address: formatAddress(subsite.address) })
          : formatAddress(subsite.address),
      );
    const file =
      visit.calendarUrl && (await call(new URL(visit.calendarUrl).pathname, { method: 'GET' }));
    expect(page.days).toEqual(file ? { from: visit.from, to: visit.to } : undefined);
    if (file)
      expect(await file.text()).toContain(`DTSTART;VALUE=DATE:${visit.from.replaceAll('-', '')}`);
    for (const [name, value] of Object.entries(body.fields))
      if (request.withheld.includes(name) && String(value).length > 5)
        expect(JSON.stringify(visit)).not.toContain(String(value));
  });

  it('shows who made each change, and the state of each offer', async () => {
    const { receiptToken: lead } = (await (
      await json('/api/lead/action', bodyOf(first!))
    ).json()) as { receiptToken: string };
    const post = async (body: object) =>
      (await (await json(`/api/lead/${lead}/messages`, body)).json()) as Json;
    const offersOf = (status: Json) =>
      status['messages'].map(({ offer }: Json) => offer.ending ?? offer.state);
    await makeOffer(fixture, lead);
    const openOffer = await makeOffer(fixture, lead);
    expect(offersOf(await readStatus(lead))).toEqual(['replaced', 'open']);
    expect(offersOf(await post({ decline: openOffer }))).toEqual(['replaced', 'declined']);
    const repeatedResponse = await post({ accept: openOffer });
    expect(repeatedResponse['detail']).toMatch(/^This offer is no longer open: it was declined\./);
    const lastOffer = await makeOffer(fixture, lead);
    const acceptedStatus = await post({ accept: lastOffer });
    expect(offersOf(acceptedStatus)).toEqual(['replaced', 'declined', 'accepted']);
    expect(
      acceptedStatus['history'].map(({ status, by: binding }: Json) => [status, binding]),
    ).toEqual([
      ['new', 'person'],
      ['quoted', 'provider'],
      ['acknowledged', 'person'],
      ['quoted', 'provider'],
      ['accepted', 'person'],
    ]);
    const withdrawnStatus = await post({ withdraw: true });
    expect(offersOf(withdrawnStatus)).toEqual(['replaced', 'declined', 'accepted']);
    const { receiptToken: secondReceipt } = (await (
      await json('/api/lead/action', bodyOf(first!))
    ).json()) as { receiptToken: string };
    await makeOffer(fixture, secondReceipt);
    fixture.advanceHours(24 * 7);
    expect(offersOf(await readStatus(secondReceipt))).toEqual(['expired']);
  });

  it('says that no offer is open, and lists the possible actions', async () => {
    const { receiptToken: lead } = (await (
      await json('/api/lead/action', bodyOf(first!))
    ).json()) as { receiptToken: string };
    const send = async (body: object) => {
      const answer = await json(`/api/lead/${lead}/messages`, body);
      return [answer.status, (await answer.json()) as Json] as const;
    };
    for (const action of ['accept', 'decline']) {
      const [status, problem] = await send({ [action]: true });
      expect([status, problem['code'], problem['detail']]).toEqual([
        409,
        'conflict',
        'There is no open offer. Allowed actions: reply, withdraw, erase.',
      ]);
    }
    const offer = await makeOffer(fixture, lead);
    const [status, problem] = await send({ accept: true });
    expect([status, problem['errors']]).toEqual([
      400,
      [{ pointer: '/accept', message: 'Send the offerId of the offer.', allowed: [offer] }],
    ]);
    expect((await send({ accept: true, decline: offer }))[0]).toBe(400);
  });

  it('lists the contact and data of a plain request as withheld', async () => {
    const { leadSource: source } = first!.subsite;
    const plainBody = { email: PERSON.email, source, data: { topic: 'gutters' } };
    const receipt = (await (await json('/api/email-capture', plainBody)).json()) as Json;
    const status = await readStatus(receipt['receiptToken']);
    expect(status['request'].withheld).toEqual(['contact', 'data']);
  });

  it('lists only calls that are accepted as written', async () => {
    const submitLead = async () =>
      ((await (await json('/api/lead/action', bodyOf(first!))).json()) as Json)['receiptToken'];
    for (const action of ['reply', 'accept', 'decline', 'withdraw', 'erase']) {
      const receipt = (await submitLead()) as string;
      await makeOffer(fixture, receipt);
      const status = await readStatus(receipt);
      expect(status['calls'].map(({ next }: Json) => next)).toEqual(status['next']);
      const { method, url, body } = status['calls'].find(({ next }: Json) => next === action);
      const path = new URL(url as string).pathname;
      const answer = await (body ? json(path, body) : send(path, { method }));
      expect([action, answer.status]).toEqual([action, 200]);
      if (body) {
        const [statusInAnswer, now] = [
          (await answer.json()) as Json,
          await get(STATUS_PATH, { receipt }),
        ];
        expect(statusInAnswer).toEqual(await now.json());
        expect(answer.headers.get('etag')).toBe(now.headers.get('etag'));
      }
    }
  });

  it('is also available over MCP, with the arguments for each reply', async () => {
    const { call } = await openMcpEndpoints(context);
    const { value: receipt } = await call('/api/mcp', 'submit_action', bodyOf(first!));
    const { receiptToken } = receipt;
    const { value: status } = await call('/api/mcp', 'get_lead_status', { receiptToken });
    expect(status).toEqual(await readStatus(receiptToken as string));
    expect(status['reference']).toBe(receipt['reference']);
    const { body } = status['calls'].find(({ next }: Json) => next === 'withdraw');
    const reply = await call('/api/mcp', 'reply_to_request', { receiptToken, ...body });
    expect(reply.value).toMatchObject({ status: 'withdrawn' });
  });

  it.each(bindings)(
    'is part of a task, and so is the outcome in the task’s receipt, over %s',
    async (binding) => {
      const a2a = await createBindingClient(context, binding);
      const statusDataIn = (task: Task) => dataIn(task.status?.message?.parts) as Json;
      const task = taskOf(await a2a.sendMessage(message({ data: bodyOf(first!) })));
      const receipt = receiptOf(task) as Json;
      expect(receipt).toMatchObject({ status: 'new', reference: expect.any(String) });
      expect(statusDataIn(task)).toEqual(await readStatus(receipt['receiptToken']));
      const { body } = statusDataIn(task)['calls'].find(({ next }: Json) => next === 'reply');
      await a2a.sendMessage(message({ data: body }, { taskId: task.id }));
      const taskQuery = { tenant: '', id: task.id };
      await a2a.cancelTask({ ...taskQuery, metadata: undefined });
      const canceledTask = await a2a.getTask({ ...taskQuery, historyLength: undefined });
      const status = await readStatus(receipt['receiptToken']);
      expect(status).toMatchObject({ status: 'withdrawn', messages: [{ text: body.text }] });
      expect(statusDataIn(canceledTask)).toEqual(status);
      expect(receiptOf(canceledTask)).toMatchObject({
        status: 'withdrawn',
        notice: status['notice'],
      });
      expect(receiptOf(canceledTask)).not.toHaveProperty('respondBy');
      expect(JSON.stringify(canceledTask.artifacts)).not.toContain('"new"');
    },
  );

  it.each(verbs)('shows what was submitted to $label in the sandbox', async (verb) => {
    // The sandbox rejects items that others hold.
    const { context: empty } = await openFixture(site);
    const body = { ...bodyOf(verb), sandbox: true };
    const response = await client({ context: empty } as Fixture).json('/api/lead/action', body);
    const receipt = (await response.json()) as Json;
    const { title, fields, withheld } = receipt['request'];
    expect(title).toBe(verb.action.title);
    expect([...fields.map(({ name }: Json) => name), ...withheld].sort()).toEqual(
      [...Object.keys(body.fields), 'contact'].sort(),
    );
    expect(receipt).not.toHaveProperty('reference');
    expect(receipt['notice']).toMatch(/^This was a test in the sandbox: /);
    expect(receipt['notice']).not.toContain(site.registry.network.leadNotice);
    expect(receipt['statusEtag']).toBe(
      (await get(STATUS_PATH, { receipt: 'sandbox' })).headers.get('etag'),
    );
    expect((await readStatus('sandbox'))['notice']).toMatch(
      /^The sandbox returns this fixed sample; /,
    );
    const a2a = await createBindingClient(empty, 'JSONRPC');
    const task = taskOf(await a2a.sendMessage(message({ data: body })));
    expect(task.status?.message?.parts).toEqual([
      expect.objectContaining({
        content: { $case: 'text', value: expect.stringContaining(receipt['notice'] as string) },
      }),
    ]);
  });
});
