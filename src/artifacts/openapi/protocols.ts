import type { JsonObject } from '../../site/json-object.ts';
import { z } from 'zod';
import { messageProblems, rpcCodeOf } from '../../a2a/problems.ts';
import { problemAdvice } from '../../operation/problem-advice.ts';
import { SAMPLE_KEY } from '../../operation/idempotency.ts';
import type { ProblemCode } from '../../operation/problem.ts';
import { problemCodes } from '../../site/problem-codes.ts';
import {
  MCP_ENDPOINTS,
  MCP_PROTOCOL_VERSIONS,
  type McpEndpoint,
} from '../../site/developer/mcp-endpoints.ts';
import type { Site } from '../../site/site.ts';
import { registerComponent } from '../components.ts';
import { buildCodeSamples, KEY_INSTRUCTIONS } from './keys.ts';
import { RATE_LIMIT_HEADERS, describeHeaders } from './headers.ts';
import { createRpcExample, describeRpc, describeRpcErrorResponse } from './json-rpc.ts';
import { BODY_PROBLEMS, COMMON_PROBLEMS } from './operations.ts';
import {
  PROBLEM_HEADERS,
  describeProblemResponses,
  groupByStatus,
  joinTitles,
} from './problems.ts';

const createCountSchema = (description: string) =>
  z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe(description);

registerComponent(
  'Health',
  z
    .strictObject({
      status: z
        .enum(['ok', 'degraded'])
        .describe(
          'ok; degraded if leads have waited too long for delivery, if a delivery has failed for good, or if requests cannot be stored because the disk is nearly full or the database cannot be written to. An unavailable service responds with 503.',
        ),
      outbox: z
        .strictObject({
          undelivered: createCountSchema('Pending events, each counted once per channel.'),
          oldestSeconds: createCountSchema('Age of the oldest pending event in seconds.'),
          givenUp: createCountSchema(
            'Deliveries that failed for good: after all retries, or because the mail server rejected the address.',
          ),
          unaddressed: createCountSchema('Messages to providers without a delivery address.'),
          personMail: z
            .strictObject({
              undelivered: createCountSchema('Pending and failed messages.'),
              oldestSeconds: createCountSchema(
                'Age of the oldest pending message in seconds, not counting messages to addresses that the mail server rejects.',
              ),
            })
            .describe('Email to customers.'),
        })
        .optional()
        .describe('Undelivered messages; present if they are why the status is degraded.'),
      disk: z
        .enum(['low'])
        .optional()
        .describe('Present if writes are rejected because the disk is nearly full.'),
      writes: z
        .enum(['failing'])
        .optional()
        .describe(
          'Present if the database cannot be written to, for example, on a read-only file system.',
        ),
    })
    .describe('Service health.'),
);

const HEALTH_EXAMPLES = {
  ok: { summary: 'Healthy', value: { status: 'ok' } },
  degraded: {
    summary: 'Leads are waiting for delivery',
    value: {
      status: 'degraded',
      outbox: {
        undelivered: 3,
        oldestSeconds: 1260,
        givenUp: 0,
        unaddressed: 0,
        personMail: { undelivered: 0, oldestSeconds: 0 },
      },
    },
  },
};

/** Errors of an MCP endpoint by status: problems, or JSON-RPC errors if clients expect them. */
const describeMcpFaults = (requiresKey: boolean): JsonObject => ({
  ...describeProblemResponses([
    ...(requiresKey ? (['unauthorized'] as const) : []),
    'too_large',
    'unsupported_media_type',
    'rate_limited',
    'internal',
    'unavailable',
  ]),
  400: describeRpcErrorResponse(
    'The body is not JSON, is a batch, or is not a protocol message, or the headers do not match it.',
    -32700,
    'The body is not valid JSON in UTF-8. Send one JSON value.',
    RATE_LIMIT_HEADERS,
  ),
  403: describeRpcErrorResponse(
    requiresKey ? 'Host or Origin does not match this site.' : 'Host does not match this site.',
    -32600,
    requiresKey
      ? 'Pages from this origin may not call this endpoint'
      : 'The Host header does not name this site',
  ),
  404: describeRpcErrorResponse(
    'Unknown method (revision 2026-07-28).',
    -32601,
    'Method not found',
    RATE_LIMIT_HEADERS,
  ),
});

/** Errors of the A2A endpoint by status: JSON-RPC errors with the problem in their data. */
function describeA2aFaults(): JsonObject {
  const headersOf = (code: ProblemCode) => [
    ...RATE_LIMIT_HEADERS,
    ...(PROBLEM_HEADERS[code] ?? []),
  ];
  const describeExample = (code: ProblemCode) => ({
    summary: problemCodes[code].title,
    value: {
      jsonrpc: '2.0',
      id: null,
      error: { code: rpcCodeOf(code), message: problemAdvice[code].explanation },
    },
  });
  return Object.fromEntries(
    groupByStatus([...BODY_PROBLEMS, ...COMMON_PROBLEMS, ...messageProblems]).map(
      ([status, codes]) => [
        status,
        {
          description: joinTitles(codes),
          ...describeHeaders(codes.flatMap(headersOf)),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/JsonRpcResponse' },
              examples: Object.fromEntries(codes.map((code) => [code, describeExample(code)])),
            },
          },
        },
      ],
    ),
  );
}

