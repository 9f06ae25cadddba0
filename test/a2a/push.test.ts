import {
  A2A_CONTENT_TYPE,
  ListTaskPushNotificationConfigsResponse,
  type Message,
  StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createPushChannel } from '../../src/a2a/push-channel.ts';
import { eraseOldResults } from '../../src/capabilities/advance-tasks.ts';
import { createKey, revokeKey } from '../../src/keys/keys.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { createLeadInState, makeOffer, site } from '../conversation/leads-in-states.ts';
import { startHttpReceiver, type ReceivedRequest } from '../deliveries/setup/receivers.ts';
import { drain } from '../deliveries/setup/drain.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import {
  type Binding,
  bindings,
  createBindingClient,
  dataIn,
  createEndpoint,
  withKey,
  message,
  receiptOf,
  taskOf,
} from './setup/endpoint.ts';

const [subsite] = site.registry.subsites;
const leadData = { email: 'dana@example.com', source: subsite!.leadSource };
const TOKEN = 'token-of-the-client';

/**
 * A fixture, an A2A client with a key that has the callbacks scope, and a receiver for the
 * notifications.
 */
async function openPushFixture(binding: Binding, { allowPrivate = true, timeoutMs = 2_000 } = {}) {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const receiver = await startHttpReceiver();
  // Receivers check signatures against the real clock.
  const channel = createPushChannel({ allowPrivate, timeoutMs, now: () => new Date() });
  const createAgentKey = (scopes = ['callbacks']) =>
    createKey({ name: 'Agent', scopes, expiresAt: null }, context);
  const { key, id: keyId, callbackSecret: secret } = await createAgentKey();
  const endpoint = createEndpoint(context);
  const createClientWithKey = (secret: string) =>
    createBindingClient(context, binding, withKey(endpoint, secret));
  const client = await createClientWithKey(key);
  const createTask = async (taskPushNotificationConfig?: TaskPushNotificationConfig) =>
    taskOf(
      await client.sendMessage({
        ...message({ data: leadData }),
        ...(taskPushNotificationConfig && {
          configuration: {
            acceptedOutputModes: [],
            taskPushNotificationConfig,
            historyLength: undefined,
            returnImmediately: false,
          },
        }),
      }),
    );
  const config = (taskId = '', more: Partial<TaskPushNotificationConfig> = {}) => ({
    tenant: '',
    id: '',
    taskId,
    url: receiver.url,
    token: '',
    authentication: undefined,
    ...more,
  });
  const askCustomer = (task: Task, text = 'Which floor?') =>
    sendAsProvider(
      { receiptToken: receiptOf(task).receiptToken, action: 'ask', actor: 'provider' },
      { text },
      context,
    );
  const deliverPushes = async () => {
    await drain([channel], context);
    return receiver.requests;
  };
  const readStoredConfigs = () =>
    fixture.database.writer.all<{ task: string }>('select * from a2a_push_configs');
  const listConfigs = async (taskId: string, caller = client) =>
    caller.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 0, pageToken: '' });
  /** Page size that the official HTTP+JSON client requests by default. */
  const pageOf = async (taskId: string, pageSize: number, pageToken = '') => {
    if (binding === 'JSONRPC')
      return client.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize, pageToken });
    const query = new URLSearchParams({ pageSize: String(pageSize), pageToken });
    const path = `/a2a/v1/tasks/${taskId}/pushNotificationConfigs?${query}`;
    const answer: any = await (await withKey(endpoint, key)(site.base + path)).json();
    if (answer.error) throw new Error(answer.error.message);
    return ListTaskPushNotificationConfigsResponse.fromJSON(answer);
  };
  return {
    ...{ fixture, context, receiver, channel, client, keyId, secret: secret!, endpoint },
    ...{
      createClientWithKey,
      createAgentKey,
      createTask,
      config,
      askCustomer,
      deliverPushes,
      readStoredConfigs,
      listOf: listConfigs,
      pageOf,
    },
  };
}

/** The posted status update. */
function parseStatusUpdate({ body }: ReceivedRequest) {
  const { payload } = StreamResponse.fromJSON(JSON.parse(body));
  if (payload?.$case !== 'statusUpdate')
    throw new Error('The notification is not a status update.');
  return payload.value;
}

