import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import { hasPrivateHost } from '../../src/outbound/public-address.ts';
import {
  bindings,
  createBindingClient,
  createEndpoint,
  withKey,
  message,
  taskOf,
} from '../a2a/setup/endpoint.ts';
import { site } from '../conversation/leads-in-states.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client } from '../transports/setup/send.ts';

const PRIVATE_URLS = [
  'http://127.0.0.1:9/hook',
  'http://10.1.2.3/',
  'http://[::1]/',
  'http://[::ffff:192.168.0.1]/',
  'https://localhost/hook',
  'https://hook.localhost./',
  'http://printer.local/',
  'http://metadata.google.internal/',
];
const source = site.registry.subsites[0]!.leadSource;

/** A fixture that calls only public addresses, and a key that permits callbacks. */
async function openPublicOnlyFixture() {
  const fixture = await openFixture(site);
  const context = { ...fixture.context, refusesPrivateTargets: true };
  const { key } = await createKey(
    { name: 'Agent', scopes: ['callbacks'], expiresAt: null },
    context,
  );
  const bearer = { headers: { authorization: `Bearer ${key}` } };
  const body = (url: string) => ({ email: 'dana@example.com', source, callback: { url } });
  return { fixture, context, key, bearer, body };
}

it.each(PRIVATE_URLS)('%s is recognized as a private host or address', (url) => {
  expect(hasPrivateHost(url)).toBe(true);
});

describe('a private address', () => {
  it('is rejected as the callback of a request over JSON, MCP, and A2A, and no lead is created', async () => {
    const { fixture, context, bearer, body, key } = await openPublicOnlyFixture();
    const { json } = client({ ...fixture, context });
    const { call } = await openMcpEndpoints(context);
    const a2a = await createBindingClient(
      context,
      'JSONRPC',
      withKey(createEndpoint(context), key),
    );
    const fault = expect.objectContaining({ pointer: '/callback/url' });
    for (const url of PRIVATE_URLS) {
      const answer = await json('/api/email-capture', body(url), bearer);
      expect([url, answer.status, await answer.json()]).toEqual([
        url,
        400,
        expect.objectContaining({ errors: [fault] }),
      ]);
      const { value } = await call('/api/mcp', 'capture_lead', body(url));
      expect([url, value['errors']]).toEqual([url, [fault]]);
      const task = taskOf(await a2a.sendMessage(message({ data: body(url) })));
      expect([url, JSON.stringify(task.status)]).toEqual([
        url,
        expect.stringContaining('/callback/url'),
      ]);
    }
    expect(await fixture.rows('leads')).toEqual([]);
    const response = await json('/api/email-capture', body('https://example.org/hook'), bearer);
    expect(response.status).toBe(200);
  });

  it.each(bindings)('is rejected as a task’s push notification URL over %s', async (binding) => {
    const { fixture, context, key } = await openPublicOnlyFixture();
    const a2a = await createBindingClient(context, binding, withKey(createEndpoint(context), key));
    const createConfig = (url: string, taskId = '') => ({
      ...{ tenant: '', id: '', taskId, url, token: '', authentication: undefined },
    });
    const request = message({ data: { email: 'dana@example.com', source } });
    const [url] = PRIVATE_URLS as [string];
    const requestWithPush = {
      ...request,
      configuration: {
        acceptedOutputModes: [],
        taskPushNotificationConfig: createConfig(url),
        historyLength: undefined,
        returnImmediately: false,
      },
    };
    await expect(a2a.sendMessage(requestWithPush)).rejects.toThrow('public internet');
    expect(await fixture.rows('leads')).toEqual([]);
    const { id } = taskOf(await a2a.sendMessage(request));
    await expect(a2a.createTaskPushNotificationConfig(createConfig(url, id))).rejects.toThrow(
      'public internet',
    );
    const createdConfig = await a2a.createTaskPushNotificationConfig(
      createConfig('https://example.org/hook', id),
    );
    expect(createdConfig.url).toBe('https://example.org/hook');
  });
});
