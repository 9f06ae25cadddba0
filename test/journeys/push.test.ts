import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Message, StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, inject, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import {
  type Binding,
  bindings,
  withKey,
  message,
  receiptOf,
  taskOf,
} from '../a2a/setup/endpoint.ts';
import { startHttpReceiver } from '../deliveries/setup/receivers.ts';
import { listActions } from '../operations/setup/actions.ts';
import { runCommand } from '../setup/command.ts';
import { createBuildSettings, startServer } from '../setup/started-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-push-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const site = readBuiltSite(inject('fourBuild'));
const { subsite, action } = listActions(site).find(({ action: { effect } }) => !effect)!;
const NOTIFICATION_TOKEN = 'only-the-agent-knows-this';

/** Official A2A client that knows the URL of the service and has a key. */
function createAgentClient(origin: string, binding: Binding, key: string): Promise<Client> {
  /** The agent card has the deployed URL, so requests are redirected to the test server. */
  const fetchFromTestServer: typeof fetch = (input, init) =>
    fetch(String(input).replace(site.base, origin), init);
  const fetchImpl = withKey(fetchFromTestServer, key);
  const transport = binding === 'JSONRPC' ? JsonRpcTransportFactory : RestTransportFactory;
  return new ClientFactory({
    transports: [new transport({ fetchImpl })],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  }).createFromUrl(site.base);
}

it.each(bindings)(
  'an agent over %s that is offline is notified of each change once, even if the service is killed in between',
  async (binding) => {
    const receiver = await startHttpReceiver();
    const settings = {
      ...createBuildSettings(inject('fourBuild'), 'test/fixtures/network-of-four'),
      DATABASE_URL: `file:${join(folder, `${binding.replace(/\W/g, '')}.db`)}`,
      ALLOW_PRIVATE_TARGETS: '1',
    };
    const firstServer = startServer(settings);
    const origin = await firstServer.origin();
    const created = await runCommand('keys', ['create', 'Agent', '--scope', 'callbacks'], settings);
    const [key] = /fk_\S+/.exec(created.stdout)!;
    const [secret] = /whsec_\S+/.exec(created.stdout)!;
    const answerAsProvider = async (action: string, lead: string, ...args: string[]) =>
      expect(await runCommand('leads', [action, lead, ...args], settings)).toMatchObject({
        code: 0,
      });

    const agent = await createAgentClient(origin, binding, key);
    expect((await agent.getAgentCard()).capabilities?.pushNotifications).toBe(true);
    const data = {
      subsite: subsite.name,
      action: action.verb,
      fields: exampleValuesOf(action.fields),
      contact: { name: 'Dana Reyes', email: 'dana@example.com' },
    };
    const task = taskOf(
      await agent.sendMessage({
        ...message({ data }),
        configuration: {
          acceptedOutputModes: [],
          historyLength: undefined,
          returnImmediately: false,
          taskPushNotificationConfig: {
            ...{ tenant: '', id: '', taskId: '', url: receiver.url, token: NOTIFICATION_TOKEN },
            authentication: undefined,
          },
        },
      }),
    );
    const { receiptToken } = receiptOf(task);

    /** Indexes of the requests that the receiver rejected. */
    const rejectedRequests = new Set<number>();
    /** Delivered states, one per webhook ID. Verifies the signature of every delivery. */
    const readDeliveredStates = () => {
      const byId = new Map<string, TaskState | undefined>();
      for (const [index, { headers, body }] of receiver.requests.entries()) {
        new Webhook(secret).verify(body, headers as Record<string, string>);
        expect(headers['x-a2a-notification-token']).toBe(NOTIFICATION_TOKEN);
        const { payload } = StreamResponse.fromJSON(JSON.parse(body));
        const update = payload?.$case === 'statusUpdate' ? payload.value : undefined;
        expect(update?.taskId).toBe(task.id);
        if (!rejectedRequests.has(index))
          byId.set(String(headers['webhook-id']), update?.status?.state);
      }
      return [...byId.values()];
    };
    const { TASK_STATE_INPUT_REQUIRED: INPUT_REQUIRED, TASK_STATE_WORKING: WORKING } = TaskState;
    await answerAsProvider('ask', receiptToken, '--text', 'Which floor?');
    await expect.poll(readDeliveredStates).toEqual([INPUT_REQUIRED]);

    // The receiver fails, and the service is killed before its retry.
    receiver.handlers.push((_, response) => response.writeHead(503).end());
    rejectedRequests.add(1);
    const reply = message({ text: 'The second.' }, { taskId: task.id } as Message);
    await agent.sendMessage(reply);
    await expect.poll(() => receiver.requests.length).toBe(2);
    await firstServer.end('SIGKILL');
    await answerAsProvider('confirm', receiptToken, '--text', 'Tuesday at 9.');
    const secondServer = startServer(settings);
    const reconnectedAgent = await createAgentClient(await secondServer.origin(), binding, key);
    await expect
      .poll(() => readDeliveredStates().toSorted(), { timeout: 90_000 })
      .toEqual([INPUT_REQUIRED, WORKING, TaskState.TASK_STATE_COMPLETED].toSorted());
    const ended: Task = await reconnectedAgent.getTask({
      ...{ tenant: '', id: task.id },
      historyLength: 0,
    });
    expect(ended.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(await secondServer.end('SIGTERM')).toBe(0);
  },
  180_000,
);
