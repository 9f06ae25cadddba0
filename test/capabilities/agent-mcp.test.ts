import Ajv2020 from 'ajv/dist/2020.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { quoteSchema } from '../../src/capabilities/quote-record.ts';
import { taskSchema } from '../../src/capabilities/task-record.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_CAPABILITY_BODY_BYTES } from '../../src/operation/body-limits.ts';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { revokeKey } from '../../src/keys/keys.ts';
import { toProblem } from '../../src/http/faults.ts';
import { createMcpHandler } from '../../src/mcp/index.ts';
import { toAuthInfo } from '../../src/mcp/agent-tools.ts';
import { createCapabilityTasks } from '../../src/mcp/capability-tasks.ts';
import { createRateLimitCheck } from '../../src/http/rate-limit.ts';
import { listSingleFaults } from '../artifacts/single-faults.ts';
import { listen } from '../mcp/setup/listen.ts';
import { runConformance } from '../mcp/setup/programs.ts';
import { readStructuredAnswer } from '../mcp/setup/tool-result.ts';
import { makeKey, makeFixture, site, type Fixture } from './fixture.ts';

const ajv = new Ajv2020({ strict: false });
const catalog = [...capabilityCatalogOf(site).values()];
const exampleOf = ({ inputSchema }: (typeof catalog)[number]) =>
  (inputSchema['examples'] as [Record<string, unknown>])[0];
const TOOL_NAMES = [
  'search_capabilities',
  'get_capability',
  'request_quote',
  'run_capability',
  'get_task',
  'cancel_task',
];
const MAX_BYTES = 10_240;

type Key = Awaited<ReturnType<typeof makeKey>>;

