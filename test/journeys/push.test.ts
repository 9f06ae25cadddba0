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
import { exampleValues } from '../../src/fields/fields.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import {
  type Binding,
  bindings,
  keyed,
  message,
  receiptOf,
  taskOf,
} from '../a2a/setup/endpoint.ts';
import { httpReceiver } from '../deliveries/setup/receivers.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { runCommand } from '../setup/command.ts';
import { builtWith, startServer } from '../setup/started-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-push-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const site = readBuiltSite(inject('fourBuild'));
const { subsite, action } = verbsOf(site).find(({ action: { effect } }) => !effect)!;
const TOKEN = 'only-the-agent-knows-this';

/** The official client, which knows the address of the service and a key. */
function agentAt(origin: string, binding: Binding, key: string): Promise<Client> {
  /** The card names the address of the deployment, and the test listens elsewhere. */
  const here: typeof fetch = (input, init) => fetch(String(input).replace(site.base, origin), init);
  const fetchImpl = keyed(here, key);
  const transport = binding === 'JSONRPC' ? JsonRpcTransportFactory : RestTransportFactory;
  return new ClientFactory({
    transports: [new transport({ fetchImpl })],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  }).createFromUrl(site.base);
}

it.each(bindings)(
  'an agent over %s goes away and is told of each change once, also when the service is killed between',
  async (binding) => {
    const receiver = await httpReceiver();
    const settings = {
      ...builtWith(inject('fourBuild'), 'test/fixtures/network-of-four'),
      DATABASE_URL: `file:${join(folder, `${binding.replace(/\W/g, '')}.db`)}`,
      ALLOW_PRIVATE_TARGETS: '1',
    };
    const first = startServer(settings);
    const origin = await first.origin();
    const made = await runCommand('keys', ['create', 'Agent', '--scope', 'callbacks'], settings);
    const [key] = /fk_\S+/.exec(made.out)!;
    const [secret] = /whsec_\S+/.exec(made.out)!;
    const provide = async (act: string, lead: string, ...args: string[]) =>
      expect(await runCommand('leads', [act, lead, ...args], settings)).toMatchObject({ code: 0 });

    const agent = await agentAt(origin, binding, key);
    expect((await agent.getAgentCard()).capabilities?.pushNotifications).toBe(true);
    const data = {
      subsite: subsite.name,
      action: action.verb,
      fields: exampleValues(action.fields),
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
            ...{ tenant: '', id: '', taskId: '', url: receiver.url, token: TOKEN },
            authentication: undefined,
          },
        },
      }),
    );
    const { receiptToken } = receiptOf(task);

    /** The requests that the receiver refused. */
    const refused = new Set<number>();
    /** The states that arrived, each delivery checked and counted once by its id. */
    const told = () => {
      const byId = new Map<string, TaskState | undefined>();
      for (const [index, { headers, body }] of receiver.taken.entries()) {
        new Webhook(secret).verify(body, headers as Record<string, string>);
        expect(headers['x-a2a-notification-token']).toBe(TOKEN);
        const { payload } = StreamResponse.fromJSON(JSON.parse(body));
        const update = payload?.$case === 'statusUpdate' ? payload.value : undefined;
        expect(update?.taskId).toBe(task.id);
        if (!refused.has(index)) byId.set(String(headers['webhook-id']), update?.status?.state);
      }
      return [...byId.values()];
    };
    const { TASK_STATE_INPUT_REQUIRED: INPUT, TASK_STATE_WORKING: WORKING } = TaskState;
    await provide('ask', receiptToken, '--text', 'Which floor?');
    await expect.poll(told, { timeout: 10_000 }).toEqual([INPUT]);

    // The receiver is out of order, and the service dies over it.
    receiver.behave.push((_, response) => response.writeHead(503).end());
    refused.add(1);
    const reply = message({ text: 'The second.' }, { taskId: task.id } as Message);
    await agent.sendMessage(reply);
    await expect.poll(() => receiver.taken.length, { timeout: 10_000 }).toBe(2);
    await first.end('SIGKILL');
    await provide('confirm', receiptToken, '--text', 'Tuesday at 9.');
    const second = startServer(settings);
    const back = await agentAt(await second.origin(), binding, key);
    await expect
      .poll(() => told().toSorted(), { timeout: 90_000 })
      .toEqual([INPUT, WORKING, TaskState.TASK_STATE_COMPLETED].toSorted());
    const ended: Task = await back.getTask({ ...{ tenant: '', id: task.id }, historyLength: 0 });
    expect(ended.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(await second.end('SIGTERM')).toBe(0);
  },
  180_000,
);
