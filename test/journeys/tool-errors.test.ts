import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { createKey } from '../../src/keys/keys.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { type AnyClient, clients } from '../mcp/setup/clients.ts';
import { callsOf, listSubmissions } from '../mcp/setup/examples.ts';
import { runInspector } from '../mcp/setup/programs.ts';
import { type ToolResult, readStructuredAnswer } from '../mcp/setup/tool-result.ts';
import { paths, serveNetwork } from '../mcp/setup/serve-network.ts';

const KEYED_ENDPOINT = '/api/v1/agent-mcp';
const endpoints = [...paths, KEYED_ENDPOINT] as const;
type Endpoint = (typeof endpoints)[number];

/** A rejected call and the expected problem code. */
interface RefusedCall {
  tool: string;
  args: Record<string, unknown>;
  code: string;
}

describe('a tool that refuses a call', () => {
  let served: Awaited<ReturnType<typeof serveNetwork>>;
  let key: string;
  let narrowKey: string;
  /** Valid arguments by endpoint and tool. */
  let calls: Record<Endpoint, Record<string, Record<string, unknown>>>;
  let refusals: Record<Endpoint, RefusedCall[]>;
  const folder = mkdtempSync(join(tmpdir(), 'tool-errors-'));

  const connect = async (kind: keyof typeof clients, path: Endpoint, secret = key) =>
    (await clients[kind](
      new URL(`${served.origin}${path}`),
      path === KEYED_ENDPOINT ? { authorization: `Bearer ${secret}` } : {},
    )) as AnyClient as ModernClient;

  const createKeyWith = async (...scopes: string[]) =>
    (await createKey({ name: 'Agent', scopes, expiresAt: null }, served.context)).key;

  beforeAll(async () => {
    process.env['MCP_CATALOG_PATH'] = join(folder, 'mcp.json');
    served = await serveNetwork('mainBuild');
    key = await createKeyWith('*');
    narrowKey = await createKeyWith('animate.*');
    const capability = [...capabilityCatalogOf(served.site).values()].find(({ id }) =>
      id.endsWith('.help'),
    );
    const runArguments = {
      capability: capability!.id,
      input: (capability!.inputSchema['examples'] as [object])[0],
    };
    const client = await connect('the SDK 1 client', '/api/mcp');
    const { arguments: sent } = listSubmissions(served.site)[0]!;
    const submitLead = async (idempotencyKey: string) => {
      const result = (await client.callTool({
        name: 'submit_action',
        arguments: { ...sent, idempotencyKey },
      })) as ToolResult;
      return readStructuredAnswer(result)['receiptToken'] as string;
    };
    await submitLead('a-key-of-the-journey');
    const erasedReceipt = await submitLead('a-key-of-what-was-erased');
    await eraseLead(erasedReceipt, 'person', served.context);
    await client.close();
    calls = {
      '/api/mcp': callsOf(served.site, '/api/mcp'),
      '/api/v1/mcp': callsOf(served.site, '/api/v1/mcp'),
      [KEYED_ENDPOINT]: {
        search_capabilities: {},
        get_capability: { id: capability!.id },
        request_quote: runArguments,
        run_capability: runArguments,
        get_task: { taskId: 'none' },
        cancel_task: { taskId: 'none' },
      },
    };
    const listInvalidCalls = (path: Endpoint): RefusedCall[] =>
      Object.entries(calls[path]).flatMap(([tool, args]) => [
        { tool, args: { ...args, foo: 1 }, code: 'invalid_input' },
        ...Object.keys(args).map((name) => ({
          tool,
          args: { ...args, [name]: [null] },
          code: 'invalid_input',
        })),
      ]);
    const differentInput = {
      ...sent,
      contact: { name: 'Somebody else' },
      idempotencyKey: 'a-key-of-the-journey',
    };
    refusals = {
      '/api/mcp': [
        ...listInvalidCalls('/api/mcp'),
        { tool: 'submit_action', args: differentInput, code: 'idempotency_mismatch' },
        {
          tool: 'submit_action',
          args: { ...sent, idempotencyKey: 'a-key-of-what-was-erased' },
          code: 'gone',
        },
        { tool: 'get_lead_status', args: { receiptToken: 'nobody' }, code: 'unknown_receipt' },
        { tool: 'get_lead_status', args: { receiptToken: erasedReceipt }, code: 'gone' },
        {
          tool: 'reply_to_request',
          args: { receiptToken: 'sandbox', text: 'Two at once', withdraw: true, accept: 'none' },
          code: 'invalid_input',
        },
        {
          tool: 'reply_to_request',
          args: { receiptToken: 'sandbox', accept: 'none' },
          code: 'conflict',
        },
        {
          tool: 'reply_to_request',
          args: { receiptToken: 'nobody', withdraw: true },
          code: 'unknown_receipt',
        },
        {
          tool: 'reply_to_request',
          args: { receiptToken: erasedReceipt, text: 'Hello' },
          code: 'gone',
        },
      ],
      '/api/v1/mcp': listInvalidCalls('/api/v1/mcp'),
      [KEYED_ENDPOINT]: [
        ...listInvalidCalls(KEYED_ENDPOINT),
        { tool: 'get_task', args: { taskId: 'nobody' }, code: 'not_found' },
        { tool: 'cancel_task', args: { taskId: 'nobody' }, code: 'not_found' },
      ],
    };
  });
  afterAll(async () => {
    await served.stop();
    rmSync(folder, { recursive: true });
  });

  /** Makes calls that are rejected, with a client that knows every output schema. */
  async function expectRefusals(client: ModernClient, expected: readonly RefusedCall[]) {
    await client.listTools();
    for (const { tool, args, code } of expected) {
      const result = (await client.callTool({ name: tool, arguments: args })) as ToolResult;
      expect([
        tool,
        JSON.stringify(args),
        result.isError,
        readStructuredAnswer(result)['code'],
      ]).toEqual([tool, JSON.stringify(args), true, code]);
    }
    await client.close();
  }

  describe.each(Object.keys(clients) as (keyof typeof clients)[])('called with %s', (kind) => {
    it.each(endpoints)('returns its problem at %s for every refusal', async (path) => {
      await expectRefusals(await connect(kind, path), refusals[path]);
    });

    it('names the scope that the key lacks', async () => {
      await expectRefusals(
        await connect(kind, KEYED_ENDPOINT, narrowKey),
        ['get_capability', 'request_quote', 'run_capability'].map((tool) => ({
          tool,
          args: calls[KEYED_ENDPOINT][tool]!,
          code: 'insufficient_scope',
        })),
      );
    });
  });

  it.each(endpoints)('returns its problem to the MCP Inspector at %s', async (path) => {
    for (const tool of Object.keys(calls[path])) {
      const { args, code } = refusals[path].findLast((refused) => refused.tool === tool)!;
      const { stdout, stderr } = await runInspector([
        ...[`${served.origin}${path}`, '--transport', 'http', '--format', 'json'],
        ...['--method', 'tools/call'],
        ...(path === KEYED_ENDPOINT ? ['--header', `Authorization: Bearer ${key}`] : []),
        ...['--tool-name', tool, '--tool-arg'],
        ...Object.entries(args).map(
          ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
        ),
      ]);
      // The Inspector reports the rejection, not a schema violation.
      expect([tool, stdout, stderr]).toEqual([
        tool,
        expect.stringMatching(/^\{/),
        expect.stringContaining('"code":"tool_is_error"'),
      ]);
      const { result } = JSON.parse(stdout) as { result: ToolResult };
      expect([tool, result.isError, readStructuredAnswer(result)['code']]).toEqual([
        tool,
        true,
        code,
      ]);
    }
  });

  it('reports an unreachable database', async () => {
    await served.context.database.close();
    for (const kind of Object.keys(clients) as (keyof typeof clients)[])
      await expectRefusals(
        await connect(kind, '/api/mcp'),
        [
          'submit_action',
          'capture_lead',
          'create_share_link',
          'get_lead_status',
          'reply_to_request',
        ].map((tool) => ({
          tool,
          args:
            tool === 'get_lead_status'
              ? { receiptToken: 'A'.repeat(21) }
              : {
                  ...calls['/api/mcp'][tool],
                  ...(tool === 'reply_to_request' && { receiptToken: 'A'.repeat(21) }),
                  idempotencyKey: `without-a-database`,
                },
          code: 'unavailable',
        })),
      );
  });
});
