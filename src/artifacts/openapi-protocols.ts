import { z } from 'zod';
import { MCP_ENDPOINTS, MCP_PROTOCOL_VERSIONS, type McpEndpoint, type Site } from '../registry/index.ts';
import { component } from './components.ts';
import { problemResponses } from './openapi-problems.ts';

type Json = Record<string, unknown>;

const requestId = z.union([z.string(), z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)]);

component(
  'JsonRpcRequest',
  z
    .strictObject({
      jsonrpc: z.literal('2.0').describe('Version of JSON-RPC.'),
      id: requestId.optional().describe('Id that the answer repeats; absent on a notification.'),
      method: z.string().describe('Name of the method.'),
      params: z.looseObject({}).optional().describe('Arguments of the method.'),
    })
    .describe('A JSON-RPC 2.0 request or notification.'),
);

component(
  'JsonRpcResponse',
  z
    .strictObject({
      jsonrpc: z.literal('2.0').describe('Version of JSON-RPC.'),
      id: requestId.nullable().describe('Id of the request.'),
      result: z.looseObject({}).optional().describe('What the method gave back.'),
      error: z.looseObject({ code: z.int().min(-99_999).max(99_999).describe('Error code.'), message: z.string().describe('What went wrong.') }).optional().describe('Why there is no result.'),
    })
    .describe('A JSON-RPC 2.0 response.'),
);

const count = (what: string) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe(what);

component(
  'Health',
  z
    .strictObject({
      status: z.enum(['ok', 'degraded']).describe('ok, or degraded where leads have waited long to be told to their provider; a service that cannot answer says 503.'),
      outbox: z
        .strictObject({
          undelivered: count('Events on their way, each counted once a channel.'),
          oldestSeconds: count('Age of the oldest of them in seconds.'),
          givenUp: count('Deliveries that were given up.'),
        })
        .optional()
        .describe('What has not arrived; present with degraded.'),
    })
    .describe('Health of the service.'),
);

const json = (schema: string, example: unknown): Json => ({ 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example } });

const HEALTH = {
  ok: { summary: 'All is well', value: { status: 'ok' } },
  degraded: { summary: 'Leads wait to be told', value: { status: 'degraded', outbox: { undelivered: 3, oldestSeconds: 1260, givenUp: 0 } } },
};

const rpc = (method: string, result: Json): Json => ({
  requestBody: { required: true, description: 'One JSON-RPC message; batches are refused.', content: json('JsonRpcRequest', { jsonrpc: '2.0', id: 1, method }) },
  responses: {
    200: { description: 'The answer as JSON.', content: json('JsonRpcResponse', { jsonrpc: '2.0', id: 1, result }) },
    ...problemResponses(['malformed_body', 'too_large', 'unsupported_media_type', 'rate_limited', 'internal', 'unavailable']),
  },
});

function mcpItem({ slug, title, description, bearer }: McpEndpoint): Json {
  const { requestBody, responses } = rpc('tools/list', { tools: [] });
  return {
    post: {
      operationId: `callMcp${slug.charAt(0).toUpperCase()}${slug.slice(1)}`,
      tags: ['Protocols'],
      summary: `MCP server: ${title}`,
      description: `${description} Model Context Protocol over Streamable HTTP, stateless, revisions ${MCP_PROTOCOL_VERSIONS.join(', ')}.${bearer ? ' Needs `Authorization: Bearer` and a key.' : ''}`,
      requestBody,
      responses: { ...(responses as Json), ...(bearer && problemResponses(['unauthorized', 'insufficient_scope'])), 202: { description: 'A notification was taken.' } },
    },
  };
}

/** The doors that speak a protocol of their own: MCP, A2A and the health check. */
export function protocolPaths({ dynamic }: Site): [string, Json][] {
  if (!dynamic) return [];
  return [
    ...MCP_ENDPOINTS.map((endpoint) => [endpoint.path, mcpItem(endpoint)] as [string, Json]),
    [
      '/a2a/v1',
      {
        post: {
          operationId: 'callA2a',
          tags: ['Protocols'],
          summary: 'A2A agent',
          description:
            'Agent2Agent protocol 1.0 as JSON-RPC: SendMessage, GetTask, ListTasks, CancelTask, and the method names of 0.3. The HTTP+JSON binding stands beneath the same address. A message with one data part {subsite, action, fields, contact?, source?, sandbox?, idempotencyKey?} files a lead and completes its task with the receipt as an artifact; a fault leaves the task waiting for the whole data part, mended. A message of text is answered from what is published. Without an idempotencyKey, a message that is sent again with the same messageId and data is the same lead.',
          ...rpc('GetTask', {}),
        },
      },
    ],
    [
      '/healthz',
      {
        get: {
          operationId: 'readHealth',
          tags: ['Protocols'],
          summary: 'Health of the service',
          description: 'Answers when the service and its database do.',
          responses: { 200: { description: 'The service answers.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Health' }, examples: HEALTH } } }, ...problemResponses(['rate_limited', 'unavailable']) },
        },
      },
    ],
  ];
}
