import { z } from 'zod';
import type { JsonObject } from '../../site/json-object.ts';
import { registerComponent } from '../components.ts';
import { describeHeaders, RATE_LIMIT_HEADERS, type ResponseHeader } from './headers.ts';

const requestIdSchema = z.union([
  z.string(),
  z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
]);

registerComponent(
  'JsonRpcRequest',
  z
    .strictObject({
      jsonrpc: z.literal('2.0').describe('JSON-RPC version.'),
      id: requestIdSchema
        .optional()
        .describe('ID that the response repeats; absent in a notification.'),
      method: z.string().describe('Method name.'),
      params: z.looseObject({}).optional().describe('Method parameters.'),
    })
    .describe('A JSON-RPC 2.0 request or notification.'),
);

registerComponent(
  'JsonRpcResponse',
  z
    .strictObject({
      jsonrpc: z.literal('2.0').describe('JSON-RPC version.'),
      id: requestIdSchema.nullable().describe('Request id.'),
      result: z.looseObject({}).optional().describe('Method result.'),
      error: z
        .looseObject({
          code: z.int().min(-99_999).max(99_999).describe('Error code.'),
          message: z.string().describe('Error message.'),
        })
        .optional()
        .describe('The error; present instead of a result.'),
    })
    .describe('A JSON-RPC 2.0 response.'),
);

const describeJson = (schema: string, example: unknown): JsonObject => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example },
});

/** A sample JSON-RPC request. */
export const createRpcExample = (method: string, params?: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params && { params }),
});

/** The request body and responses of an endpoint that accepts JSON-RPC. */
export const describeRpc = (
  method: string,
  params: JsonObject | undefined,
  result: JsonObject,
  faults: JsonObject,
  headers: readonly ResponseHeader[] = RATE_LIMIT_HEADERS,
): JsonObject => ({
  requestBody: {
    required: true,
    description: 'One JSON-RPC message; batches are rejected.',
    content: describeJson('JsonRpcRequest', createRpcExample(method, params)),
  },
  responses: {
    200: {
      description: 'The response as JSON, even for protocol errors and exceeded rate limits.',
      ...describeHeaders(headers),
      content: describeJson('JsonRpcResponse', { jsonrpc: '2.0', id: 1, result }),
    },
    ...faults,
  },
});

/** A protocol error with its HTTP status. */
export const describeRpcErrorResponse = (
  description: string,
  code: number,
  message: string,
  headers: readonly ResponseHeader[] = [],
): JsonObject => ({
  description,
  ...describeHeaders(headers),
  content: describeJson('JsonRpcResponse', { jsonrpc: '2.0', id: null, error: { code, message } }),
});
