import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { createEndpoint } from './setup/endpoint.ts';
import { createPropertyParameters } from '../setup/seeds.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const fixture = await openFixture(site);
const endpoint = createEndpoint(fixture.context);
const { key } = await createKey(
  { name: 'Follower', scopes: ['callbacks'], expiresAt: null },
  fixture.context,
);
const [{ subsite, action }] = listActions(site) as [ReturnType<typeof listActions>[number]];

const anyJson = fc.jsonValue({ maxDepth: 4 });
const mixInAnyJson = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 4, arbitrary: value as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: anyJson as fc.Arbitrary<unknown> },
  );
const data = fc.record(
  {
    subsite: mixInAnyJson(fc.constant(subsite.name)),
    action: mixInAnyJson(fc.constant(action.verb)),
    fields: mixInAnyJson(
      fc.dictionary(fc.constantFrom(...Object.keys(action.fields), 'more'), anyJson),
    ),
    contact: anyJson,
    idempotencyKey: anyJson,
    sandbox: anyJson,
  },
  { requiredKeys: [] },
);
const part = fc.record(
  {
    text: anyJson,
    data: mixInAnyJson(data),
    url: anyJson,
    raw: anyJson,
    kind: fc.constantFrom('text', 'data', 'file'),
    file: anyJson,
    metadata: anyJson,
    mediaType: anyJson,
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    messageId: mixInAnyJson(fc.uuid()),
    role: mixInAnyJson(fc.constantFrom('ROLE_USER', 'user', 1)),
    parts: mixInAnyJson(fc.array(mixInAnyJson(part), { maxLength: 3 })),
    contextId: anyJson,
    taskId: anyJson,
    metadata: anyJson,
    extensions: anyJson,
    referenceTaskIds: anyJson,
    kind: fc.constant('message'),
  },
  { requiredKeys: ['messageId', 'parts'] },
);
const push = fc.record(
  { id: anyJson, url: anyJson, token: anyJson, authentication: anyJson },
  { requiredKeys: [] },
);
const params = fc.record(
  {
    message: mixInAnyJson(message),
    id: mixInAnyJson(fc.uuid()),
    taskId: mixInAnyJson(fc.uuid()),
    pushNotificationConfig: mixInAnyJson(push),
    pushNotificationConfigId: anyJson,
    configuration: mixInAnyJson(
      fc.record(
        {
          historyLength: anyJson,
          returnImmediately: anyJson,
          blocking: anyJson,
          acceptedOutputModes: anyJson,
          taskPushNotificationConfig: mixInAnyJson(push),
          pushNotificationConfig: mixInAnyJson(push),
        },
        { requiredKeys: [] },
      ),
    ),
    metadata: anyJson,
    tenant: anyJson,
    pageSize: anyJson,
    pageToken: anyJson,
    status: anyJson,
  },
  { requiredKeys: [] },
);
const method = fc.constantFrom(
  'SendMessage',
  'message/send',
  'GetTask',
  'SubscribeToTask',
  'tasks/resubscribe',
  'tasks/get',
  'ListTasks',
  'CancelTask',
  'tasks/cancel',
  'GetExtendedAgentCard',
  'agent/getAuthenticatedExtendedCard',
  'CreateTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/set',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'tasks/pushNotificationConfig/delete',
  'SendStreamingMessage',
  'message/stream',
);
const rpc = fc.record(
  {
    jsonrpc: mixInAnyJson(fc.constant('2.0')),
    id: anyJson,
    method: mixInAnyJson(method),
    params: mixInAnyJson(params),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);

const post = (path: string, body: unknown) =>
  endpoint(`https://network.example/a2a/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
/** The body of a response, or the first event if it is a stream. */
async function readFirstEvent(response: Response): Promise<unknown> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.json();
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return JSON.parse(new TextDecoder().decode(value).replace(/^data: /, ''));
}
/** Inputs that failed in the past. */
const counterexamples: { method: string; params: unknown }[] = [
  'message/send',
  'SendMessage',
].flatMap((name) =>
  [{ taskId: {} }, { contextId: [] }, { messageId: 7 }, { parts: {} }].map((invalidMember) => ({
    method: name,
    params: { message: { messageId: 'm', parts: [{ kind: 'data', data: {} }], ...invalidMember } },
  })),
);

/** Text that only a server bug can produce. */
const DEFECT_PATTERN =
  /TypeError|is not a function|Cannot read|undefined|is not iterable|node_modules/;

it('answers any JSON-RPC message with a result or a protocol error, never with an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(mixInAnyJson(rpc), async (sent) => {
      const response = await post('', sent);
      expect(response.status).toBe(200);
      const answer = (await readFirstEvent(response)) as {
        error?: { code: number; message: string };
      };
      expect(
        Object.keys(answer).filter((member) => member === 'result' || member === 'error'),
      ).toHaveLength(1);
      expect(answer.error?.code ?? 0).not.toBe(-32603);
      expect(answer.error?.message ?? '').not.toMatch(DEFECT_PATTERN);
    }),
    createPropertyParameters(400, {
      examples: counterexamples.map((request): [unknown] => [
        { jsonrpc: '2.0', id: 1, ...request },
      ]),
    }),
  );
  expect(fixture.logged).toEqual([]);
});

it('answers any HTTP+JSON message with 200 or a client error, never with an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(mixInAnyJson(params), async (sent) => {
      const response = await post('/message:send', sent);
      expect([200, 400, 404]).toContain(response.status);
      expect(await response.text()).not.toMatch(DEFECT_PATTERN);
    }),
    createPropertyParameters(400, {
      examples: counterexamples.map(({ params }): [unknown] => [params]),
    }),
  );
  expect(fixture.logged).toEqual([]);
});
