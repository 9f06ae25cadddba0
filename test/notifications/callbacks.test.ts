import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../src/keys/keys.ts';
import { createCustomerChannels } from '../../src/leads/deliveries/index.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { listLeads } from '../../src/leads/lists/list-leads.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { toProblem } from '../../src/http/faults.ts';
import { createMcpHandler } from '../../src/mcp/index.ts';
import { startBackgroundJobs } from '../../src/server/background-jobs.ts';
import {
  bindings,
  createBindingClient,
  createEndpoint,
  withKey,
  message,
  receiptOf,
  taskOf,
} from '../a2a/setup/endpoint.ts';
import { startHttpReceiver } from '../deliveries/setup/receivers.ts';
import { drain } from '../deliveries/setup/drain.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { runCommand } from '../setup/command.ts';
import { createRpcClient, eras, openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client } from '../transports/setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const { subsite, action } = listActions(site).find(({ action: { effect } }) => !effect)!;

/** The error for a callback without a key. */
const CALLBACK_WITHOUT_KEY = {
  pointer: '/callback',
  message: 'Only callback needs a key; remove it to send the request without one.',
};

/** A fixture with a client that submits leads and receives callbacks. */
async function openCallbackFixture({ allowPrivateTargets = true } = {}) {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const receiver = await startHttpReceiver();
  // Receivers check signatures against the real clock.
  const now = () => new Date();
  const channels = createCustomerChannels({ allowPrivateTargets }, { site, now });
  const { key, id, callbackSecret } = await createKey(
    { name: 'Agent', scopes: ['callbacks'], expiresAt: null },
    context,
  );
  const { json } = client(fixture);
  const body = (more: object = {}) => ({
    subsite: subsite.name,
    action: action.verb,
    fields: exampleValuesOf(action.fields),
    callback: { url: receiver.url },
    ...more,
  });
  const post = (more: object = {}, bearer = key, headers = {}) =>
    json('/api/lead/action', body(more), {
      headers: { ...headers, ...(bearer && { authorization: `Bearer ${bearer}` }) },
    });
  const submitLead = async (more: object = {}) => {
    const response = await post(more);
    expect(response.status, await response.clone().text()).toBe(200);
    return ((await response.json()) as { receiptToken: string }).receiptToken;
  };
  const askCustomer = (lead: string, text: string) =>
    sendAsProvider({ receiptToken: lead, action: 'ask', actor: 'provider' }, { text }, context);
  const deliverCallbacks = async () => {
    await drain(channels, context);
    return receiver.requests;
  };
  const bearer = { authorization: `Bearer ${key}` };
  return {
    ...{
      fixture,
      channels,
      receiver,
      body,
      bearer,
      post,
      submitLead,
      askCustomer,
      deliverCallbacks,
      id,
    },
    secret: callbackSecret!,
  };
}

