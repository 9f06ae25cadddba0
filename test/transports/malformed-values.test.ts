import { describe, expect, it } from 'vitest';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { listOperations } from '../../src/http/operations.ts';
import { createKey } from '../../src/keys/keys.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listSubmissions } from '../mcp/setup/examples.ts';
import { endpoints, openMcpEndpoints } from './setup/mcp.ts';
import { client } from './setup/send.ts';
import { createEndpoint } from '../a2a/setup/endpoint.ts';
import { generateMutatedBodies, malformedValues } from './setup/malformed-values.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const fixture = await openFixture(site);
const { key: getCallbackKey } = await createKey(
  { name: 'Follower', scopes: ['callbacks'], expiresAt: null },
  fixture.context,
);

/** Text that only a server bug can produce. */
const DEFECT_PATTERN =
  /TypeError|RangeError|is not a function|Cannot read|is not iterable|node_modules/;

/** One capability per adapter with a valid input. */
const runBodies = [
  ...new Map(
    [...capabilityCatalogOf(site).values()].map((capability) => [capability.adapter, capability]),
  ).values(),
].map(({ id, inputSchema }) => ({
  capability: id,
  input: (inputSchema['examples'] as [object])[0],
}));

/** Valid request bodies of an operation. */
function listExampleBodies({
  name,
  describe: about,
}: ReturnType<typeof listOperations>[number]): unknown[] {
  if (name === 'run-capability' || name === 'request-quote') return runBodies;
  return Object.values(about(site).requestExamples ?? {}).map(({ value }) => value);
}

const OPTIONAL_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'create-share-link': ['meta'],
  'run-capability': ['quoteId', 'maxAmount', 'idempotencyKey'],
};
const LEAD_MEMBERS = ['contact', 'source', 'data', 'name', 'sandbox', 'notify', 'callback'];

/**
 * The code that checks a member of an action’s body: all actions share the members outside of `fields`, and
 * actions without effects share the fields of the same kind.
 */
function checkOf(pointer: string, body: unknown): string {
  const [, name] = /^\/fields\/([^/]+)/.exec(pointer) ?? [];
  if (name === undefined) return pointer;
  const { subsite, action: verb } = body as { subsite: string; action: string };
  const { action } = listActions(site).find(
    (one) => one.subsite.name === subsite && one.action.verb === verb,
  )!;
  const { type, content, item, required } = action.fields[name]!;
  return [type, content?.kind, item, required, action.effect && `${verb} ${name}`].join();
}

