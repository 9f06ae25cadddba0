import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createBindingClient, createEndpoint, message, taskOf } from '../a2a/setup/endpoint.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client } from '../transports/setup/send.ts';
import { createLeadInState, site } from './leads-in-states.ts';

const MESSAGES_PATH = '/api/lead/{receipt}/messages';

describe('a request that was withdrawn', async () => {
  const fixture = await openFixture(site);
  const { json: post, form } = client(fixture);
  const mcp = await openMcpEndpoints(fixture.context);

  const readRows = async () => Promise.all((['lead_history', 'outbox'] as const).map(fixture.rows));

  const createWithdrawnLead = async (text?: string) => {
    const { lead } = await createLeadInState(fixture, 'new');
    const params = { receipt: lead };
    const response = await post(MESSAGES_PATH, { withdraw: true, text }, { params });
    expect(response.status).toBe(200);
    return { lead, params, status: await response.json(), rows: await readRows() };
  };

  it('can be withdrawn again over HTTP, which returns its status and writes nothing', async () => {
    const text = `Plans changed, see ${site.base}/receipt/abc`;
    const { params, status, rows } = await createWithdrawnLead(text);
    for (const body of [{ withdraw: true }, { withdraw: true, text }]) {
      const headers = { 'idempotency-key': randomUUID() };
      for (const more of [{}, { headers }]) {
        const response = await post(MESSAGES_PATH, body, { params, ...more });
        expect([response.status, await response.json()]).toEqual([200, status]);
      }
    }
    expect(await readRows()).toEqual(rows);
  });

  it('can be withdrawn again by form', async () => {
    const { lead, rows } = await createWithdrawnLead();
    const response = await form(`/receipt/${lead}`, { withdraw: 'true' });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringContaining(`/receipt/${lead}`),
    ]);
    expect(await readRows()).toEqual(rows);
  });

  it('can be withdrawn again over MCP, also in the sandbox', async () => {
    const { lead, status, rows } = await createWithdrawnLead();
    const withdraw = (receiptToken: string) =>
      mcp.call('/api/mcp', 'reply_to_request', { receiptToken, withdraw: true });
    const { isError, value } = await withdraw(lead);
    expect([isError, value]).toEqual([undefined, status]);
    expect((await withdraw('sandbox-withdrawn')).value['status']).toBe('withdrawn');
    expect(await readRows()).toEqual(rows);
  });

  it('can be withdrawn again by A2A message', async () => {
    const endpoint = createEndpoint(fixture.context);
    const a2a = await createBindingClient(fixture.context, 'JSONRPC', endpoint);
    const [subsite] = site.registry.subsites;
    const data = { email: 'dana@example.com', source: subsite!.leadSource };
    const { id: taskId } = taskOf(await a2a.sendMessage(message({ data })));
    const withdraw = async () =>
      taskOf(await a2a.sendMessage(message({ data: { withdraw: true } }, { taskId })));
    const first = await withdraw();
    const rows = await readRows();
    expect((await withdraw()).status).toEqual(first.status);
    expect(await readRows()).toEqual(rows);
  });

  it('still rejects a withdrawal with different text, which would be lost', async () => {
    const { params, rows } = await createWithdrawnLead('Plans changed.');
    const body = { withdraw: true, text: 'I moved away.' };
    expect((await post(MESSAGES_PATH, body, { params })).status).toBe(409);
    expect(await readRows()).toEqual(rows);
  });
});

it('an MCP client erases a request with reply_to_request', async () => {
  const fixture = await openFixture(site);
  const mcp = await openMcpEndpoints(fixture.context);
  const { lead: receiptToken } = await createLeadInState(fixture, 'withdrawn');
  const reply = (args: object) => mcp.call('/api/mcp', 'reply_to_request', args);
  const pointersOf = ({ value }: Awaited<ReturnType<typeof reply>>) =>
    value['errors'].map(({ pointer }: { pointer: string }) => pointer);
  expect(pointersOf(await reply({ receiptToken, erase: true, text: 'Bye' }))).toEqual(['/text']);
  expect(pointersOf(await reply({ receiptToken, erase: false }))).toContain('/erase');
  expect(pointersOf(await reply({ erase: true }))).toEqual(['/receiptToken']);
  expect((await reply({ receiptToken })).value['errors']).toEqual([
    expect.objectContaining({
      message: expect.stringContaining('send erase (true)'),
      allowed: expect.arrayContaining(['text', 'erase']),
    }),
  ]);
  expect((await reply({ receiptToken, message: 'Hi' })).value['errors']).toContainEqual(
    expect.objectContaining({ message: 'This name is unknown. Did you mean text?' }),
  );
  const { value } = await reply({ receiptToken, erase: true, idempotencyKey: randomUUID() });
  expect(value).toEqual({ receiptToken, status: 'erased' });
  expect((await mcp.call('/api/mcp', 'get_lead_status', { receiptToken })).value['code']).toBe(
    'gone',
  );
});