describe('a client with a callback', () => {
  it('is notified of each change by a callback that is signed with its key’s secret and has only data that it may read', async () => {
    const { submitLead, askCustomer, deliverCallbacks, receiver, fixture, secret } =
      await openCallbackFixture();
    receiver.handlers.push((_, response) => response.writeHead(500).end());
    const lead = await submitLead();
    expect(await deliverCallbacks()).toEqual([]);
    await askCustomer(lead, 'Which floor?');
    const [failed, retriedRequest] = (await deliverCallbacks()) as [
      (typeof receiver.requests)[0],
      unknown,
    ];
    expect(retriedRequest).toMatchObject({ body: failed.body });
    const headers = failed.headers as Record<string, string>;
    const message = new Webhook(secret).verify(failed.body, headers) as Record<string, unknown>;
    const [, changed] = await fixture.rows('outbox');
    expect(headers['webhook-id']).toBe(changed!['id']);
    expect(message).toEqual({
      type: 'lead.updated',
      timestamp: changed!['created_at'],
      data: {
        receiptToken: lead,
        status: 'needs_info',
        at: changed!['created_at'],
        statusUrl: `${site.base}/api/lead/${lead}`,
      },
    });
    expect(new Set(receiver.requests.map((request) => request.headers['webhook-id'])).size).toBe(1);
    expect(await deliverCallbacks()).toHaveLength(2);
  });

  it('gets no more callbacks once its key is revoked or the lead is erased', async () => {
    const { fixture, submitLead, askCustomer, deliverCallbacks, id } = await openCallbackFixture();
    const [erased, other] = [await submitLead(), await submitLead()];
    await askCustomer(erased, 'Which floor?');
    await eraseLead(erased, 'person', fixture.context);
    expect(await deliverCallbacks()).toEqual([]);
    await revokeKey(id, fixture.context);
    await askCustomer(other, 'Which floor?');
    expect(await deliverCallbacks()).toEqual([]);
    const remaining = await fixture.database.writer.all<{ lead: string }>(
      'select lead from callbacks',
    );
    expect(remaining).toEqual([{ lead: other }]);
  });

  it('is called at public addresses only, and its failures do not make leads late', async () => {
    const { fixture, submitLead, askCustomer, deliverCallbacks } = await openCallbackFixture({
      allowPrivateTargets: false,
    });
    await askCustomer(await submitLead(), 'Which floor?');
    expect(await deliverCallbacks()).toEqual([]);
    const attempts = await fixture.database.writer.all<{ outcome: string }>(
      'select distinct outcome from delivery_attempts',
    );
    expect(attempts).toEqual([{ outcome: 'private_address' }]);
    const undeliveredLeads = await listLeads({ undelivered: true }, { limit: 10 }, fixture.context);
    expect(undeliveredLeads).toEqual([]);
  });

  it('is called even without a provider channel, and a provider is still notified later', async () => {
    const { fixture, channels, receiver, submitLead, askCustomer } = await openCallbackFixture();
    const worker = startBackgroundJobs({ channels, context: fixture.context });
    await askCustomer(await submitLead(), 'Which floor?');
    await expect.poll(() => receiver.requests.length).toBe(1);
    await worker.stop();
    const waitingEvents = (await fixture.rows('outbox')).filter((row) => row['due_at'] !== null);
    expect(waitingEvents).toHaveLength(2);
  });

  it('gets the same receipt for a repeated key and body, and one callback per change', async () => {
    const { fixture, askCustomer, deliverCallbacks, post } = await openCallbackFixture();
    const headers = { 'idempotency-key': '7d0bd1f0-6f7c-4f9e-9f0e-3b1f6f0c2a51' };
    const receipts = await Promise.all(
      [1, 2].map(async () => {
        const response = await post({}, undefined, headers);
        return (await response.json()) as { receiptToken: string };
      }),
    );
    expect(receipts[1]).toEqual(receipts[0]);
    expect((await post({}, '', headers)).status).toBe(401);
    await askCustomer(receipts[0]!.receiptToken, 'Which floor?');
    expect(await deliverCallbacks()).toHaveLength(1);
    expect(await fixture.rows('leads')).toHaveLength(1);
  });

  it.each(eras)('can set the callback with an MCP tool, in version %s', async (era) => {
    const { fixture, body, bearer, askCustomer, deliverCallbacks } = await openCallbackFixture();
    const dependencies = {
      context: fixture.context,
      toProblem: (thrown: unknown) => toProblem(thrown, fixture.context),
    };
    const url = `${site.base}/api/mcp`;
    const params = { name: 'submit_action', arguments: body() };
    const anonymousResponse = await createRpcClient(
      createMcpHandler('/api/mcp', dependencies),
      url,
    )('tools/call', params, era);
    expect(anonymousResponse.result).toMatchObject({ isError: true });
    expect(JSON.stringify(anonymousResponse.result)).toContain('unauthorized');
    expect(JSON.stringify(anonymousResponse.result)).toContain(CALLBACK_WITHOUT_KEY.message);
    const { result } = await createRpcClient(
      createMcpHandler('/api/mcp', dependencies),
      url,
      bearer,
    )('tools/call', params, era);
    await askCustomer(result.structuredContent.receiptToken, 'Which floor?');
    expect(await deliverCallbacks()).toHaveLength(1);
    expect(await fixture.rows('leads')).toHaveLength(1);
  });

  it.each(bindings)('can set the callback in an A2A message, over %s', async (binding) => {
    const { fixture, body, bearer, askCustomer, deliverCallbacks } = await openCallbackFixture();
    const anonymousClient = await createBindingClient(fixture.context, binding);
    await expect(anonymousClient.sendMessage(message({ data: body() }))).rejects.toThrow(
      /Only callback needs a key; remove it/,
    );
    const channel = withKey(
      createEndpoint(fixture.context),
      bearer.authorization.slice('Bearer '.length),
    );
    const agent = await createBindingClient(fixture.context, binding, channel);
    const task = taskOf(await agent.sendMessage(message({ data: body() })));
    await askCustomer(receiptOf(task).receiptToken, 'Which floor?');
    expect(await deliverCallbacks()).toHaveLength(1);
    expect(await fixture.rows('leads')).toHaveLength(1);
  });

  it('gets no more callbacks after it returns 410', async () => {
    const { fixture, submitLead, askCustomer, deliverCallbacks, receiver } =
      await openCallbackFixture();
    receiver.handlers.push((_, response) => response.writeHead(410).end());
    const lead = await submitLead();
    await askCustomer(lead, 'Which floor?');
    await deliverCallbacks();
    await askCustomer(lead, 'Which channel?');
    expect(await deliverCallbacks()).toHaveLength(1);
    expect(await fixture.database.writer.all('select * from callbacks')).toEqual([]);
  });

  it('stores nothing in the sandbox', async () => {
    const { fixture, submitLead } = await openCallbackFixture();
    expect(await submitLead({ sandbox: true })).toBe('sandbox');
    expect(await fixture.rows('leads')).toEqual([]);
  });
});