describe('any JSON value for any member', async () => {
  const { key } = await createKey(
    { name: 'Agent', scopes: ['*'], expiresAt: null },
    fixture.context,
  );
  const { json } = client(fixture);

  const operationsWithBody = listOperations(site).filter(
    ({ method, hasNoBody }) => method === 'POST' && !hasNoBody,
  );
  it.each(operationsWithBody.map((operation) => [operation.path, operation] as const))(
    'of a %s body is accepted or rejected, and never causes an internal error',
    async (path, operation) => {
      const answers = new Set<number>();
      /** The first body with a member that each check covers. */
      const firstBodies = new Map<string, number>();
      for (const [index, body] of listExampleBodies(operation).entries())
        for (const malformedValue of malformedValues)
          for (const { pointer, body: sent } of generateMutatedBodies(
            body,
            malformedValue,
            OPTIONAL_MEMBERS[operation.name] ?? LEAD_MEMBERS,
          )) {
            if (operation.name === 'submit-action') {
              const check = checkOf(pointer, body);
              firstBodies.set(check, firstBodies.get(check) ?? index);
              if (firstBodies.get(check) !== index) continue;
            }
            const response = await json(path, sent, {
              headers: { authorization: `Bearer ${key}` },
            });
            const text = await response.text();
            expect(
              [
                pointer,
                JSON.stringify(malformedValue),
                response.status < 500,
                DEFECT_PATTERN.test(text),
              ],
              text,
            ).toEqual([pointer, JSON.stringify(malformedValue), true, false]);
            answers.add(response.status);
          }
      expect([...answers]).toEqual(expect.arrayContaining([200, 400]));
      expect(fixture.logged).toEqual([]);
    },
  );

  it.each(endpoints)(
    'in the arguments of a tool at %s is accepted or rejected, and never causes an internal error',
    async (path) => {
      const channels = await openMcpEndpoints(fixture.context);
      const examples = await channels.examplesOf(path);
      for (const { name, inputSchema } of await channels.tools(path)) {
        // The inputs of the other capabilities are tested above, with the JSON endpoints.
        const bodies = [/_quote$|^run_/.test(name) ? runBodies[0] : examples[name]];
        for (const body of bodies)
          for (const malformedValue of malformedValues)
            for (const { pointer, body: args } of generateMutatedBodies(
              body,
              malformedValue,
              Object.keys(inputSchema.properties),
            )) {
              const { status, result, error } = await channels.ask(path, 'tools/call', {
                name,
                arguments: args,
              });
              const text = JSON.stringify(result ?? error);
              expect(
                [
                  name,
                  pointer,
                  JSON.stringify(malformedValue),
                  status < 500,
                  DEFECT_PATTERN.test(text),
                ],
                text,
              ).toEqual([name, pointer, JSON.stringify(malformedValue), true, false]);
              expect([name, pointer, malformedValue, text.includes('problems/internal')]).toEqual([
                name,
                pointer,
                malformedValue,
                false,
              ]);
              expect(error?.code ?? 0).not.toBe(-32603);
            }
      }
      expect(fixture.logged).toEqual([]);
    },
  );

  const leadData = listSubmissions(site)[0]!.arguments;
  const createMessage = (data: unknown) => ({
    messageId: 'm',
    contextId: 'c',
    taskId: '',
    role: 'user',
    kind: 'message',
    parts: [
      { kind: 'data', data, metadata: {}, filename: 'f', mediaType: 'application/json' },
      { kind: 'text', text: 'Please.' },
    ],
    metadata: {},
    extensions: ['x'],
    referenceTaskIds: ['y'],
  });
  const pushConfig = {
    tenant: '',
    id: 'mine',
    taskId: 'nobody',
    url: 'https://example.com/hook',
    token: 't',
    authentication: { scheme: 'Bearer', credentials: 'c' },
  };
  const legacyPush = { ...pushConfig, authentication: { schemes: ['Bearer'], credentials: 'c' } };
  const configuration = {
    acceptedOutputModes: ['text/plain'],
    historyLength: 3,
    returnImmediately: true,
    blocking: true,
    taskPushNotificationConfig: pushConfig,
    pushNotificationConfig: legacyPush,
  };
  const sendParams = {
    tenant: '',
    message: createMessage({ ...leadData, sandbox: true }),
    configuration,
    metadata: {},
  };
  const taskQuery = { id: 'nobody', tenant: '', historyLength: 1, metadata: {} };
  const listing = { contextId: 'c', status: 'x', pageSize: 1, pageToken: 'p', historyLength: 1 };
  const pushParams = { tenant: '', taskId: 'nobody', id: 'mine', pageSize: 1, pageToken: '' };
  const legacyPushParams = { id: 'nobody', pushNotificationConfigId: 'mine', metadata: {} };
  const methods: readonly [string, object][] = [
    ['SendMessage', sendParams],
    ['message/send', sendParams],
    ['GetTask', taskQuery],
    ['tasks/get', taskQuery],
    ['CancelTask', taskQuery],
    ['tasks/cancel', taskQuery],
    ['ListTasks', listing],
    ['CreateTaskPushNotificationConfig', pushConfig],
    ['GetTaskPushNotificationConfig', pushParams],
    ['ListTaskPushNotificationConfigs', pushParams],
    ['DeleteTaskPushNotificationConfig', pushParams],
    [
      'tasks/pushNotificationConfig/set',
      { taskId: 'nobody', pushNotificationConfig: legacyPush, metadata: {} },
    ],
    ['tasks/pushNotificationConfig/get', legacyPushParams],
    ['tasks/pushNotificationConfig/list', legacyPushParams],
    ['tasks/pushNotificationConfig/delete', legacyPushParams],
  ];

  it.each(methods)(
    'in the params of A2A %s is accepted or rejected, and never causes an internal error',
    async (method, params) => {
      const channel = createEndpoint(fixture.context);
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${getCallbackKey}`,
      };
      const post = (path: string, value: unknown) =>
        channel(`${site.base}/a2a/v1${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(value),
        });
      const paths: Record<string, string> = {
        SendMessage: '/message:send',
        CancelTask: '/tasks/nobody:cancel',
        CreateTaskPushNotificationConfig: '/tasks/nobody/pushNotificationConfigs',
      };
      for (const malformedValue of malformedValues)
        for (const { pointer, body } of generateMutatedBodies(params, malformedValue)) {
          const place = [pointer, JSON.stringify(malformedValue)];
          const response = await post('', { jsonrpc: '2.0', id: 1, method, params: body });
          const text = await response.text();
          const { error } = JSON.parse(text) as { error?: { code: number } };
          expect(
            [...place, response.status, error?.code === -32603, DEFECT_PATTERN.test(text)],
            text,
          ).toEqual([...place, 200, false, false]);
          if (!paths[method]) continue;
          const restResponse = await post(paths[method], body);
          const answer = await restResponse.text();
          expect(
            [...place, restResponse.status < 500, DEFECT_PATTERN.test(answer)],
            answer,
          ).toEqual([...place, true, false]);
        }
      expect(fixture.logged).toEqual([]);
    },
  );
});