/** The error from a rejected call. */
const rejectionOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe.each(bindings)('push notifications over %s', (binding) => {
  it('follow a request from another channel by its receipt token', async () => {
    const {
      client,
      config,
      deliverPushes,
      listOf: listConfigs,
      fixture,
      context,
    } = await openPushFixture(binding);
    const { lead } = await createLeadInState(fixture, 'new');
    await client.createTaskPushNotificationConfig(config(lead));
    expect((await listConfigs(lead)).configs.map(({ taskId }) => taskId)).toEqual([lead]);
    await sendAsProvider(
      { receiptToken: lead, action: 'ask', actor: 'provider' },
      { text: 'Which floor?' },
      context,
    );
    const [delivery] = (await deliverPushes()) as [ReceivedRequest];
    expect(parseStatusUpdate(delivery)).toMatchObject({
      taskId: lead,
      status: { state: TaskState.TASK_STATE_INPUT_REQUIRED },
    });
    await eraseLead(lead, 'person', context);
    expect(await fixture.rows('a2a_tasks')).toEqual([]);
  });

  it('are signed, and report each change with the client’s token and credentials', async () => {
    const { client, createTask, config, askCustomer, deliverPushes, secret, fixture } =
      await openPushFixture(binding);
    const authentication = { scheme: 'Bearer', credentials: 'of-the-client' };
    const task = await createTask(config('', { id: 'mine', token: TOKEN, authentication }));
    expect(await deliverPushes()).toEqual([]);
    await askCustomer(task);
    const [delivery] = (await deliverPushes()) as [ReceivedRequest];
    expect(delivery.headers).toMatchObject({
      'content-type': A2A_CONTENT_TYPE,
      'x-a2a-notification-token': TOKEN,
      authorization: 'Bearer of-the-client',
    });
    const [, event] = await fixture.rows('outbox');
    expect(delivery.headers['webhook-id']).toBe(event!['id']);
    new Webhook(secret).verify(delivery.body, delivery.headers as Record<string, string>);
    const { receiptToken, statusUrl } = receiptOf(task);
    const taskWithQuestion = await client.getTask({
      tenant: '',
      id: task.id,
      historyLength: undefined,
    });
    expect(parseStatusUpdate(delivery)).toEqual({
      taskId: task.id,
      contextId: task.contextId,
      status: taskWithQuestion.status,
      metadata: { receiptToken, status: 'needs_info', at: event!['created_at'], statusUrl },
    });
    await client.sendMessage(message({ text: 'The second.' }, { taskId: task.id }));
    await makeOffer(fixture, receiptToken);
    const [, replied, offered] = (await deliverPushes()).map(parseStatusUpdate);
    expect(replied!.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    expect(dataIn(offered!.status?.message?.parts).offer).toBeDefined();
  });

  it('can be set, read, listed in pages, and deleted only by their own key', async () => {
    const {
      client,
      createClientWithKey,
      createAgentKey,
      createTask,
      config,
      askCustomer,
      deliverPushes,
      listOf: listConfigs,
      pageOf,
      receiver,
    } = await openPushFixture(binding);
    const { id: taskId, ...task } = await createTask();
    const set = await client.createTaskPushNotificationConfig(config(taskId, { token: TOKEN }));
    expect(set).toEqual(config(taskId, { id: set.id, token: TOKEN }));
    // A client that missed the response sends the same request again.
    expect(await client.createTaskPushNotificationConfig(config(taskId, { token: TOKEN }))).toEqual(
      set,
    );
    const other = config(taskId, { id: 'other', url: `${receiver.url}/2` });
    await client.createTaskPushNotificationConfig(other);
    const configReference = { tenant: '', taskId, id: set.id };
    expect(await client.getTaskPushNotificationConfig(configReference)).toEqual(set);
    expect(await listConfigs(taskId)).toEqual({ configs: [set, other], nextPageToken: '' });
    const first = await pageOf(taskId, 1);
    expect(first.configs).toEqual([set]);
    expect(await pageOf(taskId, 1, first.nextPageToken)).toEqual({
      configs: [other],
      nextPageToken: '',
    });
    await expect(pageOf(taskId, 1, 'invented')).rejects.toThrow('pageToken');
    await expect(pageOf(taskId, -1)).rejects.toThrow('pageSize');

    const otherClient = await createClientWithKey((await createAgentKey()).key);
    expect(await listConfigs(taskId, otherClient)).toEqual({ configs: [], nextPageToken: '' });
    expect(await rejectionOf(otherClient.getTaskPushNotificationConfig(configReference))).toContain(
      'TaskNotFound',
    );
    await otherClient.deleteTaskPushNotificationConfig(configReference);
    for (const _ of ['once', 'again'])
      await client.deleteTaskPushNotificationConfig(configReference);
    expect((await listConfigs(taskId)).configs).toEqual([other]);
    expect(await rejectionOf(client.getTaskPushNotificationConfig(configReference))).toContain(
      'no push notification configuration',
    );
    await askCustomer({ ...task, id: taskId });
    expect(await deliverPushes()).toHaveLength(1);
  });

  it('are limited to ten per task', async () => {
    const { client, createTask, config, readStoredConfigs } = await openPushFixture(binding);
    const { id: taskId } = await createTask();
    const set = (id: string) => client.createTaskPushNotificationConfig(config(taskId, { id }));
    for (let count = 0; count < 10; count++) await set(`config-${count}`);
    expect(await rejectionOf(set('one-more'))).toMatch(/UnsupportedOperation.*already has 10/);
    await set('config-3');
    expect(await readStoredConfigs()).toHaveLength(10);
  });

  it('need a key with the callbacks scope, and a refused request creates no lead', async () => {
    const { createClientWithKey, createAgentKey, createTask, config, fixture, context } =
      await openPushFixture(binding);
    const { id: taskId } = await createTask();
    const anonymousClient = await createBindingClient(context, binding);
    const request = {
      ...message({ data: leadData }),
      configuration: {
        acceptedOutputModes: [],
        taskPushNotificationConfig: config(),
        historyLength: undefined,
        returnImmediately: false,
      },
    };
    for (const [client, reason] of [
      [anonymousClient, /Send a key/],
      [await createClientWithKey((await createAgentKey(['*'])).key), /does not allow callbacks/],
    ] as const) {
      expect(await rejectionOf(client.sendMessage(request))).toMatch(reason);
      expect(await rejectionOf(client.createTaskPushNotificationConfig(config(taskId)))).toMatch(
        reason,
      );
      expect(
        await rejectionOf(client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'x' })),
      ).toMatch(reason);
    }
    expect(await fixture.rows('leads')).toHaveLength(1);
  });

  it('are rejected for an unknown task, an invalid URL, or an invalid header', async () => {
    const { client, createTask, config, readStoredConfigs } = await openPushFixture(binding);
    const { id: taskId } = await createTask();
    const set = (more: Partial<TaskPushNotificationConfig>) =>
      rejectionOf(client.createTaskPushNotificationConfig(config(taskId, more)));
    expect(await set({ taskId: crypto.randomUUID() })).toContain('TaskNotFound');
    for (const [more, member] of [
      [{ url: 'ftp://example.com' }, 'url'],
      [{ url: 'https://user:password@example.com/' }, 'url'],
      [{ token: 'two\r\nlines' }, 'token'],
      [{ id: 'a/b' }, 'id'],
      [{ authentication: { scheme: 'Two words', credentials: 'x' } }, 'authentication.scheme'],
      [{ authentication: { scheme: 'Basic', credentials: 'é' } }, 'authentication.credentials'],
    ] as const)
      expect(await set(more)).toMatch(new RegExp(`${member}: .*(?:Send|Enter)`));
    expect(await readStoredConfigs()).toEqual([]);
  });

  it('are retried with the same ID and body if the receiver hangs, fails, refuses, or redirects', async () => {
    const { createTask, config, askCustomer, deliverPushes, receiver, fixture } =
      await openPushFixture(binding, {
        timeoutMs: 1_000,
      });
    receiver.handlers.push(
      () => undefined,
      (request) => request.socket.destroy(),
      (_, response) => response.writeHead(500).end(),
      (_, response) => response.writeHead(403).end(),
      (_, response) => response.writeHead(302, { location: receiver.url }).end(),
    );
    await askCustomer(await createTask(config()));
    const delivery = await deliverPushes();
    expect(delivery.length).toBeGreaterThanOrEqual(6);
    expect(new Set(delivery.map(({ body }) => body)).size).toBe(1);
    expect(new Set(delivery.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const deliveries = await fixture.database.writer.all<{ outcome: string }>(
      "select outcome from deliveries where channel = 'push'",
    );
    expect(deliveries).toEqual([{ outcome: 'sent' }]);
  });

  it('stop after a 410 response, or when the key, the lead, or the notification setting is gone', async () => {
    const {
      client,
      createTask,
      config,
      askCustomer,
      deliverPushes,
      receiver,
      readStoredConfigs,
      context,
      keyId,
      listOf: listConfigs,
    } = await openPushFixture(binding);
    const [stopped, erased, deleted, revoked] = [
      await createTask(config()),
      await createTask(config()),
      await createTask(config('', { id: 'deleted' })),
      await createTask(config()),
    ];
    receiver.handlers.push((_, response) => response.writeHead(410).end());
    await askCustomer(stopped);
    expect(await deliverPushes()).toHaveLength(1);
    await askCustomer(stopped, 'Which endpoint?');
    expect(await deliverPushes()).toHaveLength(1);
    expect((await listConfigs(stopped.id)).configs).toEqual([]);

    await askCustomer(erased);
    await eraseLead(receiptOf(erased).receiptToken, 'person', context);
    await askCustomer(deleted);
    await client.deleteTaskPushNotificationConfig({
      ...{ tenant: '', taskId: deleted.id, id: 'deleted' },
    });
    await askCustomer(revoked);
    await revokeKey(keyId, context);
    expect(await deliverPushes()).toHaveLength(1);
    expect((await readStoredConfigs()).map(({ task }) => task)).toEqual([revoked.id]);
  });

  it('are removed along with an expired task that created no lead', async () => {
    const { client, createTask, config, readStoredConfigs, fixture } =
      await openPushFixture(binding);
    const { id } = taskOf(await client.sendMessage(message({ data: {} })));
    const created = await createTask(config());
    await client.createTaskPushNotificationConfig(config(id));
    expect(await readStoredConfigs()).toHaveLength(2);
    fixture.advanceHours(24 * 30 + 1);
    await eraseOldResults(fixture.context);
    expect((await readStoredConfigs()).map(({ task }) => task)).toEqual([created.id]);
  });

  it('are sent only to public addresses', async () => {
    const { createTask, config, askCustomer, deliverPushes } = await openPushFixture(binding, {
      allowPrivate: false,
    });
    await askCustomer(await createTask(config()));
    expect(await deliverPushes()).toEqual([]);
  });

  it('include a task that waits for corrected data, starting with its first request', async () => {
    const { client, config, askCustomer, deliverPushes } = await openPushFixture(binding);
    const waiting = taskOf(await client.sendMessage(message({ data: {} })));
    await client.createTaskPushNotificationConfig(config(waiting.id));
    const { id: taskId } = waiting;
    const task = taskOf(
      await client.sendMessage(message({ data: leadData }, { taskId } as Message)),
    );
    expect(task.id).toBe(taskId);
    await askCustomer(task);
    expect((await deliverPushes()).map((delivery) => parseStatusUpdate(delivery).taskId)).toEqual([
      taskId,
    ]);
  });
});

it('push notifications set by version 0.3 methods contain the task in version 0.3 format', async () => {
  const { endpoint, createAgentKey, createTask, receiver, askCustomer, deliverPushes } =
    await openPushFixture('JSONRPC');
  const { key } = await createAgentKey();
  const rpc = async (method: string, params: object): Promise<any> => {
    const response = await withKey(endpoint, key)(`${site.base}/a2a/v1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as any).result;
  };
  const task = await createTask();
  const pushNotificationConfig = {
    id: 'mine',
    url: receiver.url,
    token: TOKEN,
    authentication: { schemes: ['Bearer'], credentials: 'x' },
  };
  const set = { taskId: task.id, pushNotificationConfig };
  const configParams = { id: task.id, pushNotificationConfigId: 'mine' };
  expect(await rpc('tasks/pushNotificationConfig/set', set)).toEqual(set);
  expect(await rpc('tasks/pushNotificationConfig/get', configParams)).toEqual(set);
  expect(await rpc('tasks/pushNotificationConfig/list', { id: task.id })).toEqual([set]);
  await askCustomer(task);
  const [{ body, headers }] = (await deliverPushes()) as [ReceivedRequest];
  expect(JSON.parse(body)).toMatchObject({
    kind: 'task',
    id: task.id,
    status: { state: 'input-required' },
  });
  expect(headers['x-a2a-notification-token']).toBe(TOKEN);
  await rpc('tasks/pushNotificationConfig/delete', configParams);
  expect(await rpc('tasks/pushNotificationConfig/list', { id: task.id })).toEqual([]);
});