describe('a callback', () => {
  it('is rejected without a key, and with an unknown key', async () => {
    const { fixture, post } = await openCallbackFixture();
    for (const bearer of ['', `fk_${'a'.repeat(10)}_${'a'.repeat(40)}`]) {
      const response = await post({}, bearer);
      expect([response.status, await response.json()]).toEqual([
        401,
        expect.objectContaining({ code: 'unauthorized', errors: [CALLBACK_WITHOUT_KEY] }),
      ]);
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
    }
    expect(await fixture.rows('leads')).toEqual([]);
  });

  it('is rejected with a key for another scope, including wildcard scopes', async () => {
    const { fixture, post, body } = await openCallbackFixture();
    const channels = await openMcpEndpoints(fixture.context);
    const toolResult = await channels.call('/api/mcp', 'submit_action', body());
    expect([toolResult.isError, toolResult.value['code']]).toEqual([true, 'insufficient_scope']);
    const { key } = await createKey(
      { name: 'Other', scopes: ['*'], expiresAt: null },
      fixture.context,
    );
    const response = await post({}, key);
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'insufficient_scope' }),
    ]);
  });

  it.each([
    'example.org/hook',
    'ftp://example.org/',
    'https://user:password@example.org/',
    'https://example.org/#x',
    `https://example.org/${'x'.repeat(2_000)}`,
    7,
    undefined,
  ])('is rejected with the URL %s', async (url) => {
    const { post } = await openCallbackFixture();
    const response = await post({ callback: { url } });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/callback/url' })] }),
    ]);
  });
});

it('the operator creates the key and sees its callback secret once', async () => {
  const fixture = await openFixture(site);
  const settings = { DATABASE_URL: fixture.url, REGISTRY_DIR: 'registry' };
  const created = await runCommand(
    'keys',
    ['create', '--scope', '*.help', '--scope', 'callbacks', 'Agent'],
    settings,
  );
  const [, secret] = /^Callback secret, also not shown again: (whsec_\S+)$/m.exec(created.stdout)!;
  expect(() => new Webhook(secret!)).not.toThrow();
  for (const command of [['list'], ['--json', 'list'], ['show', created.stdout.slice(3, 13)]])
    expect((await runCommand('keys', command, settings)).stdout).not.toContain(secret);
});