describe('/api/v1/agent-mcp', () => {
  let fixture: Fixture;
  let key: Key;
  let server: Awaited<ReturnType<typeof listen>>;
  const clients: Client[] = [];
  /** Key for requests without a key, because some clients cannot send one. */
  let defaultKey: string | undefined;

  const connect = async (
    { secret }: Pick<Key, 'secret'>,
    mode: 'legacy' | { pin: string } = { pin: '2026-07-28' },
  ) => {
    const client = new Client(
      { name: 'frontage-test', version: '1.0.0' },
      { versionNegotiation: { mode } },
    );
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.origin}/api/v1/agent-mcp`), {
        requestInit: { headers: { authorization: `Bearer ${secret}` } },
      }),
    );
    clients.push(client);
    return client;
  };
  const call = async (client: Client, name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    return { isError: result.isError ?? false, value: readStructuredAnswer(result) };
  };

  beforeAll(async () => {
    fixture = await makeFixture();
    key = await makeKey(fixture, ['*'], '50.00');
    const endpoint = createMcpHandler('/api/v1/agent-mcp', {
      context: fixture.context,
      toProblem: (thrown) => toProblem(thrown, fixture.context),
    });
    server = await listen((request) => {
      const headers = new Headers(request.headers);
      if (defaultKey && !headers.has('authorization'))
        headers.set('authorization', `Bearer ${defaultKey}`);
      const keyedRequest = new Request(request, { headers });
      return endpoint(keyedRequest, {
        address: '192.0.2.7',
        checkRateLimit: async () => ({ headers: {} }),
      });
    });
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await server.stop();
    await fixture.close();
  });

  it.each(['legacy', { pin: '2026-07-28' }] as const)(
    'lists its six tools in at most 10 KB for a client of version %j',
    async (mode) => {
      const { tools } = await (await connect(key, mode)).listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
      expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(MAX_BYTES);
      for (const { title, description, annotations, inputSchema } of tools) {
        expect(title && description).toBeTruthy();
        expect(Object.values(annotations!).map((hint) => typeof hint)).toEqual([
          'boolean',
          'boolean',
          'boolean',
          'boolean',
        ]);
        expect(inputSchema.type).toBe('object');
      }
    },
  );

  it.each([
    ['request_quote', quoteSchema],
    ['run_capability', taskSchema],
    ['get_task', taskSchema],
    ['cancel_task', taskSchema],
  ])('declares every member of the responses of %s', async (name, { entries }) => {
    const { tools } = await (await connect(key, 'legacy')).listTools();
    const { outputSchema } = tools.find((tool) => tool.name === name)!;
    expect(Object.keys(outputSchema!.properties!)).toEqual(Object.keys(entries));
    for (const property of Object.values(outputSchema!.properties!))
      expect(property).toMatchObject(
        'enum' in property ? {} : { type: expect.any(String) as string },
      );
  });

  it('returns 401 with WWW-Authenticate for a missing, unknown, or revoked key', async () => {
    const revoked = await makeKey(fixture);
    await revokeKey(revoked.id, fixture.context);
    for (const authorization of [undefined, 'Bearer nonsense', `Bearer ${revoked.secret}`]) {
      const response = await fetch(`${server.origin}/api/v1/agent-mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Bearer/),
      ]);
    }
  });

  it.each([
    ['text that is not JSON', '{', 400],
    ['a batch', '[]', 400],
    ['too many bytes', ' '.repeat(MAX_CAPABILITY_BODY_BYTES + 1), 413],
  ])('counts a body without a valid message against the key: %s', async (_, body, status) => {
    const checkRateLimit = createRateLimitCheck({ reads: 2, writes: 0 });
    const { secret } = await makeKey(fixture);
    const send = async () => {
      const request = new Request(`${site.base}/api/v1/agent-mcp`, {
        method: 'POST',
        headers: {
          host: new URL(site.base).host,
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
        },
        body,
      });
      return (
        await createMcpHandler('/api/v1/agent-mcp', {
          context: fixture.context,
          toProblem: (thrown) => toProblem(thrown, fixture.context),
        })(request, { address: '192.0.2.7', checkRateLimit })
      ).status;
    };
    expect([await send(), await send(), await send()]).toEqual([status, status, 429]);
  });

  it('refuses a connected client’s next request after the client’s key is revoked', async () => {
    const keyToRevoke = await makeKey(fixture);
    const client = await connect(keyToRevoke);
    await client.listTools();
    await revokeKey(keyToRevoke.id, fixture.context);
    await expect(client.callTool({ name: 'search_capabilities', arguments: {} })).rejects.toThrow();
  });

  describe('for a key with one capability', () => {
    it.each(catalog)(
      '$id runs with its example and reports any single error at its field, and no other capability is available',
      async (capability) => {
        const ownKey = await makeKey(fixture, [capability.id], '50.00');
        const client = await connect(ownKey);
        const { tools } = await client.listTools();
        const callSuccessfully = async (name: string, args: Record<string, unknown>) => {
          const { isError, value } = await call(client, name, args);
          expect([name, isError, value['errors']]).toEqual([name, false, undefined]);
          const schema = tools.find((tool) => tool.name === name)!.outputSchema!;
          expect(ajv.validate(schema, value), name).toBe(true);
          return value;
        };
        const input = exampleOf(capability);
        const found = await callSuccessfully('search_capabilities', {});
        expect(found['capabilities'].map(({ id }: { id: string }) => id)).toEqual([capability.id]);
        expect(
          (await callSuccessfully('get_capability', { id: capability.id }))['capability'],
        ).toEqual(JSON.parse(JSON.stringify(capability)));
        const quote = await callSuccessfully('request_quote', { capability: capability.id, input });
        const submissionOnlyText = 'The amount is for submitting the request.';
        expect(String(quote['notice']).startsWith(submissionOnlyText)).toBe(
          capability.adapter === 'inquiry',
        );
        const task = await callSuccessfully('run_capability', {
          capability: capability.id,
          input,
          quoteId: quote['quoteId'],
          idempotencyKey: `mcp-key-for-${capability.id}`,
        });
        expect(task).toMatchObject({
          capability: capability.id,
          status: capability.pricing.kind === 'free' ? 'completed' : 'failed',
          charge: { amount: '0.00' },
        });
        expect(await callSuccessfully('get_task', { taskId: task['taskId'] })).toEqual(task);
        expect(await callSuccessfully('cancel_task', { taskId: task['taskId'] })).toEqual(task);
        const notice = await createCapabilityTasks(fixture.context).cancel(task['taskId'], {
          authInfo: toAuthInfo(ownKey),
          supportsForms: false,
        });
        expect(notice).toMatch(/^This task had already ended/);
        expect(/The request that it submitted is not canceled/.test(notice!)).toBe(
          capability.adapter === 'inquiry',
        );

        for (const { fault, value } of listSingleFaults(capability.inputSchema, input)) {
          const refused = await call(client, 'run_capability', {
            capability: capability.id,
            input: value,
          });
          expect(refused, fault).toMatchObject({
            isError: true,
            value: {
              code: 'invalid_input',
              errors: [
                {
                  pointer: expect.stringMatching(
                    new RegExp(`^/input${fault.split(':')[0]}(?:/0)?$`),
                  ),
                },
              ],
            },
          });
        }
        const other = catalog.find(
          ({ id, inputSchema }) => id !== capability.id && Boolean(inputSchema['examples']),
        )!;
        for (const [name, args] of [
          ['run_capability', { capability: other.id, input: exampleOf(other) }],
          ['run_capability', { capability: other.id, input: {}, idempotencyKey: '' }],
          ['request_quote', { capability: other.id, input: exampleOf(other) }],
          ['request_quote', { capability: other.id }],
          ['get_capability', { id: other.id }],
        ] as const)
          expect(await call(client, name, args), name).toMatchObject({
            isError: true,
            value: { code: 'insufficient_scope' },
          });
        await client.close();
      },
    );
  });

  it('accepts a script of 200,000 four-byte characters', async () => {
    const client = await connect(key);
    const { id } = catalog.find(({ adapter }) => adapter === 'video')!;
    expect(
      await call(client, 'request_quote', {
        capability: id,
        input: { script: '🎬'.repeat(200_000) },
      }),
    ).toMatchObject({ isError: false, value: { amount: expect.any(String) } });
  });

  it('keeps the answers of free capabilities under 10 KB', async () => {
    const client = await connect(key);
    for (const capability of catalog.filter(({ pricing }) => pricing.kind === 'free'))
      for (const input of [
        exampleOf(capability),
        ...(capability.adapter === 'facts' || capability.adapter === 'recipe' ? [{}] : []),
      ]) {
        const result = await client.callTool({
          name: 'run_capability',
          arguments: { capability: capability.id, input },
        });
        expect(Buffer.byteLength(JSON.stringify(result)), capability.id).toBeLessThan(MAX_BYTES);
      }
  });

  it('reports invalid arguments of the task tools', async () => {
    const client = await connect(key);
    expect(await call(client, 'get_task', {})).toMatchObject({
      isError: true,
      value: { code: 'invalid_input', errors: [{ pointer: '/taskId' }] },
    });
    expect(await call(client, 'cancel_task', { taskId: 'x', id: 'y' })).toMatchObject({
      isError: true,
      value: { errors: [{ pointer: '/id' }] },
    });
    expect(await call(client, 'get_task', { taskId: 'nothing' })).toMatchObject({
      isError: true,
      value: { code: 'not_found' },
    });
  });

  it.each([
    [
      '2026-07-28',
      [
        'server-stateless',
        'http-header-validation',
        'caching',
        'tools-list',
        'server-sse-multiple-streams',
        'dns-rebinding-protection',
      ],
    ],
    [
      '2025-11-25',
      [
        'server-initialize',
        'ping',
        'tools-list',
        'dns-rebinding-protection',
        'server-session-lifecycle',
      ],
    ],
  ])('passes conformance scenarios for %s with a key: %s', async (revision, scenarios) => {
    defaultKey = key.secret;
    try {
      const { result, checks } = await runConformance(
        `${server.origin}/api/v1/agent-mcp`,
        revision,
      );
      // Some checks need special test tools; this endpoint also has no resources or prompts.
      const notApplicablePattern =
        /^Not testable|^(?:resources|prompts)\/\S+ returned JSON-RPC error -32601/;
      for (const scenario of scenarios) {
        expect(checks[scenario]?.length, result.stdout + result.stderr).toBeGreaterThan(0);
        expect(
          checks[scenario]!.filter(
            ({ status, errorMessage = '' }) =>
              status === 'FAILURE' && !notApplicablePattern.test(errorMessage),
          ),
          scenario,
        ).toEqual([]);
      }
    } finally {
      defaultKey = undefined;
    }
  });
});
