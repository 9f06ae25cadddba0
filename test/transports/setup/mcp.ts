import type { Context } from '../../../src/operation/context.ts';
import type { Problem } from '../../../src/operation/problem.ts';
import { capabilityCatalogOf } from '../../../src/capabilities/capability-catalog.ts';
import { createKey } from '../../../src/keys/keys.ts';
import { MCP_ENDPOINTS } from '../../../src/site/developer/mcp-endpoints.ts';
import { toProblem } from '../../../src/http/faults.ts';
import type { McpEndpointHandler } from '../../../src/mcp/endpoint.ts';
import { createMcpHandler } from '../../../src/mcp/index.ts';
import type { Client } from '../../../src/http/rate-limit.ts';
import { callsOf } from '../../mcp/setup/examples.ts';
import { readStructuredAnswer } from '../../mcp/setup/tool-result.ts';

/** All MCP endpoints, including the one that requires a key. */
export const endpoints: readonly string[] = MCP_ENDPOINTS.map(({ path }) => path);

/** MCP versions used in tests. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** A tool in the tool list. */
export interface ListedTool {
  name: string;
  outputSchema: object;
  annotations: Record<string, boolean>;
  inputSchema: {
    properties: Record<
      string,
      { type?: string; description?: string; enum?: string[]; properties?: Record<string, object> }
    >;
    required?: string[];
  };
}

/** Result of a tool call; `value` is the structured content, or the problem of an error. */
export interface ToolCallResult {
  isError?: boolean;
  content?: { text: string }[];
  value: Record<string, any>;
  _meta?: object;
}

const unlimitedVisitor: Client = {
  address: '192.0.2.7',
  checkRateLimit: async () => ({ headers: {} }),
};

/** Request params for a version; the newer version sends its version number with each request. */
const createParams = (era: Era, params: object) =>
  era === '2025-11-25'
    ? params
    : {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': era,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      };

/** A JSON-RPC response with its HTTP status. */
export interface RpcResponse {
  status: number;
  result?: any;
  error?: { code: number; message: string; data?: any };
}

/** Sends a raw body to an endpoint, with or without the site’s origin. */
const post = (
  handler: McpEndpointHandler,
  url: string,
  body: string,
  headers: Record<string, string>,
  visitor = unlimitedVisitor,
) =>
  handler(
    new Request(url, {
      method: 'POST',
      headers: { host: new URL(url).host, 'content-type': 'application/json', ...headers },
      body,
    }),
    visitor,
  );

/** Sends one request to an endpoint in a protocol version. */
export const createRpcClient =
  (handler: McpEndpointHandler, url: string, extraHeaders: Record<string, string> = {}) =>
  async (
    method: string,
    params: Record<string, any> = {},
    era: Era = '2025-11-25',
  ): Promise<RpcResponse> => {
    const name = params['name'] ?? params['uri'];
    const headers = {
      ...extraHeaders,
      'mcp-protocol-version': era,
      ...(era === '2026-07-28' && {
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      }),
    };
    const response = await post(
      handler,
      url,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: createParams(era, params) }),
      headers,
    );
    return { status: response.status, ...((await response.json()) as object) };
  };

/**
 * The MCP endpoints of a context without a socket, called with a key for all scopes unless
 * `sendsKey` is false.
 */
export async function openMcpEndpoints(context: Context, { sendsKey = true } = {}) {
  const { key } = await createKey({ name: 'Test agent', scopes: ['*'], expiresAt: null }, context);
  const dependencies = {
    context,
    toProblem: (thrown: unknown): Problem => toProblem(thrown, context),
  };
  const handlers = Object.fromEntries(
    endpoints.map((path) => [path, createMcpHandler(path, dependencies)]),
  );

  const bearer: Record<string, string> = sendsKey ? { authorization: `Bearer ${key}` } : {};
  const urlOf = (path: string) => `${context.site.base}${path}`;
  const send = (
    path: string,
    body: string,
    headers: Record<string, string> = {},
    visitor = unlimitedVisitor,
  ) => post(handlers[path]!, urlOf(path), body, { ...bearer, ...headers }, visitor);
  const ask = (path: string, ...request: Parameters<ReturnType<typeof createRpcClient>>) =>
    createRpcClient(handlers[path]!, urlOf(path), bearer)(...request);

  const call = async (
    path: string,
    name: string,
    args: unknown,
    era?: Era,
  ): Promise<ToolCallResult> => {
    const { result } = await ask(path, 'tools/call', { name, arguments: args }, era);
    return { ...result, value: readStructuredAnswer(result) };
  };

  /** Valid arguments for each tool of an endpoint. */
  async function prepareExamples(path: string): Promise<Record<string, Record<string, any>>> {
    if (path !== '/api/v1/agent-mcp') {
      const calls = callsOf(context.site, path as Parameters<typeof callsOf>[1]);
      if (!calls['reply_to_request']) return calls;
      // The sandbox does not store responses by key.
      const { idempotencyKey: _, ...plain } = calls['capture_lead']!;
      const { receiptToken } = (await call(path, 'capture_lead', plain)).value;
      return { ...calls, reply_to_request: { ...calls['reply_to_request'], receiptToken } };
    }
    const { id: capability, inputSchema } = [...capabilityCatalogOf(context.site).values()].find(
      ({ adapter }) => adapter === 'facts',
    )!;
    const run = { capability, input: (inputSchema['examples'] as [object])[0] };
    const { value: task } = await call(path, 'run_capability', run);
    return {
      search_capabilities: {},
      get_capability: { id: capability },
      request_quote: run,
      run_capability: run,
      get_task: { taskId: task['taskId'] },
      cancel_task: { taskId: task['taskId'] },
    };
  }

  return {
    send,
    ask,
    call,
    examplesOf: prepareExamples,
    tools: async (path: string) => (await ask(path, 'tools/list')).result.tools as ListedTool[],
  };
}
