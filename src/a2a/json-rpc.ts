import { A2AError } from '@a2a-js/sdk/errors';
import { isLegacyJsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  type A2ARequestHandler,
  JsonRpcTransportHandler,
  type ServerCallContext,
} from '@a2a-js/sdk/server';
import { isObject } from '../site/json-object.ts';
import type { RequestKind } from '../http/rate-limit.ts';
import { createAnonymousCall, type Caller, kindOfMessage, stateOf } from './binding.ts';
import { createEventStreamResponse } from '../http/event-stream.ts';
import { createRpcProblemResponse } from './faults.ts';
import { parseParams, CURRENT_METHODS } from './request-schemas.ts';

const SEND_METHODS = new Set<unknown>([
  'SendMessage',
  'SendStreamingMessage',
  'message/send',
  'message/stream',
]);
const WRITE_METHODS = new Set<unknown>([
  'CancelTask',
  'tasks/cancel',
  'CreateTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/set',
  'DeleteTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/delete',
]);

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

export function kindOfRpcRequest(message: unknown): RequestKind {
  const { method, params } = isObject(message) ? message : {};
  return SEND_METHODS.has(method)
    ? kindOfMessage(params)
    : WRITE_METHODS.has(method)
      ? 'writes'
      : 'reads';
}

export const rpcIdOf = (message: unknown): string | number | null => {
  const id = isObject(message) ? message['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

/** A JSON-RPC error with status 200, as the SDK's own server would send it. */
const createRpcErrorResponse = (id: unknown, error: { code: number; message: string }): Response =>
  Response.json({ jsonrpc: '2.0', id, error });

export const toRpcErrorResponse = (id: unknown, error: unknown): Response =>
  createRpcErrorResponse(id, JsonRpcTransportHandler.mapToJSONRPCError(error));

const createUnknownMethodResponse = (id: unknown): Response =>
  createRpcErrorResponse(id, {
    code: METHOD_NOT_FOUND,
    message: `Unknown method. The methods of A2A 1.0 are ${CURRENT_METHODS.join(', ')}.`,
  });

interface RpcRequest {
  method: string;
  [member: string]: unknown;
}

const isRequest = (message: unknown): message is RpcRequest =>
  isObject(message) && message['jsonrpc'] === '2.0' && typeof message['method'] === 'string';

interface RpcResponse {
  id: string | number | null;
  error?: unknown;
}

/**
 * Answers one JSON-RPC message with a 1.0 method name, or a 0.3 name through the SDK's translation.
 * @throws {RequestMalformedError} for params that A2A does not allow for the method
 */
export function createRpcBinding(
  handler: A2ARequestHandler,
  base: string,
): (message: unknown, caller: Caller) => Promise<Response> {
  const currentTransport = new JsonRpcTransportHandler(handler);
  const legacyTransport = new LegacyJsonRpcTransportHandler(handler);

  function toResponse(response: RpcResponse, call: ServerCallContext): Response {
    const { problem } = stateOf(call);
    if (problem) return createRpcProblemResponse(problem, response.id, base);
    const { code } = isObject(response.error) ? response.error : {};
    // Real internal errors are already problems; what remains are values that the SDK cannot parse.
    if (code === INTERNAL_ERROR)
      return createRpcErrorResponse(response.id, {
        code: INVALID_PARAMS,
        message: 'The params do not match the A2A schema of this method.',
      });
    if (code === METHOD_NOT_FOUND) return createUnknownMethodResponse(response.id);
    return Response.json(response);
  }

  /** The response for an error that ended a call. @throws errors that the call did not cause */
  function toErrorResponse(
    id: RpcResponse['id'],
    thrown: unknown,
    call: ServerCallContext,
  ): Response {
    const { problem } = stateOf(call);
    if (problem) return createRpcProblemResponse(problem, id, base);
    if (thrown instanceof A2AError) return toRpcErrorResponse(id, thrown);
    throw thrown;
  }

  return async (message, caller) => {
    if (Array.isArray(message))
      return createRpcErrorResponse(null, {
        code: INVALID_REQUEST,
        message: 'Batches are not supported. Send one message per request.',
      });
    if (!isRequest(message))
      return createRpcErrorResponse(rpcIdOf(message), {
        code: INVALID_REQUEST,
        message:
          'This is not a JSON-RPC request. Send an object with jsonrpc "2.0", id, method and params.',
      });
    const abortController = new AbortController();
    const { method } = message;
    const isLegacy = isLegacyJsonRpcMethod(method);
    // The SDK checks the params first.
    if (!isLegacy && !CURRENT_METHODS.includes(method))
      return createUnknownMethodResponse(rpcIdOf(message));
    const transport = isLegacy ? legacyTransport : currentTransport;
    const call = createAnonymousCall(
      { ...caller, signal: AbortSignal.any([caller.signal, abortController.signal]) },
      isLegacy ? '0.3' : '1.0',
    );
    const request = { ...message, params: parseParams(method, message['params']) };
    const result = await transport.handle(request, call);
    if (!(Symbol.asyncIterator in result)) return toResponse(result, call);
    const id = rpcIdOf(message);
    return createEventStreamResponse(
      result,
      () => {
        abortController.abort();
      },
      (thrown) => ({
        jsonrpc: '2.0',
        id,
        error: JsonRpcTransportHandler.mapToJSONRPCError(thrown),
      }),
    ).catch((thrown: unknown) => toErrorResponse(id, thrown, call));
  };
}
