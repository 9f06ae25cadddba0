import { TaskState } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exampleValuesOf } from '../../../src/fields/fields.ts';
import { readBuiltSite } from '../../../src/server/built-site.ts';
import { serveWithDatabase } from '../../channels/setup/serve-with-database.ts';
import { listActions } from '../../operations/setup/actions.ts';
import { bindings, message, receiptOf, taskOf } from '../setup/endpoint.ts';

describe.each(['mainBuild', 'fourBuild'] as const)('the live A2A endpoint of %s', (network) => {
  const site = readBuiltSite(inject(network));
  const [{ subsite, action }] = listActions(site) as [ReturnType<typeof listActions>[number]];
  const data = {
    subsite: subsite.name,
    action: action.verb,
    fields: exampleValuesOf(action.fields),
    contact: { email: 'dana@example.com' },
    idempotencyKey: 'a-key-of-the-served-test',
  };
  let served: Awaited<ReturnType<typeof serveWithDatabase>>;
  let running: Awaited<ReturnType<typeof served.start>>;

  beforeAll(async () => {
    served = await serveWithDatabase(inject(network));
    running = await served.start();
  });
  afterAll(async () => {
    await running.stop();
    served.remove();
  });

  /** The agent card has the deployed URL, so requests are redirected to the test server. */
  const fetchFromTestServer: typeof fetch = (input, init) =>
    fetch(String(input).replace(site.base, running.origin), init);
  const createBatchClient = (binding: (typeof bindings)[number]) => {
    const transport =
      binding === 'JSONRPC'
        ? new JsonRpcTransportFactory({ fetchImpl: fetchFromTestServer })
        : new RestTransportFactory({ fetchImpl: fetchFromTestServer });
    return new ClientFactory({
      transports: [transport],
      preferredTransports: [binding],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetchFromTestServer }),
    }).createFromUrl(site.base);
  };

  it.each(bindings)(
    'can be discovered by the official client from the site URL over %s, and its tasks survive a restart',
    async (binding) => {
      const client = await createBatchClient(binding);
      const task = taskOf(await client.sendMessage(message({ data })));
      expect(task.status?.state).toBe(TaskState.TASK_STATE_WORKING);
      const { statusUrl } = receiptOf(task);
      expect((await fetchFromTestServer(statusUrl)).status).toBe(200);
      await running.stop();
      running = await served.start();
      const sameTask = await (
        await createBatchClient(binding)
      ).getTask({ tenant: '', id: task.id, historyLength: undefined });
      expect(sameTask).toEqual(task);
    },
  );

  it.each([
    ['/a2a/v1', 200],
    ['/a2a/v1/', 200],
    ['/a2a/v1/message:send', 200],
    ['/a2a/v1/message%3Asend', 200],
    ['/a2a/v1/message:send/', 200],
    ['/a2a/v1/nothing', 404],
  ])('responds to a POST to %s with status %i and JSON', async (path, status) => {
    const { message: sent } = {
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: subsite.title }] },
    };
    const rpc = /v1\/?$/.test(path);
    const response = await fetch(`${running.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        rpc
          ? { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: sent } }
          : { message: sent },
      ),
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/(?:a2a\+)?json/);
    const body = (await response.json()) as any;
    if (status === 200) expect((rpc ? body.result : body).message.role).toBe('ROLE_AGENT');
    else expect(body.error.code).toBe(status);
  });
});