function describeMcpEndpoint(
  { slug, path, title, description, requiresKey }: McpEndpoint,
  base: string,
): JsonObject {
  const method = 'tools/list';
  const { requestBody, responses } = describeRpc(
    method,
    undefined,
    { tools: [] },
    describeMcpFaults(requiresKey),
    [...RATE_LIMIT_HEADERS, 'Retry-After'],
  );
  return {
    post: {
      operationId: `callMcp${slug.charAt(0).toUpperCase()}${slug.slice(1)}`,
      tags: ['Protocols'],
      summary: `MCP server: ${title}`,
      description: `${description} Model Context Protocol over Streamable HTTP, stateless, revisions ${MCP_PROTOCOL_VERSIONS.join(', ')}.${requiresKey ? ` ${KEY_INSTRUCTIONS} If the key's scopes do not allow a capability, the tool result has isError and the problem insufficient_scope.` : ''}`,
      ...(requiresKey && {
        'x-codeSamples': buildCodeSamples(
          { method: 'POST', path },
          {
            parameters: [],
            requestExamples: { [method]: { summary: method, value: createRpcExample(method) } },
          },
          base,
        ),
      }),
      requestBody,
      responses: {
        ...(responses as JsonObject),
        202: { description: 'Notification accepted.', ...describeHeaders(RATE_LIMIT_HEADERS) },
      },
    },
  };
}

/** The endpoints that have their own protocol: MCP, A2A and the health check. */
export function describeProtocolPaths({ base, dynamic, registry }: Site): [string, JsonObject][] {
  if (!dynamic) return [];
  const [question = registry.network.name] = registry.subsites.flatMap(
    ({ questions = [] }) => questions,
  );
  const questionRequest = {
    messageId: SAMPLE_KEY,
    parts: [{ text: question }],
  };
  const answerResponse = {
    messageId: '0b8f2a53-3c5e-4e0b-8a55-5f6f0a9d7c11',
    parts: [{ text: 'Published passages, each with its source.' }],
  };
  return [
    ...MCP_ENDPOINTS.map((endpoint): [string, JsonObject] => [
      endpoint.path,
      describeMcpEndpoint(endpoint, base),
    ]),
    [
      '/a2a/v1',
      {
        post: {
          operationId: 'callA2a',
          tags: ['Protocols'],
          summary: 'A2A agent',
          description:
            'Agent2Agent protocol 1.0 as JSON-RPC: SendMessage, GetTask, ListTasks, CancelTask, SendStreamingMessage and SubscribeToTask (the last two respond with server-sent events), and the method names of 0.3. With a key that has the callbacks scope, sent as Authorization: Bearer <API_KEY>, taskPushNotificationConfig in SendMessage and CreateTaskPushNotificationConfig, GetTaskPushNotificationConfig, ListTaskPushNotificationConfigs and DeleteTaskPushNotificationConfig manage the webhooks that receive each change to a task; these deliveries are also signed as Standard Webhooks. The HTTP+JSON binding has the paths of A2A 1.0 below the same URL: POST /message:send and /message:stream, GET /tasks, /tasks/{id} and /tasks/{id}:subscribe, POST /tasks/{id}:cancel, and /tasks/{id}/pushNotificationConfigs. A message with one data part {subsite, action, fields, contact?, source?, sandbox?, idempotencyKey?} creates a lead: the task has the receipt as an artifact and, from then on, the state and messages of the lead; text sent with the data part, at most 4,000 characters, is the first message to the provider. A message with the taskId is sent to the provider: text is a reply; a data part {accept: offerId}, {decline: offerId} or {withdraw: true} is an action. CancelTask withdraws a request that is not confirmed yet. ListTasks lists the tasks in a context if its contextId is a random UUID (version 4 or 7), and none otherwise; anyone who knows the contextId can read and cancel these tasks. A receipt token is also the task ID, for requests from any channel. If the data part has errors, the task waits for a corrected, complete data part. A text message without a taskId is answered from published content. Without an idempotencyKey, a message with the same messageId and data as before is a retry and creates no second lead.',
          ...describeRpc(
            'SendMessage',
            { message: { ...questionRequest, role: 'ROLE_USER' } },
            { message: { ...answerResponse, role: 'ROLE_AGENT' } },
            describeA2aFaults(),
          ),
        },
      },
    ],
    [
      '/healthz',
      {
        get: {
          operationId: 'readHealth',
          tags: ['Protocols'],
          summary: 'Service health',
          description: 'Checks the service and its database.',
          responses: {
            200: {
              description: 'The service is available.',
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/Health' },
                  examples: HEALTH_EXAMPLES,
                },
              },
            },
            ...describeProblemResponses(['rate_limited', 'unavailable']),
          },
        },
      },
    ],
  ];
}
