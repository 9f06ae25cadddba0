import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { listDocuments } from '../../src/artifacts/index.ts';
import { MAX_CAPABILITY_BODY_BYTES } from '../../src/operation/body-limits.ts';
import { toProblem } from '../../src/http/faults.ts';
import { createA2aEndpoint } from '../../src/a2a/endpoint.ts';
import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import { createKey } from '../../src/keys/keys.ts';
import { MAX_BODY_BYTES } from '../../src/http/body.ts';
import { type CheckRateLimit, createRateLimitCheck } from '../../src/http/rate-limit.ts';
import type { Context } from '../../src/operation/context.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { createLeadInState } from '../conversation/leads-in-states.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { endpoints, openMcpEndpoints } from './setup/mcp.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const document = JSON.parse(
  listDocuments(site).find(({ path }) => path === '/api/openapi.json')!.body,
);
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'openapi');

interface Fault {
  body?: string;
  headers?: Record<string, string>;
  checkRateLimit?: CheckRateLimit;
}

const createRpcBody = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method });
const failWith =
  (error: Error): CheckRateLimit =>
  async () =>
    Promise.reject(error);
const exhaustedLimits = createRateLimitCheck({ writes: 1, reads: 1 });

/** Faults that tests can cause at each of these endpoints. */
const createCommonFaults = (method: string, maxBytes: number): Record<string, Fault> => ({
  'a body that is not JSON': { body: '{' },
  'a body that is too large': { body: ' '.repeat(maxBytes + 1) },
  'another media type': { headers: { 'content-type': 'text/plain' } },
  'too many requests': {
    body: createRpcBody(method),
    checkRateLimit: async (...limitArguments) => (
      await exhaustedLimits(...limitArguments),
      exhaustedLimits(...limitArguments)
    ),
  },
  'an internal failure': {
    body: createRpcBody(method),
    checkRateLimit: failWith(new Error('secret')),
  },
  'an unavailable database': {
    body: createRpcBody(method),
    checkRateLimit: failWith(new DatabaseUnavailableError('busy')),
  },
});

const createMcpHeaders = (method: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
});
const mcp: Record<string, Fault> = {
  ...createCommonFaults('tools/list', MAX_CAPABILITY_BODY_BYTES),
  // Clients expect an error about a known request in the response to it.
  ...Object.fromEntries(
    Object.entries(createCommonFaults('tools/list', 0)).flatMap(([name, { checkRateLimit }]) =>
      checkRateLimit ? [[`${name}, without a request`, { body: '7', checkRateLimit }]] : [],
    ),
  ),
  'a batch': { body: `[${createRpcBody('tools/list')}]` },
  'a body that is not a JSON-RPC message': { body: '7' },
  'an unknown revision': {
    body: createRpcBody('tools/list'),
    headers: { 'mcp-protocol-version': '1999-01-01' },
  },
  'headers that contradict the body': {
    body: createRpcBody('tools/list'),
    headers: createMcpHeaders('tools/list'),
  },
  'another host': { body: createRpcBody('tools/list'), headers: { host: 'elsewhere.example' } },
  'an unknown method': {
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'nothing/here',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
    headers: createMcpHeaders('nothing/here'),
  },
};

/** Placeholders that tests replace. */
const KEY_WITHOUT_CALLBACKS = 'Bearer {key}';
const WITHDRAWN_LEAD = '{withdrawn}';
const LEAD_ERASED_DURING_REPLY = '{erased}';

const [{ subsite, action }] = listActions(site).filter((verb) => !verb.action.effect) as [
  ReturnType<typeof listActions>[number],
];
const createLeadRequest = (name: string) => ({
  data: {
    subsite: subsite.name,
    action: action.verb,
    fields: exampleValuesOf(action.fields),
    contact: { name, email: 'dana@example.com' },
    idempotencyKey: 'the-key-of-an-earlier-request',
  },
});
const createMessage = (part: object, taskId?: string) => ({
  headers: { 'a2a-version': '1.0' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: {
      message: {
        messageId: crypto.randomUUID(),
        role: 'ROLE_USER',
        parts: [part],
        ...(taskId !== undefined && { taskId }),
      },
    },
  }),
});
const pushConfig = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'CreateTaskPushNotificationConfig',
  params: { taskId: 'any', url: 'https://client.example/changes' },
});
const a2a: Record<string, Fault> = {
  ...createCommonFaults('ListTasks', MAX_BODY_BYTES),
  'push notifications without a key': { body: pushConfig, headers: { 'a2a-version': '1.0' } },
  'push notifications with a key for another scope': {
    body: pushConfig,
    headers: { 'a2a-version': '1.0', authorization: KEY_WITHOUT_CALLBACKS },
  },
  'an idempotency key of another request': createMessage(createLeadRequest('Robin Reyes')),
  'a reply without content': createMessage({ data: {} }, WITHDRAWN_LEAD),
  'a reply after the withdrawal': createMessage({ text: 'Hello' }, WITHDRAWN_LEAD),
  'a reply to a request that is erased in the meantime': createMessage(
    { text: 'Hello' },
    LEAD_ERASED_DURING_REPLY,
  ),
};

/** The same context, but a lead is erased just before the first batch is written. */
function withErasure(context: Context, lead: string): Context {
  const { writer } = context.database;
  let isErased = false;
  const batch = async (...statements: Parameters<typeof writer.batch>) => {
    if (!isErased) await eraseLead(lead, 'person', context);
    isErased = true;
    return writer.batch(...statements);
  };
  const erasingWriter = Object.assign(Object.create(writer) as typeof writer, { batch });
  return { ...context, database: { ...context.database, writer: erasingWriter } };
}

type Send = (
  body: string,
  headers: Record<string, string>,
  checkRateLimit: CheckRateLimit,
) => Promise<Response>;

const channels: Record<string, { faults: Record<string, Fault>; open(): Promise<Send> }> = {
  ...Object.fromEntries(
    endpoints.map((path) => [
      path,
      {
        faults: {
          ...mcp,
          ...(path.includes('agent') && {
            'no key': { body: createRpcBody('tools/list'), headers: { authorization: '' } },
            'a page from another origin': {
              body: createRpcBody('tools/list'),
              headers: { origin: 'https://elsewhere.example' },
            },
          }),
        },
        async open(): Promise<Send> {
          const { send } = await openMcpEndpoints((await openFixture(site)).context);
          return (body, headers, checkRateLimit) =>
            send(path, body, headers, { address: '192.0.2.7', checkRateLimit });
        },
      },
    ]),
  ),
  '/a2a/v1': {
    faults: a2a,
    async open(): Promise<Send> {
      const { context } = await openFixture(site);
      const { key } = await createKey(
        { name: 'Agent', scopes: ['*.help'], expiresAt: null },
        context,
      );
      const { lead: withdrawnLead } = await createLeadInState({ context }, 'withdrawn');
      const { lead: erasedLead } = await createLeadInState({ context }, 'new');
      const createEndpoint = (endpointContext: Context) =>
        createA2aEndpoint({
          context: endpointContext,
          toProblem: (thrown) => toProblem(thrown, endpointContext),
        });
      const endpoint = createEndpoint(context);
      const erasingEndpoint = createEndpoint(withErasure(context, erasedLead));
      const send: Send = (body, headers, checkRateLimit) =>
        (body.includes(LEAD_ERASED_DURING_REPLY) ? erasingEndpoint : endpoint)(
          new Request(`${site.base}/a2a/v1`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...headers,
              ...(headers['authorization'] && {
                authorization: headers['authorization'].replace('{key}', key),
              }),
            },
            body: body
              .replace(WITHDRAWN_LEAD, withdrawnLead)
              .replace(LEAD_ERASED_DURING_REPLY, erasedLead),
          }),
          '',
          { address: '192.0.2.7', checkRateLimit },
        );
      const earlierRequest = createMessage(createLeadRequest('Dana Reyes'));
      await send(earlierRequest.body, earlierRequest.headers, async () => ({ headers: {} }));
      return send;
    },
  },
};

const postPaths = Object.entries<any>(document.paths).filter(([, { post }]) =>
  post?.tags.includes('Protocols'),
);

it('every protocol endpoint has error tests', () => {
  expect(Object.keys(channels).sort()).toEqual(postPaths.map(([path]) => path).sort());
});

describe.each(postPaths)('the errors of %s', async (path, { post: { responses } }) => {
  const { faults, open } = channels[path]!;
  const send = await open();
  const outcomes = await Promise.all(
    Object.entries(faults).map(
      async ([
        name,
        { body = '{}', headers = {}, checkRateLimit = async () => ({ headers: {} }) },
      ]) => {
        const response = await send(body, headers, checkRateLimit);
        return {
          name,
          status: response.status,
          mediaType: response.headers.get('content-type')!,
          body: await response.json(),
        };
      },
    ),
  );

  it.each(outcomes)(
    'are documented in OpenAPI for $name ($status)',
    ({ status, mediaType, body }) => {
      expect(Object.keys(responses[status]?.content ?? {})).toEqual([mediaType]);
      const { $ref } = responses[status].content[mediaType].schema;
      expect(ajv.validate({ $ref: `openapi${$ref}` }, body), ajv.errorsText()).toBe(true);
      expect(JSON.stringify(body)).not.toContain('secret');
    },
  );

  it('include everything that OpenAPI documents', () => {
    const refused = outcomes.filter(({ status }) => status >= 400);
    expect([...new Set(refused.map(({ status }) => String(status)))].sort()).toEqual(
      Object.keys(responses)
        .filter((status) => Number(status) >= 400)
        .sort(),
    );
  });
});

it.each(endpoints)(
  'a request to %s with a number that is too large is rejected with its ID',
  async (path) => {
    const { send } = await openMcpEndpoints((await openFixture(site)).context);
    const readId = async (id: string) => {
      const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{"limit":1e400}}`;
      const response = await send(path, body);
      const { error, id: echoed } = (await response.json()) as {
        error: { code: number; message: string };
        id: unknown;
      };
      expect([response.status, error]).toEqual([
        400,
        { code: -32700, message: expect.stringContaining('too large') },
      ]);
      return echoed;
    };
    expect(await readId('7')).toBe(7);
    expect(await readId('"a7"')).toBe('a7');
    expect(await readId('1e400')).toBeNull();
    expect(await readId('[7]')).toBeNull();
  },
);
